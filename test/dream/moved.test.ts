/** A project that was moved has another memory, and the same sessions: what a person took out must not come back with them. */
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { rememberStore } from "../../src/config/stores.ts";
import { forgetWords, lookFor } from "../../src/steps/forget.ts";
import { chooseUndo, undoRun } from "../../src/steps/undo.ts";
import { DAY, type Home, makeHome, START, talk } from "../support/home.ts";

let home: Home;
afterEach(() => home.remove());

const SAID = ["Bugs are tracked in the Linear project ORBIT.", "Remember: the staging server is called heron."];

/** A project at `/srv/app` that has dreamt, and the store that it has once it lies at `/srv/shop`. */
async function moved() {
  home = makeHome();
  home.session("one", talk(SAID, START - DAY));
  const before = { ...home.store, project: null };
  await home.dream({}, { store: before });
  rememberStore(nodeFiles, { ...before, project: "/srv/app" }, "t");
  const memory = join(home.root, "moved");
  const after = { memory, state: join(home.root, "state/memd/stores/shop"), formerly: ["/srv/app"] };
  const kept = async () => {
    const { report } = await home.dream({}, { store: after });
    expect(report.outcome).toMatch(/^(?:done|unchanged)$/);
    return report.changes.map(({ after: text }) => text ?? "").join("\n");
  };
  return { before, kept };
}

it("what was forgotten before stays forgotten", async () => {
  const { before, kept } = await moved();
  const world = home.world({ store: before });
  const found = await lookFor(world, "heron");
  if (found === null) throw new Error("nothing to forget");
  await forgetWords(world, "heron", found);
  await world.close();
  const text = await kept();
  expect(text).toContain("ORBIT");
  expect(text).not.toContain("heron");
});

it("what was undone before stays undone", async () => {
  const { before, kept } = await moved();
  const world = home.world({ store: before });
  const { record } = chooseUndo([world], "last");
  await undoRun(world, { record, force: false });
  await world.close();
  expect(await kept()).not.toMatch(/ORBIT|heron/);
});
