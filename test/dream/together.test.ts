/** Two processes that know one store. */
import { afterEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { loadStoreState } from "../../src/ledger/store-state.ts";
import { makeHome } from "../support/home.ts";

const home = makeHome();
afterEach(() => home.remove());

const SCAN = { at: 1, seen: 1, counted: 1, unread: 1, dropped: {}, oldestUnread: null };

describe("what two processes note of one store", () => {
  it("is kept: each changes only what it names", () => {
    const [one, two] = [home.world(), home.world()];
    one.state.save({ questions: 2 });
    two.state.save({ lastScan: SCAN });
    one.state.save({ left: 3 });
    expect(loadStoreState(nodeFiles, one.store.state)).toMatchObject({ questions: 2, lastScan: SCAN, left: 3 });
  });

  it("is whole, also when both write at the same moment", () => {
    const two = home.world();
    let isFirst = true;
    const files = {
      ...nodeFiles,
      create: (...args: Parameters<typeof nodeFiles.create>) => {
        nodeFiles.create(...args);
        if (isFirst) two.state.save({ lastScan: SCAN });
        isFirst = false;
      },
    };
    const one = home.world({ files });
    one.state.save({ questions: 2 });
    expect(loadStoreState(nodeFiles, one.store.state).questions).toBe(2);
  });
});
