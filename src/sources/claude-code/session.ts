/** Gathers the words of one transcript, record by record, and sorts them out when all are there. */
import { type SessionWords, type Speaker, UTTERANCE_CHARS, type Utterance } from "../../digest/utterance.ts";
import type { TranscriptFile } from "../../ports.ts";
import { cleanText } from "../words.ts";
import { ASSISTANT_CHARS, assistantText, messageId, TOOL_CHARS, toolLabels } from "./context.ts";
import { readQueued, readUser } from "./human.ts";
import { type NodeKind, recordTree } from "./tree.ts";

/** Text and number of utterances held of one file. What lies beyond stays unread and comes with the next run. */
const MAX_CHARS = 48_000_000;
const MAX_UTTERANCES = 150_000;

/** Where a record stands in its file. */
export interface Spot {
  readonly line: number;
  readonly offset: number;
}

interface Said extends Utterance {
  readonly cwd: string | null;
  /** Place in the record tree, -1 without one. */
  readonly node: number;
  readonly queued: boolean;
}

export interface SessionResult {
  readonly words: readonly SessionWords[];
  readonly drop: string | null;
  /** By byte offset: further names of a turn, which a copy with new record ids still has. */
  readonly aliases: ReadonlyMap<number, readonly string[]>;
}

export interface SessionReader {
  take(record: Record<string, unknown>, spot: Spot): void;
  /** A record that was not parsed, for the tree only. */
  link(id: string, parent: string | null, spot: Spot): void;
  isFull(): boolean;
  finish(file: TranscriptFile): SessionResult;
}

export function sessionReader(): SessionReader {
  const tree = recordTree();
  const tools = toolLabels();
  const names = turnNames();
  const said: Said[] = [];
  let chars = 0;
  let cwd: string | null = null;
  let main = 0;
  let sidechain = 0;

  const say = (
    record: Record<string, unknown>,
    item: { speaker: Speaker; text: string; max: number; node: number; queued?: boolean },
    spot: Spot,
  ) => {
    const text = cleanText(item.text, item.max);
    if (text === "") return false;
    const id = typeof record.uuid === "string" ? record.uuid : null;
    const trust = item.speaker === "user" && isHeadless(record) ? "headless" : item.speaker;
    said.push({
      speaker: item.speaker,
      trust,
      text,
      at: timeOf(record),
      ...spot,
      record: id,
      cwd,
      node: item.node,
      queued: item.queued === true,
    });
    chars += text.length;
    return true;
  };
  const place = (record: Record<string, unknown>, kind: NodeKind, spot: Spot) => {
    if (typeof record.uuid !== "string") return { node: -1, again: false };
    const session = typeof record.sessionId === "string" ? record.sessionId : "";
    return tree.add({ id: record.uuid, parent: parentOf(record), kind, seq: spot.line, session });
  };
  const takeUser = (record: Record<string, unknown>, spot: Spot) => {
    const user = readUser(record);
    const { node, again } = place(record, user.kind === "human" || user.kind === "command" ? "turn" : "message", spot);
    if (user.kind === "human") {
      const isNew = say(record, { speaker: "user", text: user.text, max: UTTERANCE_CHARS, node }, spot);
      if (isNew) names.turn(record, spot.offset);
    } else if (user.kind === "tool" && !again) {
      for (const text of tools.results(record)) say(record, { speaker: "tool", text, max: TOOL_CHARS, node }, spot);
    }
  };
  const takeAssistant = (record: Record<string, unknown>, spot: Spot) => {
    const { node, again } = place(record, "message", spot);
    names.answer(record);
    if (again) return;
    tools.note(record);
    say(record, { speaker: "assistant", text: assistantText(record), max: ASSISTANT_CHARS, node }, spot);
  };
  const takeOther = (record: Record<string, unknown>, spot: Spot) => {
    const text = record.type === "attachment" ? readQueued(record) : null;
    const { node } = place(record, text === null ? "other" : "turn", spot);
    if (text !== null) say(record, { speaker: "user", text, max: UTTERANCE_CHARS, node, queued: true }, spot);
  };
  return {
    take(record, spot) {
      if (record.isSidechain === true) {
        sidechain++;
        return;
      }
      if (typeof record.cwd === "string" && record.cwd !== "") cwd = record.cwd;
      if (record.type === "user" || record.type === "assistant") main++;
      if (record.type === "user") takeUser(record, spot);
      else if (record.type === "assistant") takeAssistant(record, spot);
      else takeOther(record, spot);
    },
    link: (id, parent, spot) => {
      tree.add({ id, parent, kind: "other", seq: spot.line });
    },
    isFull: () => chars >= MAX_CHARS || said.length >= MAX_UTTERANCES,
    finish(file) {
      const live = withoutRepeats(said, tree.withdrawn());
      if (live.some((item) => item.speaker === "user"))
        return { words: byFolder(file, live), drop: null, aliases: names.all() };
      return { words: [], drop: main === 0 && sidechain > 0 ? "subagent" : "no-user-words", aliases: new Map() };
    },
  };
}

