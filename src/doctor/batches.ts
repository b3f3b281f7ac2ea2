/** Batches of stores that no dream looks after any more: they were removed from the configuration, or their project is gone. */
import { iso } from "../base/clock.ts";
import { waitingBatch } from "../ledger/batch.ts";
import { type Finding, remark } from "./finding.ts";
import type { DoctorWorld } from "./world.ts";

/** Code `batch-left`. */
export function leftBatches({ files, stores, remembered }: DoctorWorld): Finding[] {
  const served = new Set(stores.map(({ state }) => state));
  return remembered.flatMap(({ name, state }) => {
    const batch = served.has(state) ? null : waitingBatch(files, state);
    if (batch === null) return [];
    return [
      remark(
        "batch-left",
        `a batch of the store ${name}, which is not served any more, was sent at ${iso(batch.since)}`,
        "Nothing to do: the endpoint ends it within a day, and what was reserved for it counts in full against the caps.",
      ),
    ];
  });
}
