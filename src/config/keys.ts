/**
 * Every configuration key once: default, bounds and reason. Validation, the example file, the JSON schema and
 * `memd config` all read this table, so they cannot differ.
 */
import { BUDGET_KEYS } from "./budget-keys.ts";
import { DAEMON_KEYS } from "./daemon-keys.ts";
import { choice, flag, type Key, number, paths, place, text, texts } from "./key.ts";
import { MODEL_KEYS } from "./model-keys.ts";

export type { Key, KeyKind, KeyValue } from "./key.ts";

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
    "Find the sessions of Codex, Gemini CLI, Qwen Code, pi, opencode and OpenClaw too, for the project they worked in; false: Claude Code's only.",
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
  flag(
    "person.enabled",
    true,
    "What several projects say of the user (language, role) is kept in a memory of the user's own; false: only where it was said.",
  ),
  place("person.memory", "The user's own memory; absent: a folder of memd's own, which no agent reads by itself."),
  choice(
    "sources.headless",
    ["auto", "include", "ignore"],
    "Print-mode and SDK sessions: auto takes those with two human turns or more (editors), include takes all.",
  ),
  paths("sources.ignore.projects", "Project folders whose sessions are never read."),
  paths("sources.ignore.paths", "Transcript files or folders that are never read."),
  texts("sources.ignore.sessions", "Session ids that are never read."),
  texts("sources.ignore.text", "Regular expressions: an utterance that matches one is never read."),
  choice(
    "dream.distiller",
    ["extractive", "anthropic", "claude"],
    "extractive needs no model and no key; anthropic spends on your key, claude on your Claude Code plan. A key alone never chooses one.",
  ),
  choice(
    "dream.fence",
    ["auto", "required", "off"],
    "The kernel's fence around the distiller: auto uses it where the platform has one, required runs nothing without it.",
  ),
  number("dream.maxMinutes", 20, [1, 55], "Wall time of one run; below the hour after which others may take the lock."),
  number(
    "dream.evidenceTokens",
    60_000,
    [1_000, 1_000_000],
    "Evidence of one run in estimated tokens; what does not fit stays unread for the next run.",
  ),
  text("dream.timeZone", null, "IANA zone in which relative dates are resolved; absent: the machine's zone."),
  ...MODEL_KEYS,
  ...BUDGET_KEYS,
  ...DAEMON_KEYS,
  number(
    "publish.maxBytes",
    4_096,
    [1_024, 65_536],
    "The block of memd publish, marks included; agents read it at every start, so it is kept short.",
  ),
  flag("publish.user", false, "Facts about you in that block too; the files that carry it are usually committed."),
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
  text("name", null, "Short name for --store; absent: the last part of the project's path."),
  place("memory", "The memory directory; required."),
  paths("sessions", "Folders of transcripts that feed this store, whatever their project."),
  paths("logs", "Folders of daily logs (YYYY-MM-DD.md); read only, never changed."),
  text("format", null, "Client, or described format, of its transcripts; absent: each file tells its own."),
  place("project", "Only sessions of this project folder feed the store; absent: all below `sessions`."),
  choice(
    "layout",
    ["auto", "plain", "workspace", "icode", "daily"],
    "How memory lies on the disk: workspace has user.md and agent.md above it, icode its MEMORY.md; auto tells what is unmistakable.",
  ),
  choice(
    "shared",
    ["propose", "write", "off"],
    "What holds for the whole team, where memory has a team/ folder: propose asks, write puts it there, off keeps it private.",
  ),
  flag("paused", false, "No dreams for this store until false."),
];
