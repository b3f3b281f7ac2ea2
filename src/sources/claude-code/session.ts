/** Gathers the words of one transcript, record by record, and sorts them out when all are there. */
import { type SessionWords, type Speaker, UTTERANCE_CHARS, type Utterance } from "../../digest/utterance.ts";
import type { FileWrite, TranscriptFile } from "../../ports.ts";
import { cleanText } from "../words.ts";
import type { TreeLink } from "./bytes.ts";
import { ASSISTANT_CHARS, assistantText, messageId, TOOL_CHARS, type ToolLabels, toolLabels } from "./context.ts";
import { readQueued, readUser } from "./human.ts";
import { type NodeKind, type RecordTree, recordTree } from "./tree.ts";
import { writesIn } from "./writes.ts";

/**
 * Text, utterances and records held of one file, far more than a run can take; what lies beyond comes with the next reading. With
 * these a reading peaks below 200 MB whatever the file holds: two are in memory until the older one is collected.
 */
const MAX_CHARS = 6_000_000;
const MAX_UTTERANCES = 30_000;
const MAX_RECORDS = 1_000_000;
/** Far more Markdown files than one conversation writes. */
const MAX_WRITES = 2_000;

type Json = Record<string, unknown>;

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
  readonly writes: readonly FileWrite[];
}

/** What one pass gathers; opaque to callers. */
export interface Session {
  readonly tree: RecordTree;
  readonly tools: ToolLabels;
  readonly names: TurnNames;
  readonly said: Said[];
  readonly writes: FileWrite[];
  chars: number;
  /** The directory that the last record named. */
  cwd: string | null;
  /** Messages of the conversation itself, and of sub-agents inside it. */
  main: number;
  sidechain: number;
}

export function newSession(): Session {
  const [tree, tools, names] = [recordTree(), toolLabels(), turnNames()];
  return { tree, tools, names, said: [], writes: [], chars: 0, cwd: null, main: 0, sidechain: 0 };
}

export function isFull(session: Session): boolean {
  const { chars, said, tree } = session;
  return chars >= MAX_CHARS || said.length >= MAX_UTTERANCES || tree.size() >= MAX_RECORDS;
}

/** A record that was not parsed, for the tree only. */
export function linkRecord(session: Session, link: TreeLink, { line }: Spot): void {
  session.tree.add({ id: link.id, parent: link.parent, kind: "other", seq: line, session: "" });
}

export function takeRecord(session: Session, record: Json, spot: Spot): void {
  if (record.type === "assistant" && session.writes.length < MAX_WRITES) session.writes.push(...writesIn(record));
  if (record.isSidechain === true) {
    session.sidechain++;
    return;
  }
  if (typeof record.cwd === "string" && record.cwd !== "") session.cwd = record.cwd;
  if (record.type === "user" || record.type === "assistant") session.main++;
  if (record.type === "user") takeUser(session, record, spot);
  else if (record.type === "assistant") takeAssistant(session, record, spot);
  else takeOther(session, record, spot);
}

export function finishSession(session: Session, file: TranscriptFile): SessionResult {
  const live = withoutRepeats(session.said, session.tree.withdrawn());
  if (live.some((item) => item.speaker === "user"))
    return { words: byFolder(file, live), drop: null, aliases: session.names.all(), writes: session.writes };
  const drop = session.main === 0 && session.sidechain > 0 ? "subagent" : "no-user-words";
  return { words: [], drop, aliases: new Map(), writes: session.writes };
}

function takeUser(session: Session, record: Json, spot: Spot): void {
  const user = readUser(record);
  const isTurn = user.kind === "human" || user.kind === "command";
  const { node, again } = place(session, record, { kind: isTurn ? "turn" : "message", seq: spot.line });
  if (user.kind === "human") {
    const words = { speaker: "user", text: user.text, max: UTTERANCE_CHARS, node } as const;
    if (say(session, { record, spot, ...words })) session.names.turn(record, spot.offset);
  } else if (user.kind === "tool" && !again) {
    for (const text of session.tools.results(record))
      say(session, { record, spot, speaker: "tool", text, max: TOOL_CHARS, node });
  }
}

function takeAssistant(session: Session, record: Json, spot: Spot): void {
  const { node, again } = place(session, record, { kind: "message", seq: spot.line });
  session.names.answer(record);
  if (again) return;
  session.tools.note(record);
  say(session, { record, spot, speaker: "assistant", text: assistantText(record), max: ASSISTANT_CHARS, node });
}

function takeOther(session: Session, record: Json, spot: Spot): void {
  const text = record.type === "attachment" ? readQueued(record) : null;
  const { node } = place(session, record, { kind: text === null ? "other" : "turn", seq: spot.line });
  if (text !== null) say(session, { record, spot, speaker: "user", text, max: UTTERANCE_CHARS, node, queued: true });
}

