import fc from "fast-check";
import { runs } from "../settings.ts";

/** Inputs in one go; between two the test runner is heard, which takes a worker that is silent for a minute for dead. */
const SLICE = 1_000;

/** Tries a property on its share of the inputs. @throws with the smallest input that it fails on, and the seed that finds it again */
export async function holds<T>(property: fc.IRawProperty<T>, share: number): Promise<void> {
  for (let left = runs(share); left > 0; left -= SLICE) {
    await fc.assert(property, { numRuns: Math.min(left, SLICE) });
    await new Promise((done) => setImmediate(done));
  }
}
