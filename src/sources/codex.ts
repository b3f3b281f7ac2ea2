/**
 * Codex CLI's rollouts (0.171.0 and before). Everything is said twice, as an item for the model and as an event for people; only
 * the events are sure to be a person's, since the items also carry rules, folders and interruptions in the user's name.
 */
import { basename } from "node:path";
import type { Files } from "../base/files.ts";
import { isRecord } from "../base/json.ts";
import type { TranscriptSource, Trouble } from "../ports.ts";
import { type Facts, factsIn, learn } from "./codex/facts.ts";
import { type Heard, hearEvent, hearItem } from "./codex/hear.ts";
import { lengthAfterRollback, oneLayer } from "./codex/layers.ts";
import { type TurnNames, turnNames } from "./codex/names.ts";
import { nodeUnzstd, type Unzstd, withUnpacked } from "./codex/unpacked.ts";
import { cursorAt } from "./fingerprint.ts";
import { jsonlSource, type Pass, type Reading, type RecordFormat, readJsonl } from "./jsonl/source.ts";
import { isFull, newTalk, type Spot, say, type Talk, timeOf, wordsOf } from "./jsonl/talk.ts";
import type { Named } from "./jsonl/walk.ts";

type Json = Record<string, unknown>;

const CLIENT = "codex";
/** `rollout-2026-11-30T03-54-09-<uuid>.jsonl`, packed with zstd once it is a week old. */
const ROLLOUT = /^rollout-(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-)?(.+?)\.jsonl(\.zst)?$/;
const PACKED = ".jsonl.zst";
const ARCHIVED = /\.jsonl[.~-]|\.(?:bak|deleted|old|orig|tmp|backup)\.jsonl$/;
const OTHER_FILES: ReadonlySet<string> = new Set(["history.jsonl", "session_index.jsonl"]);

const NO_ZSTD: Trouble = {
  code: "zstd-unsupported",
  message: "rollouts of Codex that are packed with zstd cannot be read by this Node",
  hint: "Run memd with Node 22.15 or newer; Codex packs rollouts that are a week old.",
};

const START = '{"timestamp":"';
/** A record's type and its payload's type stand within this. */
const HEAD_BYTES = 200;
const RECORD_TYPE = /"type":"([a-z_]{1,40})","payload":\{(?:"type":"([a-z_]{1,40})")?/;
const TYPES: ReadonlySet<string> = new Set(["session_meta", "turn_context", "event_msg", "response_item"]);
const EVENTS: ReadonlySet<string> = new Set(["item_completed", "user_message", "agent_message", "thread_rolled_back"]);

const OWN_NAME = /^rollout-\d{4}-\d\d-\d\dT.+\.jsonl(?:\.zst)?$/;

export function isCodexPath(path: string): boolean {
  return OWN_NAME.test(basename(path)) || /\/\.codex\/.*\.jsonl/.test(path);
}

const OUTPUT = /"item":\{"type":"CommandExecution"|"payload":\{"type":"(?:custom_tool_call|function_call)_output"/;

function isCodexRecord(record: Json): boolean {
  if (typeof record.timestamp === "string" && isRecord(record.payload)) return typeof record.type === "string";
  // Version 0.1 wrote the items bare.
  return (
    record.uuid === undefined &&
    record.type === "message" &&
    typeof record.role === "string" &&
    Array.isArray(record.content)
  );
}

export const CODEX: RecordFormat = {
  client: CLIENT,
  nameOf: nameOf(null),
  start: START,
  isRecord: isCodexRecord,
  output: { isOutput: (head) => OUTPUT.test(head), once: START },
  begin,
};

/** @param unzstd unpacks zstd; null where Node cannot, and packed rollouts are then dropped with a reason */
export function codexSource(files: Files, unzstd: Unzstd | null = nodeUnzstd()): TranscriptSource {
  const format = { ...CODEX, nameOf: nameOf(unzstd) };
  const plain = jsonlSource(files, format);
  if (unzstd === null) return plain;
  return {
    ...plain,
    read: async (file, from, signal) => {
      if (!file.path.endsWith(PACKED)) return plain.read(file, from, signal);
      const unpacked = withUnpacked(files, file, unzstd);
      return unpacked && readJsonl(unpacked.files, format, { file: unpacked.file, from, signal });
    },
    cursorAt: (file, offset, lines) => {
      if (!file.path.endsWith(PACKED)) return plain.cursorAt(file, offset, lines);
      const unpacked = withUnpacked(files, file, unzstd);
      return unpacked && cursorAt(unpacked.files, { file: unpacked.file, offset, lines });
    },
  };
}

function nameOf(unzstd: Unzstd | null): (path: string) => Named | null {
  return (path) => {
    const name = basename(path);
    if (!name.includes(".jsonl") || OTHER_FILES.has(name)) return null;
    const [, id, packed] = ROLLOUT.exec(name) ?? [];
    const session = id ?? name.replace(/\.jsonl$/, "");
    if (packed !== undefined && unzstd === null) return { session, drop: NO_ZSTD.code, trouble: NO_ZSTD };
    if (packed !== undefined) return { session, drop: null };
    return { session, drop: ARCHIVED.test(name) ? "archived-copy" : null };
  };
}

/** What one pass over a rollout gathers. */
interface Rollout {
  readonly talk: Talk;
  readonly names: TurnNames;
  readonly facts: Facts;
}

function begin({ file, before }: Pass): Reading {
  const rollout: Rollout = { talk: newTalk(), names: turnNames(), facts: factsIn(before) };
  const { talk, names, facts } = rollout;
  return {
    skips: (line) => isWordless(line, facts),
    take(record, spot) {
      learn(facts, record);
      for (const heard of hear(rollout, record)) keep(rollout, heard, { spot, at: timeOf(record.timestamp) });
    },
    isFull: () => isFull(talk),
    finish() {
      if (facts.isSubagent) return { words: [], drop: "subagent" };
      const words = wordsOf(oneLayer(talk.said, facts), { client: CLIENT, file, session: facts.session });
      return { words, drop: words.length > 0 ? null : "no-user-words", aliases: names.all() };
    },
  };
}

/** Told from the start of the line: prompts, token counts and compactions are most of a rollout's bytes. */
function isWordless(line: Buffer, { session, hasItems }: Facts): boolean {
  const [, type = "", event] = RECORD_TYPE.exec(line.toString("latin1", 0, HEAD_BYTES)) ?? [];
  if (type === "" || line.indexOf(START, 1) >= 0) return false;
  if (type === "event_msg" && event !== undefined) return !EVENTS.has(event);
  const isRepeat = (type === "session_meta" && session !== null) || (type === "response_item" && hasItems);
  return isRepeat || !TYPES.has(type);
}

function hear({ talk }: Rollout, record: Json): Heard[] {
  const { type, payload } = record;
  if (type !== "event_msg") {
    const item = type === "response_item" ? payload : record;
    return isRecord(item) ? hearItem(item) : [];
  }
  if (!isRecord(payload)) return [];
  if (payload.type === "thread_rolled_back") talk.said.splice(lengthAfterRollback(talk.said, payload.num_turns));
  return hearEvent(payload);
}

function keep({ talk, names, facts }: Rollout, heard: Heard, where: { spot: Spot; at: number | null }): void {
  const { speaker, text, id, layer } = heard;
  const { cwd, headless } = facts;
  if (say(talk, { ...where, speaker, text, record: id, cwd, headless, mark: layer }))
    names.heard(heard, where.spot.offset);
}
