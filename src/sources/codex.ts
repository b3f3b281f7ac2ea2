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
import { afterRollback, oneLayer } from "./codex/layers.ts";
import { turnNames } from "./codex/names.ts";
import { nodeUnzstd, type Unzstd, withUnpacked } from "./codex/unpacked.ts";
import { cursorAt } from "./fingerprint.ts";
import { jsonlSource, type Pass, type Reading, type RecordFormat, readJsonl } from "./jsonl/source.ts";
import { isFull, newTalk, say, timeOf, wordsOf } from "./jsonl/talk.ts";
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

function begin({ file, before }: Pass): Reading {
  const [talk, names] = [newTalk(), turnNames()];
  const facts: Facts = factsIn(before);
  const hear = (heard: Heard, record: Json, spot: { line: number; offset: number }) => {
    const at = timeOf(record.timestamp);
    const { cwd, headless } = facts;
    const isSaid = say(talk, {
      spot,
      speaker: heard.speaker,
      text: heard.text,
      at,
      record: heard.id,
      cwd,
      headless,
      mark: heard.layer,
    });
    if (isSaid) names.heard(heard, spot.offset);
  };
  return {
    skips: (line) => {
      const [, type = "", event] = RECORD_TYPE.exec(line.toString("latin1", 0, HEAD_BYTES)) ?? [];
      if (type === "" || line.indexOf(START, 1) >= 0) return false;
      if (type === "event_msg" && event !== undefined) return !EVENTS.has(event);
      return (
        !TYPES.has(type) ||
        (type === "session_meta" && facts.session !== null) ||
        (type === "response_item" && facts.hasItems)
      );
    },
    take(record, spot) {
      learn(facts, record);
      const { type, payload } = record;
      if (type === "event_msg" && isRecord(payload)) {
        if (payload.type === "thread_rolled_back")
          talk.said.splice(0, Number.POSITIVE_INFINITY, ...afterRollback(talk.said, payload.num_turns));
        for (const heard of hearEvent(payload)) hear(heard, record, spot);
      } else {
        const item = type === "response_item" ? payload : record;
        if (isRecord(item)) for (const heard of hearItem(item)) hear(heard, record, spot);
      }
    },
    isFull: () => isFull(talk),
    finish() {
      if (facts.isSubagent) return { words: [], drop: "subagent" };
      const words = wordsOf(oneLayer(talk.said, facts), { client: CLIENT, file, session: facts.session });
      return { words, drop: words.length > 0 ? null : "no-user-words", aliases: names.all() };
    },
  };
}
