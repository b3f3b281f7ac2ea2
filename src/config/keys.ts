/**
 * Every configuration key once: default, bounds and reason. Validation, the example file, the JSON schema and
 * `memd config` all read this table, so they cannot differ.
 */
export type KeyKind =
  | { readonly kind: "number"; readonly min: number; readonly max: number }
  | { readonly kind: "boolean" }
  | { readonly kind: "text" }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "texts" }
  /** Absolute, or below the home folder by `~/`; never relative, which would depend on where memd was started. */
  | { readonly kind: "path" }
  | { readonly kind: "paths" };

export type KeyValue = number | boolean | string | null | readonly string[];

export type Key = KeyKind & {
  /** Dotted path, `gates.minHours`. */
  readonly path: string;
  /** Null: absent, decided at run time as the reason says. */
  readonly default: KeyValue;
  /** Why this default; one sentence, also the comment in the example file. */
  readonly reason: string;
};

const number = (path: string, value: number, bounds: readonly [number, number], reason: string): Key => ({
  kind: "number",
  path,
  default: value,
  min: bounds[0],
  max: bounds[1],
  reason,
});
const choice = (path: string, choices: readonly string[], reason: string): Key => ({
  kind: "choice",
  path,
  choices,
  default: choices[0] ?? null,
  reason,
});
const texts = (path: string, reason: string): Key => ({ kind: "texts", path, default: [], reason });
const paths = (path: string, reason: string): Key => ({ kind: "paths", path, default: [], reason });
const place = (path: string, reason: string): Key => ({ kind: "path", path, default: null, reason });
const text = (path: string, reason: string): Key => ({ kind: "text", path, default: null, reason });
const flag = (path: string, value: boolean, reason: string): Key => ({ kind: "boolean", path, default: value, reason });

const DAYS: readonly [number, number] = [1, 36_500];
const MEGABYTES: readonly [number, number] = [1, 1_000_000];

export const KEYS: readonly Key[] = [
  flag(
    "discover",
    true,
    "Find the stores of this machine's agents by themselves; false: only the stores listed below.",
  ),
  flag(
    "discoverOthers",
    true,
    "Find the sessions of Codex, Gemini CLI, Qwen Code and pi too, for the project they worked in; false: Claude Code's only.",
  ),
  number(
    "gates.minHours",
    24,
    [0, 8_760],
    "Hours between two dreams of one store; the same as Claude Code's own dream.",
  ),
  number(
    "gates.minSessions",
    5,
    [1, 10_000],
    "Sessions with new human words before a dream is worth its cost; as Claude Code.",
  ),
  number("gates.scanMinutes", 10, [0, 1_440], "A store's transcripts are listed at most this often."),
  number(
    "gates.backlogHours",
    1,
    [0, 8_760],
    "A store whose unread sessions did not fit may dream again after this long.",
  ),
  number(
    "gates.expiringDays",
    21,
    DAYS,
    "Unread sessions older than this open the gates: agents delete transcripts after 30 days.",
  ),
  choice(
    "sources.headless",
    ["auto", "include", "ignore"],
    "Print-mode and SDK sessions: auto takes those with two human turns or more (editors), include takes all.",
  ),
  paths("sources.ignore.projects", "Project folders whose sessions are never read."),
  paths("sources.ignore.paths", "Transcript files or folders that are never read."),
  texts("sources.ignore.sessions", "Session ids that are never read."),
  texts("sources.ignore.text", "Regular expressions: an utterance that matches one is never read."),
  choice("dream.distiller", ["extractive"], "extractive needs no model and no key; it proposes only what people said."),
  number("dream.maxMinutes", 20, [1, 55], "Wall time of one run; below the hour after which others may take the lock."),
  number(
    "dream.evidenceTokens",
    60_000,
    [1_000, 1_000_000],
    "Evidence of one run in estimated tokens; what does not fit stays unread for the next run.",
  ),
  text("dream.timeZone", "IANA zone in which relative dates are resolved; absent: the machine's zone."),
  number("budget.maxDayUsd", 1, [0, 10_000], "Money per day over all stores."),
  number("budget.maxMonthUsd", 10, [0, 100_000], "Money per month over all stores."),
  number("budget.maxDayTokens", 2_000_000, [0, 1_000_000_000], "Tokens per day over all stores."),
  number("retention.ledgerDays", 730, DAYS, "Past runs in the ledger; two years of history fit into a few MB."),
  number("retention.ledgerMegabytes", 256, MEGABYTES, "Beyond this size the ledger's oldest runs go first."),
  number("retention.undoDays", 730, DAYS, "What takes a past run back; as long as the ledger tells of the run."),
  number("retention.undoMegabytes", 128, MEGABYTES, "A run's texts take some 50 KB: room for every run of years."),
  number("retention.cacheDays", 90, DAYS, "Paid extractions that were not used again: a session is seldom read twice."),
  number("retention.cacheMegabytes", 64, MEGABYTES, "An extraction is a few KB: room for some 20,000 sessions."),
  number("retention.briefDays", 7, DAYS, "Briefs kept for inspection after a rejected run, or by --keep-brief."),
  number("retention.briefMegabytes", 64, MEGABYTES, "A brief holds the words of many sessions, some 1 MB."),
  number(
    "retention.archiveDays",
    3_650,
    DAYS,
    "Retired text in the archive; ten years, since nothing may be lost silently.",
  ),
  number(
    "retention.archiveMegabytes",
    256,
    MEGABYTES,
    "A store's archive grows by less than 1 MB a year; far beyond it is no memory.",
  ),
  number("retention.logDays", 30, DAYS, "Log files; a month shows what happened lately."),
  number("retention.logMegabytes", 32, MEGABYTES, "Size of all log files together."),
];

/** Keys of one item of `stores`. */
export const STORE_KEYS: readonly Key[] = [
  text("name", "Short name for --store; absent: the last part of the project's path."),
  place("memory", "The memory directory; required."),
  paths("sessions", "Folders of transcripts that feed this store, whatever their project."),
  paths("logs", "Folders of daily logs (YYYY-MM-DD.md); read only, never changed."),
  place("project", "Only sessions of this project folder feed the store; absent: all below `sessions`."),
  flag("paused", false, "No dreams for this store until false."),
];
