/** One accepted operation on a tree: the step that judge and compile share, so that what was judged is what is written. */
import type { Change, EvidenceRecord, Retired } from "./changeset.ts";
import { renderEntry } from "./entry.ts";
import type { Superseded } from "./index-file.ts";
import { BUDGET, type Entry, type MemoryTree, type Topic } from "./model.ts";
import { entriesNamed } from "./named-entries.ts";
import type { AcceptedOperation, Citation, Operation } from "./operation.ts";
import { statementKey } from "./statement.ts";
import { editTopic, newTopic, sizeOf, type TopicEdit, topicOf } from "./topic.ts";

export interface Moment {
  /** ISO time of the run. */
  readonly now: string;
  readonly run: string;
  /** IANA name: a day is the user's day, not that of UTC. */
  readonly timeZone: string;
  /** What evidence.jsonl knows of an entry: it goes along when the entry moves or merges. */
  readonly evidenceOf: (topic: string, key: string) => readonly Citation[];
}

export interface Step {
  readonly tree: MemoryTree;
  readonly change: Change | null;
  readonly retired: readonly Retired[];
  readonly evidence: readonly EvidenceRecord[];
  readonly superseded: readonly Superseded[];
}

/** `gone`: the topic or entry is not there (any more); `full`: over a budget; `unsafe`: would not read back as written. */
export type Stuck = "gone" | "full" | "unsafe";

/** The day of an ISO time as `2026-11-24` in a time zone. */
function dayIn(time: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return format.format(new Date(time));
}

/** The day on which the cited words were said: that is how old a memory is, whenever the run was. A day to come is a broken clock's. */
function dayOfWords(citations: readonly Citation[], moment: Moment): string {
  const times = citations.flatMap(({ at }) => (at === null || at > moment.now ? [] : [at])).sort();
  return dayIn(times.at(-1) ?? moment.now, moment.timeZone);
}

function withTopic(tree: MemoryTree, topic: Topic): MemoryTree {
  const others = tree.topics.filter(({ file }) => file !== topic.file);
  return { ...tree, topics: [...others, topic].sort((a, b) => (a.file < b.file ? -1 : 1)) };
}

function isOver(text: string, before: string): boolean {
  const size = sizeOf(text);
  const grew = size.bytes > sizeOf(before).bytes;
  return grew && (size.bytes > BUDGET.topicBytes || size.lines > BUDGET.topicLines);
}

/** The topic with edits applied, or why not. A topic that was over its budget before may still shrink. */
function edited(topic: Topic, edits: readonly TopicEdit[], moment: Moment): Topic | Stuck {
  const text = editTopic(topic, edits, { now: moment.now });
  if (text === null) return "unsafe";
  if (isOver(text, topic.text)) return "full";
  const read = topicOf(topic.file, text);
  return { ...read, type: read.type ?? topic.type, modified: read.modified ?? moment.now };
}

interface Scene {
  readonly accepted: AcceptedOperation;
  readonly tree: MemoryTree;
  readonly topic: Topic;
  readonly entries: readonly Entry[];
  readonly moment: Moment;
}

type Writes = Extract<Operation, { readonly op: "add" | "revise" | "merge" }>;

function recordOf(operation: Writes, { accepted, topic, entries, moment }: Scene): EvidenceRecord {
  const prior =
    operation.op === "merge" ? entries.flatMap((e) => moment.evidenceOf(topic.slug, statementKey(e.statement))) : [];
  return {
    run: moment.run,
    operation: operation.op,
    topic: topic.slug,
    key: statementKey(operation.text),
    statement: operation.text,
    at: moment.now,
    citations: [...accepted.citations, ...prior],
  };
}

const earliest = (days: readonly (string | null)[]) => days.filter((day) => day !== null).sort()[0] ?? null;

function blockOf(operation: Writes, { accepted, entries, moment }: Scene): string {
  const day = dayOfWords(accepted.citations, moment);
  const last =
    entries
      .map(({ updated, created }) => updated ?? created ?? "")
      .sort()
      .at(-1) ?? "";
  return renderEntry({
    statement: operation.text,
    why: operation.why,
    how: operation.how,
    created: earliest(entries.map(({ created }) => created)) ?? day,
    updated: accepted.citations.length > 0 || last === "" ? day : last,
    unconfirmed: operation.op === "add" && operation.unconfirmed === true,
  });
}

function editsFor(operation: Writes, block: string, entries: readonly Entry[]): TopicEdit[] {
  const [first, ...rest] = entries;
  if (operation.op === "add" || !first) return [{ edit: "append", entry: block }];
  return [
    { edit: "replace", id: first.id, entry: block },
    ...rest.map(({ id }): TopicEdit => ({ edit: "remove", id })),
  ];
}

const rawOf = (entries: readonly Entry[]) => (entries.length === 0 ? null : entries.map(({ raw }) => raw).join("\n"));

