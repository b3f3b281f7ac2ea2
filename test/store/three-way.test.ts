import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { threeWay } from "../../src/store/three-way.ts";

const units = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 8 });
const distinct = fc.uniqueArray(fc.constantFrom<string[]>("a", "b", "c", "d", "e", "f", "g"), { maxLength: 7 });

describe("taking one change out of a text that went on", () => {
  it("gives the target where nothing else changed, and the current text where the run changed nothing", () => {
    fc.assert(
      fc.property(units, units, (base, other) => {
        expect(threeWay({ base, target: other, current: base }, "current")).toEqual({ units: other, clashes: [] });
        expect(threeWay({ base, target: base, current: other }, "current")).toEqual({ units: other, clashes: [] });
        expect(threeWay({ base, target: other, current: other }, "current")).toEqual({ units: other, clashes: [] });
      }),
    );
  });

  it("never loses a unit that only the later text has, unless it names it in a clash", () => {
    fc.assert(
      fc.property(distinct, distinct, distinct, (base, target, current) => {
        const { units: result, clashes } = threeWay({ base, target, current }, "target");
        const named = clashes.flatMap((clash) => clash.current);
        const added = current.filter((unit) => !base.includes(unit));
        for (const unit of added) expect([...result, ...named, ...target]).toContain(unit);
      }),
    );
  });

  it("keeps every later unit, in order, when the later side is preferred", () => {
    fc.assert(
      fc.property(distinct, distinct, distinct, (base, target, current) => {
        const { units: result } = threeWay({ base, target, current }, "current");
        const added = current.filter((unit) => !base.includes(unit) && !target.includes(unit));
        expect(result.filter((unit) => added.includes(unit))).toEqual(added);
      }),
    );
  });

  it("calls a text that is too long to compare a clash rather than guessing", () => {
    const base = Array.from({ length: 2_100 }, (_, i) => `line ${i}`);
    const current = base.map((line) => `${line}!`);
    const target = base.map((line) => `${line}?`);
    expect(threeWay({ base, target, current }, "current")).toEqual({ units: current, clashes: [{ target, current }] });
  });
});
