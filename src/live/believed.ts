/** What comes over the socket, as far as it has the shape that it should: another version's daemon may answer. */
import { isRecord } from "../base/json.ts";
import type { Dreaming, LiveCondition, LiveFacts, NextLook } from "./facts.ts";

const isText = (value: unknown): value is string => typeof value === "string";
const isTime = (value: unknown): value is string => isText(value) && !Number.isNaN(Date.parse(value));
const textOrNull = (value: unknown): string | null => (isText(value) ? value : null);

/** Null when it does not say who it is; parts that cannot be read are left out. */
export function readFacts(value: unknown): LiveFacts | null {
  if (!isRecord(value)) return null;
  const { version, pid, since, watching, dreaming, next, configLoadedAt, conditions } = value;
  if (!isText(version) || typeof pid !== "number" || !isTime(since)) return null;
  return {
    version,
    pid,
    since,
    watching: typeof watching === "number" ? watching : 0,
    dreaming: listOf(dreaming, readDreaming),
    next: readNext(next),
    configLoadedAt: isTime(configLoadedAt) ? configLoadedAt : since,
    conditions: listOf(conditions, readCondition),
  };
}

function listOf<T>(value: unknown, read: (item: unknown) => T | null): T[] {
  return Array.isArray(value) ? value.map(read).filter((item) => item !== null) : [];
}

function readDreaming(value: unknown): Dreaming | null {
  if (!isRecord(value)) return null;
  const { store, run, step, detail, since } = value;
  if (!isText(store) || !isText(step) || !isTime(since)) return null;
  return { store, run: textOrNull(run), step, detail: textOrNull(detail) ?? "", since };
}

function readNext(value: unknown): NextLook | null {
  if (!isRecord(value) || !isText(value["store"])) return null;
  const { store, at, gate } = value;
  return { store, at: isTime(at) ? at : null, gate: textOrNull(gate) };
}

function readCondition(value: unknown): LiveCondition | null {
  if (!isRecord(value)) return null;
  const { code, store, message, hint, since } = value;
  if (!isText(code) || !isText(message) || !isTime(since)) return null;
  return { code, store: textOrNull(store), message, hint: textOrNull(hint) ?? "", since };
}
