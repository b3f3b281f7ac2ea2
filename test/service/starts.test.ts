import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { countStart, forgetStarts, giveUp, readStarts, type StartsWorld } from "../../src/service/starts.ts";
import { type ManualClock, manualClock } from "../support/home.ts";
import { type ServiceHome, serviceHome } from "./world.ts";

let home: ServiceHome;
let world: StartsWorld & { readonly clock: ManualClock };
beforeEach(() => {
  home = serviceHome();
  world = { files: nodeFiles, clock: manualClock(), state: join(home.root, "state"), token: "t" };
});
afterEach(() => home.remove());

const start = (times: number) => Array.from({ length: times }, () => countStart(world));

describe("starts that fail under a manager without a limit", () => {
  it("end clean at the fifth within ten minutes, and the next one does not even begin", () => {
    start(4);
    expect(giveUp(world, "no")).toBe(false);
    start(1);
    expect(giveUp(world, "no key")).toBe(true);
    expect(start(1)).toEqual([false]);
    expect(readStarts(nodeFiles, world.state).gaveUp).toBe("no key");
  });

  it("that are killed count too, though they never say so", () => {
    start(5);
    expect(start(1)).toEqual([false]);
    expect(readStarts(nodeFiles, world.state).gaveUp).toBe("it did not stay up");
  });

  it("are tried again after the ten minutes, after one that lasted, and when a person starts it", () => {
    start(5);
    world.clock.move(11 * 60_000);
    expect(start(1)).toEqual([true]);
    start(4);
    expect(start(1)).toEqual([false]);
    forgetStarts(world);
    expect(start(1)).toEqual([true]);
  });

  it("are not held against it for ever by a clock that went back", () => {
    start(5);
    world.clock.move(-86_400_000);
    expect(start(1)).toEqual([true]);
  });

  it("are read from a damaged file as none", () => {
    home.file("state/starts.json", "{");
    expect(start(1)).toEqual([true]);
  });
});
