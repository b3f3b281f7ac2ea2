import { expect, it } from "vitest";
import { summaryOf } from "../../src/ledger/report.ts";
import { describeWithSqlite } from "../support/sqlite.ts";
import { change, opened, refusal, report } from "./samples.ts";

const FIRST = "20261128T120000000-aaaaaa";
const SECOND = "20261129T120000000-bbbbbb";
const THIRD = "20261130T120000000-cccccc";

describeWithSqlite("recording a run", () => {
  it("gives back exactly what was recorded", async () => {
    const ledger = await opened();
    const run = report(FIRST, {
      changes: [change("- Uses pnpm."), { ...change("- 用 vim。"), before: "- 用 emacs。", operation: "revise" }],
      rejected: [refusal("The team uses npm."), refusal("x", "unsupported-detail")],
      usage: { requests: 2, inputTokens: 10, cachedTokens: 3, outputTokens: 5, costUsd: 0.25 },
    });
    ledger.recordRun(run);
    expect(ledger.find(FIRST)).toEqual({ state: "found", run });
    expect(ledger.changesOf(FIRST)).toEqual(run.changes);
    expect(ledger.history({})).toEqual([summaryOf(run)]);
    expect(ledger.condition).toBeNull();
  });

  it("twice keeps the later record only", async () => {
    const ledger = await opened();
    ledger.recordRun(report(FIRST, { changes: [change("- Old.")], rejected: [refusal("no")] }));
    const undone = report(FIRST, { outcome: "undone", changes: [change("- New.")] });
    ledger.recordRun(undone);
    expect(ledger.history({})).toEqual([summaryOf(undone)]);
    expect(ledger.changesOf(FIRST)).toEqual(undone.changes);
    expect(ledger.changesMatching("Old")).toEqual([]);
    expect(ledger.refusedMatching("no")).toEqual([]);
  });
});

describeWithSqlite("finding a run", () => {
  async function three() {
    const ledger = await opened();
    for (const run of [report(SECOND), report(FIRST), report(THIRD, { store: "site" })]) ledger.recordRun(run);
    return ledger;
  }

  it("history tells the latest first, of all stores or of some, and no more than asked for", async () => {
    const ledger = await three();
    expect(ledger.history({}).map(({ id }) => id)).toEqual([THIRD, SECOND, FIRST]);
    expect(ledger.history({ stores: ["app"] }).map(({ id }) => id)).toEqual([SECOND, FIRST]);
    expect(ledger.history({ limit: 1 }).map(({ id }) => id)).toEqual([THIRD]);
    expect(ledger.history({ stores: [] })).toEqual([]);
  });

  it.each([
    ["last", undefined, THIRD],
    ["last", "app", SECOND],
    [FIRST, undefined, FIRST],
    ["20261129", undefined, SECOND],
    ["20261130", "site", THIRD],
  ])("%s of %s", async (wanted, store, id) => {
    expect((await three()).find(wanted, store)).toMatchObject({ state: "found", run: { id } });
  });

  it.each(["", "20271", "%", "_", "' OR 1=1 --", "last "])("%j finds none", async (wanted) => {
    expect((await three()).find(wanted)).toEqual({ state: "none" });
  });

  it("a prefix that several runs have is ambiguous and names them", async () => {
    expect((await three()).find("202611")).toEqual({ state: "ambiguous", ids: [FIRST, SECOND, THIRD] });
    expect((await three()).find("20261130", "app")).toEqual({ state: "none" });
  });
});

describeWithSqlite("searching", () => {
  const runs = () =>
    report(FIRST, {
      changes: [
        change("- The deploy key lives in the vault.", "the deploy key lives in the vault"),
        change("- 项目的数据库是 PostgreSQL，不用 MySQL。", "数据库用 PostgreSQL"),
        change("- Réunion every Monday with foo_bar."),
      ],
      rejected: [refusal("The team prefers tabs."), refusal("用户喜欢深色主题。", "unsupported-detail")],
    });

  it.each([
    ["deploy", "deploy key"],
    ["DEPLOY vau", "deploy key"],
    ["数据库", "PostgreSQL"],
    ["库", "PostgreSQL"],
    ["数据库 postgres", "PostgreSQL"],
    ["reunion", "Réunion"],
    ["foo_bar", "foo_bar"],
  ])("%s finds the change", async (text, expected) => {
    const ledger = await opened();
    ledger.recordRun(runs());
    const found = ledger.changesMatching(text);
    expect(found.map(({ change }) => change.after)).toEqual([expect.stringContaining(expected)]);
    expect(found[0]).toMatchObject({ run: FIRST, store: "app", at: "2026-11-28T12:00:00.000Z" });
  });

  it("finds what was refused, and why", async () => {
    const ledger = await opened();
    ledger.recordRun(runs());
    expect(ledger.refusedMatching("深色")).toEqual([
      {
        run: FIRST,
        store: "app",
        at: "2026-11-28T12:00:00.000Z",
        operation: "add",
        rule: "unsupported-detail",
        detail: "no utterance holds these words",
        text: "用户喜欢深色主题。",
      },
    ]);
  });

  it.each(["", "   ", '"', "* OR *", "NEAR(", "据数", "tabs AND", "-", "(", "deploy^2", "text:deploy", "\0"])(
    "%j is taken as words, never as syntax",
    async (text) => {
      const ledger = await opened();
      ledger.recordRun(runs());
      expect([...ledger.changesMatching(text), ...ledger.refusedMatching(text)]).toEqual([]);
      expect(ledger.condition).toBeNull();
    },
  );
});