function write(operation: Writes, scene: Scene): Step | Stuck {
  const { topic, entries, tree, accepted, moment } = scene;
  if (operation.op !== "add" && entries.length === 0) return "gone";
  const block = blockOf(operation, scene);
  const after = edited(topic, editsFor(operation, block, entries), moment);
  if (typeof after === "string") return after;
  const reason = { add: "said", revise: "superseded", merge: "merged" }[operation.op];
  return {
    tree: withTopic(tree, after),
    change: {
      operation: operation.op,
      topic: topic.slug,
      before: rawOf(entries),
      after: block,
      reason,
      citations: accepted.citations,
    },
    retired: entries.map(({ raw }) => ({ topic: topic.slug, text: raw, reason })),
    evidence: [recordOf(operation, scene)],
    superseded: entries.map(({ statement }) => ({ file: topic.file, before: statement, after: operation.text })),
  };
}

function retire(operation: Extract<Operation, { op: "retire" }>, scene: Scene): Step | Stuck {
  const {
    topic,
    entries: [entry],
    tree,
    accepted,
    moment,
  } = scene;
  if (!entry) return "gone";
  const after = edited(topic, [{ edit: "remove", id: entry.id }], moment);
  if (typeof after === "string") return after;
  const { reason } = operation;
  return {
    tree: withTopic(tree, after),
    change: {
      operation: "retire",
      topic: topic.slug,
      before: entry.raw,
      after: null,
      reason,
      citations: accepted.citations,
    },
    retired: [{ topic: topic.slug, text: entry.raw, reason: `retired: ${reason}` }],
    evidence: [],
    superseded: [{ file: topic.file, before: entry.statement, after: null }],
  };
}

function move(operation: Extract<Operation, { op: "move" }>, scene: Scene): Step | Stuck {
  const {
    topic,
    entries: [entry],
    tree,
    moment,
  } = scene;
  const to = tree.topics.find(({ slug }) => slug === operation.to);
  if (!entry || !to) return "gone";
  const left = edited(topic, [{ edit: "remove", id: entry.id }], moment);
  const joined = edited(to, [{ edit: "append", entry: entry.raw.replaceAll("\r\n", "\n") }], moment);
  if (typeof left === "string") return left;
  if (typeof joined === "string") return joined;
  const key = statementKey(entry.statement);
  const citations = moment.evidenceOf(topic.slug, key);
  const { reason } = operation;
  return {
    tree: withTopic(withTopic(tree, left), joined),
    change: { operation: "move", topic: to.slug, before: entry.raw, after: entry.raw, reason, citations },
    retired: [],
    evidence: [
      {
        run: moment.run,
        operation: "move",
        topic: to.slug,
        key,
        statement: entry.statement,
        at: moment.now,
        citations,
      },
    ],
    superseded: [],
  };
}

function describe(operation: Extract<Operation, { op: "describe-topic" }>, scene: Scene): Step | Stuck {
  const { topic, tree, moment } = scene;
  const after = edited(topic, [{ edit: "describe", description: operation.description }], moment);
  if (typeof after === "string") return after;
  const change: Change = {
    operation: "describe-topic",
    topic: topic.slug,
    before: topic.description,
    after: operation.description,
    reason: "described",
    citations: [],
  };
  return { tree: withTopic(tree, after), change, retired: [], evidence: [], superseded: [] };
}

function create(operation: Extract<Operation, { op: "create-topic" }>, tree: MemoryTree, moment: Moment): Step | Stuck {
  const { topic: slug, type, title, description } = operation;
  const file = `${slug}.md`;
  if (tree.topics.some((topic) => topic.file === file) || tree.others.includes(file)) return "unsafe";
  const topic = topicOf(file, newTopic({ slug, type, title, description, createdAt: moment.now }, []));
  const change: Change = {
    operation: "create-topic",
    topic: slug,
    before: null,
    after: null,
    reason: "created",
    citations: [],
  };
  return { tree: withTopic(tree, topic), change, retired: [], evidence: [], superseded: [] };
}

/** Applies one operation. Questions and skill drafts change no file: their step is the same tree without a change. */
export function applyOperation(tree: MemoryTree, accepted: AcceptedOperation, moment: Moment): Step | Stuck {
  const { operation } = accepted;
  if (operation.op === "ask" || operation.op === "draft-skill") {
    return { tree, change: null, retired: [], evidence: [], superseded: [] };
  }
  if (operation.op === "create-topic") return create(operation, tree, moment);
  const topic = tree.topics.find(({ slug }) => slug === operation.topic);
  if (!topic) return "gone";
  const scene: Scene = { accepted, tree, topic, entries: entriesNamed(operation, topic), moment };
  switch (operation.op) {
    case "retire":
      return retire(operation, scene);
    case "move":
      return move(operation, scene);
    case "describe-topic":
      return describe(operation, scene);
    default:
      return write(operation, scene);
  }
}
