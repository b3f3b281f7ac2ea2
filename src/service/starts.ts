/**
 * Starts that failed, counted by memd itself where the manager knows no limit: launchd starts a service again for ever, ten seconds after
 * each end that was not clean.
 */
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import type { Files } from "../ports.ts";

/** As in the unit: StartLimitBurst within StartLimitIntervalSec. */
const LIMIT = 5;
const WINDOW = 10 * 60_000;

export interface Starts {
  /** Epoch ms of the starts that did not last. */
  readonly at: readonly number[];
  /** Why memd ended clean instead of being started again; null while it has not. */
  readonly gaveUp: string | null;
}

export interface StartsWorld {
  readonly files: Files;
  readonly clock: Clock;
  /** The state directory. */
  readonly state: string;
  readonly token: string;
}

const fileOf = (state: string) => join(state, "starts.json");

export function readStarts(files: Files, state: string): Starts {
  const read = readJson(files, fileOf(state));
  if (read.state !== "read" || !isRecord(read.value)) return { at: [], gaveUp: null };
  const { at, gaveUp } = read.value;
  return {
    at: Array.isArray(at) ? at.filter((time) => typeof time === "number") : [],
    gaveUp: typeof gaveUp === "string" ? gaveUp : null,
  };
}

/**
 * Counts a start, before anything that can fail. One that is killed says nothing afterwards, so a start counts as failed until `forgetStarts`.
 * @returns false when the starts before this one already used up the limit: then end clean, at once
 */
export function countStart(world: StartsWorld): boolean {
  const recent = recentStarts(world);
  if (recent.length >= LIMIT) {
    save(world, { at: recent, gaveUp: readStarts(world.files, world.state).gaveUp ?? "it did not stay up" });
    return false;
  }
  save(world, { at: [...recent, world.clock.now()], gaveUp: null });
  return true;
}

/**
 * What a start that failed should end with.
 * @param why one line for `memd service status`
 * @returns true when the limit is used up: end clean, so that launchd leaves it
 */
export function giveUp(world: StartsWorld, why: string): boolean {
  const recent = recentStarts(world);
  if (recent.length < LIMIT) return false;
  save(world, { at: recent, gaveUp: why });
  return true;
}

/** After a start that lasted, and when a person starts it anew. */
export function forgetStarts({ files, state }: Pick<StartsWorld, "files" | "state">): void {
  files.unlink(fileOf(state));
}

/** A clock that went back would keep a start in the window for ever. */
function recentStarts({ files, clock, state }: StartsWorld): readonly number[] {
  const now = clock.now();
  return readStarts(files, state).at.filter((time) => time <= now && now - time < WINDOW);
}

function save({ files, state, token }: StartsWorld, starts: Starts): void {
  writeJson(files, fileOf(state), starts, token);
}
