/** Folders and files that go while a run works: a checkout, a sync, an agent that cleans up. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { classify, EXIT } from "../../src/base/errors.ts";
import { nodeFiles } from "../../src/base/files.ts";
import { faultyFiles } from "../support/faulty-files.ts";
import { DAY, type Home, makeHome, START, talk } from "../support/home.ts";

let home: Home;
beforeEach(() => {
  home = makeHome();
  home.session("one", talk(["Bugs are tracked in the Linear project ORBIT."], START - DAY));
});
afterEach(() => home.remove());

/** Every verb would take a minute; the stride meets each kind of them. */
const STRIDE = 19;

it("are no bug, whichever moment they go at: the run is done, or the next one is", async () => {
  const whole = faultyFiles(nodeFiles);
  await home.dream({}, { files: whole });
  const ends = new Set<string>();
  for (let failAt = 1; failAt <= whole.calls.length; failAt += STRIDE) {
    const other = makeHome();
    try {
      other.session("one", talk(["Bugs are tracked in the Linear project ORBIT."], START - DAY));
      const { report, exit } = await other
        .dream({}, { files: faultyFiles(nodeFiles, { failAt, code: "ENOENT" }) })
        .catch(told);
      ends.add(`${report.outcome} ${report.code} ${exit}`);
      if (report.code === "vanished") expect(report.hint).toContain("run it again");
      const again = await other.dream();
      expect(again.report.outcome).toMatch(/^(?:done|unchanged)$/);
      expect(other.read("MEMORY.md")).toContain("](");
    } finally {
      other.remove();
    }
  }
  expect(ends).toContain(`failed vanished ${EXIT.unavailable}`);
  expect([...ends].filter((end) => / bug /.test(end))).toEqual([]);
});

/** What is thrown outside of the steps, the program names. */
function told(error: unknown) {
  const { code, hint, family } = classify(error, "dream");
  return { report: { outcome: "failed", code, hint }, exit: EXIT[family] };
}
