import { expect, it } from "vitest";
import { makeBreath } from "../../src/base/breath.ts";

function clockAt(start: number) {
  let at = start;
  const pass = (ms: number) => {
    at += ms;
  };
  return { now: () => at, monotonic: () => at, pass };
}

it("lets others go on after forty milliseconds of work, and costs nothing before", async () => {
  const clock = clockAt(1_000);
  const breath = makeBreath(clock);
  clock.pass(39);
  expect(breath()).toBeUndefined();
  clock.pass(1);
  const heard: string[] = [];
  setImmediate(() => heard.push("another's turn"));
  await breath();
  expect(heard).toEqual(["another's turn"]);
  clock.pass(39);
  expect(breath()).toBeUndefined();
});
