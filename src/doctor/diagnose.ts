/** The whole visit: look, repair where that was asked for, look again. */
import { examine } from "./examine.ts";
import type { Finding } from "./finding.ts";
import { type RepairWorld, repair } from "./repair.ts";

/** @param again the world anew, since a repair may have changed which stores there are */
export async function diagnose(world: RepairWorld, mend: boolean): Promise<readonly Finding[]> {
  const before = await examine(world);
  if (!mend || before.every(({ ok }) => ok)) return before;
  const failed = await repair(world, before);
  const after = await examine(world);
  return [
    ...repairedOf(before, after),
    ...after,
    ...failed.filter((item) => !after.some((left) => isSame(left, item))),
  ];
}

const isSame = (a: Finding, b: Finding) => a.code === b.code && a.store === b.store && a.message === b.message;

/** What was wrong and is not any more. A finding whose words changed is the same trouble still. */
function repairedOf(before: readonly Finding[], after: readonly Finding[]): Finding[] {
  const left = after.filter(({ ok }) => !ok);
  return before
    .filter((item) => !item.ok && !left.some(({ code, store }) => code === item.code && store === item.store))
    .map((item) => ({ ...item, ok: true, hint: null, repaired: true }));
}
