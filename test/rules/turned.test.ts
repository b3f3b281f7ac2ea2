/** Who does what to whom: a statement made of its quote's own words can still say the reverse. */
import { describe, expect, it } from "vitest";
import { addRule } from "./stage.ts";

describe("two parties that changed places", () => {
  it.each([
    ["Anna reports to Ben.", "Ben reports to Anna."],
    ["Staging copies from production every night.", "Production copies from staging every night."],
    ["The api depends on the billing package.", "The billing package depends on the api."],
    ["Sessions go in Postgres because of compliance.", "Postgres go in Sessions because of compliance."],
    ["Anna approves what Ben writes.", "Ben approves what Anna writes."],
    ["The worker calls the scheduler, never the other way round.", "The scheduler calls the worker."],
    ["Redis costs more than Postgres for us.", "Postgres costs more than Redis for us."],
  ])("are seen: %j is not %j", (quote, claim) => {
    expect(addRule([quote], claim)).toBe("unsupported-detail");
    expect(addRule([quote], quote)).toBeNull();
  });

  it.each([
    ["Anna and Ben own the export.", "Ben and Anna own the export."],
    ["Anna pairs with Ben on Fridays.", "Ben pairs with Anna on Fridays."],
    ["In the api package we use zod.", "We use zod in the api package."],
    ["For reports use Postgres.", "Use Postgres for reports."],
    [
      "The export runs on Mondays and the import runs on Fridays.",
      "The import runs on Fridays and the export runs on Mondays.",
    ],
    ["Anna reviews what Ben writes.", "What Ben writes is reviewed by Anna."],
    ["Commits are signed by Marta.", "Marta signs commits."],
  ])("may be told in another order where nothing changes: %j, %j", (quote, claim) => {
    expect(addRule([quote], claim)).toBeNull();
  });
});

describe("a Chinese predicate of one character", () => {
  it.each([
    ["tag 格式不对，要用点。", "tag 格式对，要用点。"],
    ["这个分支名格式对，照着写。", "这个分支名格式不对，照着写。"],
    ["这个方案不行，换成轮询。", "这个方案行，换成轮询。"],
  ])("is not turned round: %j is not %j", (quote, claim) => {
    expect(addRule([quote], claim)).toBe("unsupported-detail");
    expect(addRule([quote], quote)).toBeNull();
  });
});

describe("a value that another sentence told", () => {
  it.each([
    [
      ["Tomas rejects any tap target under 44px.", "The dev server listens on 5174."],
      "Tomas rejects any tap target under 5174.",
    ],
    [["Uploads are kept for 30 days.", "The full suite takes 14 minutes."], "Uploads are kept for 14 minutes."],
    [
      ["The gateway is configured in deploy/gateway.yaml.", "The notes lie in docs/notes.md."],
      "The gateway is configured in docs/notes.md.",
    ],
  ])("does not take the place of the sentence's own: %j is not %j", (quotes, claim) => {
    expect(addRule(quotes, claim)).toBe("unsupported-detail");
  });

  it.each([
    [
      ["Use the 8 core machine for builds.", "A build takes 14 minutes."],
      "A build takes 14 minutes on the 8 core machine.",
    ],
    [["The launch date is not settled yet.", "Move it to 2027-01-08."], "The launch date is 2027-01-08."],
  ])("may be told together with it: %j, %j", (quotes, claim) => {
    expect(addRule(quotes, claim)).toBeNull();
  });
});
