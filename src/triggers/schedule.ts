/**
 * The user's windows, as cron expressions: dreams begin only in minutes that one matches. node-cron wakes the daemon when a window opens and
 * answers whether a minute matches; what is due is computed from the stores' state, so a tick that was missed, or that daylight saving
 * took away, costs nothing but time.
 */
import { createTask, type Logger, type ScheduledTask } from "node-cron";
import type { Clock } from "../base/clock.ts";

export interface ScheduleWorld {
  readonly clock: Clock;
  /** node-cron's own lines, which it would print past the log. */
  readonly logger: Logger;
}

export interface Windows {
  /** @param at epoch ms */
  isOpen(at: number): boolean;
  /**
   * True for what came into the line in a minute that stands alone: `0 3 * * *` names a time to start, not a minute in which all must be done.
   * @param queuedAt epoch ms
   */
  admits(queuedAt: number, now: number): boolean;
  /** When the next one opens, epoch ms; null where none is closed, or none will open. */
  opensAt(now: number): number | null;
  close(): void;
}

const MINUTE = 60_000;

/**
 * @param plan.windows valid cron expressions, at least one
 * @param plan.timeZone IANA zone
 * @param opened called in the first minute of each window
 */
export function openSchedule(
  { clock, logger }: ScheduleWorld,
  plan: { readonly windows: readonly string[]; readonly timeZone: string },
  opened: () => void,
): Windows {
  const options = { timezone: plan.timeZone, noOverlap: true, suppressMissedWarning: true, logger };
  const isOpen = (at: number) => tasks.some((task) => task.match(new Date(Math.floor(at / MINUTE) * MINUTE)));
  const begins = () => {
    const now = clock.now();
    if (isOpen(now) && !isOpen(now - MINUTE)) opened();
  };
  const tasks: ScheduledTask[] = plan.windows.map((window) => createTask(window, begins, options));
  for (const task of tasks) void task.start();
  return {
    isOpen,
    admits: (queuedAt, now) =>
      isOpen(now) || (isOpen(queuedAt) && !isOpen(queuedAt - MINUTE) && !isOpen(queuedAt + MINUTE)),
    opensAt: (now) => {
      if (isOpen(now)) return null;
      const next = tasks.flatMap((task) => task.getNextRun()?.getTime() ?? []);
      return next.length === 0 ? null : Math.min(...next);
    },
    close: () => {
      for (const task of tasks) void task.destroy();
    },
  };
}
