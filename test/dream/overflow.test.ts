import { afterEach, expect, it } from "vitest";
import { DAY, type Home, makeHome, START, talk } from "../support/home.ts";

let home: Home;
afterEach(() => home.remove());

it("a full topic gets a sibling, and the report still says how many of the proposed changes were accepted", async () => {
  home = makeHome();
  const said = Array.from({ length: 60 }, (_, i) => `Remember: the staging server number ${i} is called heron-${i}.`);
  home.session("one", talk(said, START - DAY));
  const { report } = await home.dream();
  expect(report.outcome).toBe("done");
  const { proposed, accepted } = report.operations;
  expect(accepted).toBeGreaterThan(said.length / 2);
  expect(proposed).toBeGreaterThanOrEqual(accepted);
  expect(report.files.created.length).toBeGreaterThan(2);
});
