/** Reads a brief back from its JSON: in the child, which trusts nothing that it did not make. */
import { MemdError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import type { TreeLayout } from "../memory/homes.ts";
import { MEMORY_TYPES, type MemoryTree, type Topic } from "../memory/model.ts";
import type { Brief } from "../ports.ts";
import { BRIEF_LIMITS } from "./brief.ts";
import type { Digest, DigestSession, DigestUtterance } from "./digest.ts";

/** Where a value does not fit (`digest.sessions.3.label`), or null when it does. */
type Check = (value: unknown, at: string) => string | null;
/** One check for every field of T, so that the compiler asks for it when a field is added to the type. */
type Shape<T> = { readonly [Key in keyof T]-?: Check };

const when =
  (fits: (value: unknown) => boolean): Check =>
  (value, at) =>
    fits(value) ? null : at;

const string = (max: number, form = /^/) => when((v) => typeof v === "string" && v.length <= max && form.test(v));
const oneOf = (...words: readonly unknown[]) => when((v) => words.includes(v));
const bool = oneOf(true, false);
const count = when((v) => typeof v === "number" && Number.isSafeInteger(v) && v >= 0);
const number = when((v) => typeof v === "number" && Number.isFinite(v));
const nullable =
  (check: Check): Check =>
  (value, at) =>
    value === null ? null : check(value, at);
const optional =
  (check: Check): Check =>
  (value, at) =>
    value === undefined ? null : check(value, at);

/** The first thing wrong among items; null when there is none. */
function firstWrong<T>(items: Iterable<T>, wrong: (item: T) => string | null): string | null {
  for (const item of items) {
    const at = wrong(item);
    if (at !== null) return at;
  }
  return null;
}

function shape<T>(fields: Shape<T>): Check {
  const checks = Object.entries<Check>(fields);
  return (value, at) =>
    isRecord(value) ? firstWrong(checks, ([key, check]) => check(value[key], at === "" ? key : `${at}.${key}`)) : at;
}

function list(item: Check, max: number): Check {
  return (value, at) =>
    Array.isArray(value) && value.length <= max ? firstWrong(value.entries(), ([i, v]) => item(v, `${at}.${i}`)) : at;
}

/** Longest of the texts in a brief, twice what is ever written: a marker may be longer than the secret it replaced. */
const TEXT = string(2 * BRIEF_LIMITS.textChars);
const NAME = string(4_096);
const counts: Check = (value, at) =>
  isRecord(value) ? firstWrong(Object.entries(value), ([key, n]) => count(n, `${at}.${key}`)) : at;

const UTTERANCE = shape<DigestUtterance>({
  label: string(20, /^S\d+:\d+$/),
  speaker: oneOf("user", "assistant", "tool", "log"),
  trust: oneOf("user", "headless", "log", "assistant", "tool"),
  text: TEXT,
  at: nullable(number),
  dates: list(shape({ phrase: NAME, index: count, date: string(10, /^\d{4}-\d\d-\d\d$/) }), 10_000),
  line: count,
  record: nullable(NAME),
});

const SESSION = shape<DigestSession>({
  label: string(10, /^S\d+$/),
  session: NAME,
  client: NAME,
  file: NAME,
  cwd: nullable(NAME),
  headless: bool,
  utterances: list(UTTERANCE, 100_000),
});

const until: Check = (value, at) => (value === "all" ? null : count(value, at));

const DIGEST = shape<Digest>({
  sessions: list(SESSION, 20_000),
  tokens: count,
  redacted: counts,
  taken: list(shape({ file: NAME, until, line: optional(count) }), 100_000),
});

const TOPIC = shape<Topic>({
  file: NAME,
  slug: NAME,
  text: TEXT,
  name: nullable(TEXT),
  description: nullable(TEXT),
  type: oneOf(null, ...MEMORY_TYPES),
  created: nullable(NAME),
  modified: nullable(NAME),
  pinned: bool,
  entries: list(
    shape<Topic["entries"][number]>({
      id: NAME,
      raw: TEXT,
      start: count,
      end: count,
      statement: TEXT,
      why: nullable(TEXT),
      how: nullable(TEXT),
      created: nullable(NAME),
      updated: nullable(NAME),
      pinned: bool,
      unconfirmed: bool,
      ours: bool,
    }),
    BRIEF_LIMITS.entries,
  ),
  problems: list(NAME, 100),
  locked: nullable(NAME),
});

const homes: Check = (value, at) =>
  isRecord(value) ? firstWrong(Object.values(value), (type) => oneOf(...MEMORY_TYPES)(type, at)) : at;

const MEMORY = shape<MemoryTree>({
  topics: list(TOPIC, BRIEF_LIMITS.topics),
  index: nullable(TEXT),
  indexLocked: optional(NAME),
  others: list(NAME, BRIEF_LIMITS.others),
  layout: optional(shape<TreeLayout>({ homes, prefix: NAME, hasSections: bool })),
});

const BRIEF = shape<Brief>({
  schema: oneOf(1),
  store: NAME,
  now: string(40),
  digest: DIGEST,
  memory: MEMORY,
  context: list(shape({ file: NAME, text: TEXT }), BRIEF_LIMITS.contexts),
});

function isBrief(value: unknown): value is Brief {
  return BRIEF(value, "") === null;
}

/**
 * A brief from parsed JSON, every field checked and bounded.
 * @throws MemdError `bad-brief` (rejected) that names the first field which does not fit
 */
export function parseBrief(value: unknown): Brief {
  if (isBrief(value)) return value;
  throw new MemdError({
    code: "bad-brief",
    family: "rejected",
    message: `the brief does not have its form at ${BRIEF(value, "") || "its root"}`,
    hint: "Run again; if it happens twice, report it as a bug in memd.",
  });
}
