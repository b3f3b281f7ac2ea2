/** What looking at stores needs of the world. */
import type { Files } from "../base/files.ts";
import type { BudgetFacts } from "../gate/budget.ts";
import type { LeaseWorld } from "../lock/occupancy.ts";
import type { Clock } from "../ports.ts";

export interface StatusWorld {
  readonly files: Files;
  readonly clock: Clock;
  readonly lease: LeaseWorld;
  /** Absent for a distiller that costs nothing. */
  readonly budget?: BudgetFacts;
  /** The state directory. */
  readonly state: string;
}
