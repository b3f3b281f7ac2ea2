/**
 * The words between memd and its forked distiller: one JSON message per line, both ways, checked on arrival. The child asks, the
 * parent answers and keeps the ledger; `hello` comes first, `proposal` or `failed` last, and nothing after it.
 */
import type { Family } from "../base/errors.ts";
import { isRecord, parseJson } from "../base/json.ts";
import { clip, oneLine, stripInvisible, wellFormed } from "../base/text.ts";
import type { Usage } from "../ports.ts";

export const CHANNEL_LIMITS = {
  /** A proposal of 200 operations at their largest is under 3 MB. */
  proposalBytes: 4 * 1024 * 1024,
  messageBytes: 64 * 1024,
  /** In one run: far above two hundred sessions with a dozen messages each. */
  messages: 20_000,
  perSecond: 1_000,
  openAsks: 64,
  /** Answers that the child did not read yet. */
  unsentBytes: 8 * 1024 * 1024,
} as const;

/** What one request may cost at most; asked for before it is made. */
export interface Reservation {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

/** `reason` says which cap stands against it; null when granted. */
export interface Grant {
  readonly granted: boolean;
  readonly reason: string | null;
}

/** Requests that are sent together and answered within a day; `keys` name where their answers are kept. */
export interface BatchNeed extends Reservation {
  readonly keys: readonly string[];
}

/** `marker` stands in the names of the batch's requests. */
export interface Planned extends Grant {
  readonly marker: string;
}

/** Requests of one batch: their keys fit one message. */
export const BATCH_PARTS = 400;

/** Families that a distiller may end with; what is a bug there must not crash the daemon, so it arrives as `rejected`. */
const FAILURE_FAMILIES = [
  "unavailable",
  "rejected",
  "over-budget",
  "misconfigured",
] as const satisfies readonly Family[];
export type FailureFamily = (typeof FAILURE_FAMILIES)[number];

export interface Failure {
  /** Epoch ms before which another try is pointless; null when nobody said. */
  readonly retryAt: number | null;
  readonly code: string;
  readonly family: FailureFamily;
  readonly message: string;
  readonly hint: string;
}

export type FromChild =
  | { readonly type: "hello"; readonly fence: "node" }
  | ({ readonly type: "reserve"; readonly id: number } & Reservation)
  | { readonly type: "cacheGet"; readonly id: number; readonly key: string }
  | { readonly type: "cachePut"; readonly key: string; readonly value: string }
  | ({ readonly type: "spent" } & Usage)
  | { readonly type: "progress"; readonly text: string }
  /** One operation, judged at once, so that a distiller can correct itself. */
  | { readonly type: "judge"; readonly id: number; readonly operation: unknown }
  /** What this distiller was set up with: models, limits, the key; asked for once, so that none of it stands in the environment. */
  | { readonly type: "setup"; readonly id: number }
  /** A batch that is about to be sent. Answered once it is written down: then no crash loses sight of it. */
  | ({ readonly type: "plan"; readonly id: number } & BatchNeed)
  /** What became of that plan: the batch's name at the endpoint; null where none was made. `strange`: the endpoint has no batches. */
  | { readonly type: "sent"; readonly id: number; readonly batch: string | null; readonly strange: boolean }
  | { readonly type: "proposal"; readonly proposal: unknown }
  | ({ readonly type: "failed" } & Failure);

export type FromParent =
  | ({ readonly type: "granted"; readonly id: number } & Grant)
  | ({ readonly type: "planned"; readonly id: number } & Planned)
  | { readonly type: "noted"; readonly id: number }
  | { readonly type: "cached"; readonly id: number; readonly value: string | null }
  | {
      readonly type: "ruled";
      readonly id: number;
      readonly accepted: boolean;
      readonly rule: string | null;
      readonly detail: string;
    }
  | { readonly type: "settings"; readonly id: number; readonly settings: unknown };

type Check<T> = (value: unknown) => value is T;
type Shape<T> = { readonly [Key in keyof T]-?: Check<T[Key]> };
type Message = FromChild | FromParent;
type Shapes<M extends Message> = { readonly [Type in M["type"]]: Shape<Omit<Extract<M, { type: Type }>, "type">> };

const text =
  (max: number): Check<string> =>
  (value): value is string =>
    typeof value === "string" && value.length <= max;
const count: Check<number> = (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const money: Check<number> = (value): value is number => typeof value === "number" && value >= 0 && value < 1e6;
const yes: Check<boolean> = (value): value is boolean => typeof value === "boolean";
const oneOf =
  <T extends string>(...words: readonly T[]): Check<T> =>
  (value): value is T =>
    words.some((word) => word === value);
const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || check(value);
const word: Check<string> = (value): value is string =>
  typeof value === "string" && /^[a-z][a-z0-9-]{1,40}$/.test(value);
const keys: Check<readonly string[]> = (value): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.length <= BATCH_PARTS && value.every(text(200));
/** The proposal's own checks are those of memory/schema.ts. */
const record: Check<unknown> = (value): value is unknown => isRecord(value);

export function isFailureFamily(value: unknown): value is FailureFamily {
  return FAILURE_FAMILIES.some((family) => family === value);
}

const FROM_CHILD: Shapes<FromChild> = {
  hello: { fence: oneOf("node") },
  reserve: { id: count, inputTokens: count, outputTokens: count, costUsd: money },
  cacheGet: { id: count, key: text(200) },
  cachePut: { key: text(200), value: text(CHANNEL_LIMITS.messageBytes) },
  spent: { requests: count, inputTokens: count, cachedTokens: count, outputTokens: count, costUsd: money },
  progress: { text: text(500) },
  judge: { id: count, operation: record },
  setup: { id: count },
  plan: { id: count, keys, inputTokens: count, outputTokens: count, costUsd: money },
  sent: { id: count, batch: orNull(text(200)), strange: yes },
  proposal: { proposal: record },
  failed: {
    code: word,
    family: isFailureFamily,
    message: text(2_000),
    hint: text(500),
    retryAt: orNull(count),
  },
};

const FROM_PARENT: Shapes<FromParent> = {
  granted: { id: count, granted: yes, reason: orNull(text(500)) },
  planned: { id: count, granted: yes, reason: orNull(text(500)), marker: text(64) },
  noted: { id: count },
  cached: { id: count, value: orNull(text(CHANNEL_LIMITS.messageBytes)) },
  ruled: { id: count, accepted: yes, rule: orNull(text(100)), detail: text(1_000) },
  settings: { id: count, settings: record },
};

/**
 * A new object with exactly the fields of its type, or null. Only own keys are looked at and an unknown one refuses the message,
 * so that `__proto__` and its like are never copied.
 */
function read<M extends Message>(line: string, shapes: Shapes<M>): M | null {
  const value = parseJson(line);
  if (!isRecord(value) || !Object.hasOwn(value, "type")) return null;
  const { type } = value;
  if (typeof type !== "string" || !Object.hasOwn(shapes, type)) return null;
  const fields: [string, Check<unknown>][] = Object.entries(shapes[type as M["type"]]);
  if (Object.keys(value).length !== fields.length + 1) return null;
  const fits = fields.every(([key, check]) => Object.hasOwn(value, key) && check(value[key]));
  // The table above is checked against the type M by the compiler; the cast only says that every field was compared to it.
  return fits ? (Object.fromEntries([["type", type], ...fields.map(([key]) => [key, value[key]])]) as M) : null;
}

/** A message of the child, or null when it is none. */
export function fromChild(line: string): FromChild | null {
  return read(line, FROM_CHILD);
}

/** A message of the parent, or null when it is none. */
export function fromParent(line: string): FromParent | null {
  return read(line, FROM_PARENT);
}

export function frame(message: Message): string {
  return `${JSON.stringify(message)}\n`;
}

/** The five figures alone, so that a caller's further fields never reach the wire. */
export function usageOf({ requests, inputTokens, cachedTokens, outputTokens, costUsd }: Usage): Usage {
  return { requests, inputTokens, cachedTokens, outputTokens, costUsd };
}

/** Words of the child that a person will see: one line, nothing invisible, bounded. */
export function tame(text: string, max: number): string {
  return clip(oneLine(stripInvisible(wellFormed(text))), max);
}