/** Node -1 for a record outside of any tree: one that does not even say that it has no parent proves nothing. */
function place(session: Session, record: Json, { kind, seq }: { kind: NodeKind; seq: number }): Placed {
  const parent = parentOf(record);
  if (typeof record.uuid !== "string" || parent === undefined) return NOWHERE;
  const name = typeof record.sessionId === "string" ? record.sessionId : "";
  return session.tree.add({ id: record.uuid, parent, kind, seq, session: name });
}

interface Placed {
  readonly node: number;
  readonly again: boolean;
}

const NOWHERE: Placed = { node: -1, again: false };

interface Saying {
  readonly record: Json;
  readonly spot: Spot;
  readonly speaker: Speaker;
  readonly text: string;
  readonly max: number;
  readonly node: number;
  readonly queued?: boolean;
}

/** False when nothing is left of the text. */
function say(session: Session, { record, spot, speaker, text, max, node, queued = false }: Saying): boolean {
  const clean = cleanText(text, max);
  if (clean === "") return false;
  session.said.push({
    speaker,
    trust: speaker === "user" && isHeadless(record) ? "headless" : speaker,
    text: clean,
    at: timeOf(record),
    line: spot.line,
    offset: spot.offset,
    record: typeof record.uuid === "string" ? record.uuid : null,
    cwd: session.cwd,
    node,
    queued,
  });
  session.chars += clean.length;
  return true;
}

/** Undefined when the record says nothing about a parent. */
function parentOf(record: Json): string | null | undefined {
  if (typeof record.parentUuid === "string") return record.parentUuid;
  // A compaction starts a new chain and names the record that it continues.
  if (typeof record.logicalParentUuid === "string") return record.logicalParentUuid;
  return record.parentUuid === null ? null : undefined;
}

function timeOf(record: Json): number | null {
  const at = typeof record.timestamp === "string" ? Date.parse(record.timestamp) : Number.NaN;
  return Number.isFinite(at) ? at : null;
}

/** The entrypoint decides where there is one; older print-mode records only say where the prompt came from. */
function isHeadless(record: Json): boolean {
  if (typeof record.entrypoint === "string") return record.entrypoint.startsWith("sdk-");
  return record.promptSource === "sdk";
}

interface TurnNames {
  turn(record: Json, offset: number): void;
  answer(record: Json): void;
  all(): ReadonlyMap<number, readonly string[]>;
}

/**
 * Version 1 copied the whole history on resume, with new ids and new times. What survives is a turn's text and the model's
 * ids of the messages around it. Later versions append, and their record ids are names enough.
 */
function turnNames(): TurnNames {
  const names = new Map<number, string[]>();
  let last: string | null = null;
  let open: number[] = [];
  const add = (offset: number, name: string) => names.set(offset, [...(names.get(offset) ?? []), name]);
  return {
    turn(record: Json, offset: number) {
      if (typeof record.version !== "string" || !record.version.startsWith("1.")) return;
      if (last !== null) add(offset, `after:${last}`);
      open.push(offset);
    },
    answer(record: Json) {
      last = messageId(record) ?? last;
      if (last !== null) for (const offset of open) add(offset, `before:${last}`);
      open = [];
    },
    all: () => names,
  };
}

/** Drops withdrawn words, records that the file repeats, and queued messages that also stand as a turn of their own. */
function withoutRepeats(said: readonly Said[], withdrawn: (node: number) => boolean): Said[] {
  const hasQueued = said.some((item) => item.queued);
  const turns = new Set(
    hasQueued ? said.filter((item) => item.speaker === "user" && !item.queued).map((item) => item.text) : [],
  );
  const first = new Map<string, string>();
  const others = new Set<string>();
  return said.filter((item) => {
    if (item.node >= 0 && withdrawn(item.node)) return false;
    if (item.queued && turns.has(item.text)) return false;
    if (item.speaker !== "user" || item.record === null) return true;
    // Nearly every id comes once: its text is kept as it is, and neither joined to it nor hashed.
    const text = first.get(item.record);
    if (text === undefined) first.set(item.record, item.text);
    if (text === undefined || text === item.text) return text === undefined;
    const name = `${item.record}\n${item.text}`;
    const isNew = !others.has(name);
    others.add(name);
    return isNew;
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
      utterances: items.map(plainUtterance),
    }));
}

/** Named one by one: the rest of an object without some of its keys is made ten times as slowly. */
function plainUtterance({ speaker, trust, text, at, line, offset, record }: Said): Utterance {
  return { speaker, trust, text, at, line, offset, record };
}

export const CLIENT = "claude-code";