function parentOf(record: Record<string, unknown>): string | null {
  if (typeof record.parentUuid === "string") return record.parentUuid;
  // A compaction starts a new chain and names the record that it continues.
  return typeof record.logicalParentUuid === "string" ? record.logicalParentUuid : null;
}

function timeOf(record: Record<string, unknown>): number | null {
  const at = typeof record.timestamp === "string" ? Date.parse(record.timestamp) : Number.NaN;
  return Number.isFinite(at) ? at : null;
}

/** The entrypoint decides where there is one; older print-mode records only say where the prompt came from. */
function isHeadless(record: Record<string, unknown>): boolean {
  if (typeof record.entrypoint === "string") return record.entrypoint.startsWith("sdk-");
  return record.promptSource === "sdk";
}

/**
 * Version 1 copied the whole history on resume, with new ids and new times. What survives is a turn's text and the model's
 * ids of the messages around it. Later versions append, and their record ids are names enough.
 */
function turnNames() {
  const names = new Map<number, string[]>();
  let last: string | null = null;
  let open: number[] = [];
  const add = (offset: number, name: string) => names.set(offset, [...(names.get(offset) ?? []), name]);
  return {
    turn(record: Record<string, unknown>, offset: number) {
      if (typeof record.version !== "string" || !record.version.startsWith("1.")) return;
      if (last !== null) add(offset, `after:${last}`);
      open.push(offset);
    },
    answer(record: Record<string, unknown>) {
      last = messageId(record) ?? last;
      if (last !== null) for (const offset of open) add(offset, `before:${last}`);
      open = [];
    },
    all: (): ReadonlyMap<number, readonly string[]> => names,
  };
}

/** Drops withdrawn words, records that the file repeats, and queued messages that also stand as a turn of their own. */
function withoutRepeats(said: readonly Said[], withdrawn: (node: number) => boolean): Said[] {
  const turns = new Set(said.filter((item) => item.speaker === "user" && !item.queued).map((item) => item.text));
  const seen = new Set<string>();
  return said.filter((item) => {
    if (item.node >= 0 && withdrawn(item.node)) return false;
    if (item.queued && turns.has(item.text)) return false;
    if (item.speaker !== "user" || item.record === null) return true;
    const name = `${item.record}\n${item.text}`;
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

/** One item per working directory, in the order of their first words. Records without one follow the one before. */
function byFolder(file: TranscriptFile, said: readonly Said[]): SessionWords[] {
  const first = said.find((item) => item.cwd !== null)?.cwd ?? null;
  const groups = new Map<string | null, Said[]>();
  for (const item of said) {
    const group = groups.get(item.cwd ?? first);
    if (group) group.push(item);
    else groups.set(item.cwd ?? first, [item]);
  }
  return [...groups]
    .filter(([, items]) => items.some((item) => item.speaker === "user"))
    .map(([cwd, items]) => ({
      session: file.session,
      client: CLIENT,
      file: file.path,
      cwd,
      headless: items.every((item) => item.speaker !== "user" || item.trust === "headless"),
      utterances: items.map(({ cwd: _cwd, node: _node, queued: _queued, ...utterance }) => utterance),
    }));
}

export const CLIENT = "claude-code";
