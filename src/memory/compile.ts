/**
 * From a tree and accepted operations to the files of a run. Pure, and the same step by step as judging, so that it can run again over a
 * memory that moved on meanwhile: an operation that then finds no place is left with a notice, never forced.
 */
import { applyOperation, type Moment, type Step, type Stuck } from "./apply-operation.ts";
import type { Change, Changeset, EvidenceRecord, FileChange, Notice, Retired } from "./changeset.ts";
import { type IndexPlan, planIndex, type Superseded } from "./index-file.ts";
import type { MemoryTree, Topic } from "./model.ts";
import { INDEX, MORE_FILE } from "./names.ts";
import type { AcceptedOperation, Citation, Operation } from "./operation.ts";
import { topicOf } from "./topic.ts";

export interface CompileInput {
  readonly tree: MemoryTree;
  readonly accepted: readonly AcceptedOperation[];
  /** ISO time of the run. */
  readonly now: string;
  readonly run: string;
  /** Hashes of the index lines that memd wrote, as the last changeset returned them. */
  readonly ownLines: Iterable<string>;
  /** IANA name; UTC without it. */
  readonly timeZone?: string | undefined;
  /** Files that someone else is writing: operations on them are left for the next run. */
  readonly leave?: ReadonlySet<string> | undefined;
  /** What evidence.jsonl knows of an entry; goes along when it moves or merges. */
  readonly evidenceOf?: ((topic: string, key: string) => readonly Citation[]) | undefined;
}

interface Work {
  readonly tree: MemoryTree;
  readonly changes: readonly Change[];
  readonly retired: readonly Retired[];
  readonly evidence: readonly EvidenceRecord[];
  readonly superseded: readonly Superseded[];
  readonly notices: readonly Notice[];
}

const WHY_LEFT: Readonly<Record<Stuck | "busy", string>> = {
  gone: "the topic or entry is not there any more",
  full: "the topic has no room left",
  unsafe: "the file cannot be changed without harm",
  busy: "the file is being changed by someone else",
};

function filesOf(operation: Operation): string[] {
  if (operation.op === "ask" || operation.op === "draft-skill") return [];
  return operation.op === "move" ? [`${operation.topic}.md`, `${operation.to}.md`] : [`${operation.topic}.md`];
}

function left(work: Work, operation: Operation, why: Stuck | "busy"): Work {
  const notice: Notice = {
    code: "operation-left",
    message: `${operation.op} on ${filesOf(operation).join(", ")} was not applied: ${WHY_LEFT[why]}`,
    hint: "Nothing to do: the words are still in the transcripts, and memd looks again when they are read again.",
  };
  return { ...work, notices: [...work.notices, notice] };
}

function taken(work: Work, step: Step): Work {
  return {
    tree: step.tree,
    changes: step.change ? [...work.changes, step.change] : work.changes,
    retired: [...work.retired, ...step.retired],
    evidence: [...work.evidence, ...step.evidence],
    superseded: [...work.superseded, ...step.superseded],
    notices: work.notices,
  };
}

function begin({ tree }: CompileInput): Work {
  return { tree, changes: [], retired: [], evidence: [], superseded: [], notices: [] };
}

function applyOne(work: Work, one: AcceptedOperation, { leave, ...input }: CompileInput): Work {
  if (filesOf(one.operation).some((file) => leave?.has(file))) return left(work, one.operation, "busy");
  const { now, run, timeZone = "UTC", evidenceOf = () => [] } = input;
  const moment: Moment = { now, run, timeZone, evidenceOf };
  const step = applyOperation(work.tree, one, moment);
  return typeof step === "string" ? left(work, one.operation, step) : taken(work, step);
}

/** A topic whose last entry left goes, its remaining text to the archive; one that was made and got none is not made. */
function withoutEmptied(work: Work, before: MemoryTree): Work {
  const had = new Map(before.topics.map((topic) => [topic.file, topic]));
  const isEmptied = (topic: Topic) => {
    const old = had.get(topic.file);
    return topic.entries.length === 0 && (!old || (old.entries.length > 0 && old.text !== topic.text));
  };
  const emptied = work.tree.topics.filter(isEmptied);
  const gone = emptied.filter(({ file }) => had.has(file));
  const unmade = new Set(emptied.filter(({ file }) => !had.has(file)).map(({ slug }) => slug));
  return {
    ...work,
    tree: { ...work.tree, topics: work.tree.topics.filter((topic) => !emptied.includes(topic)) },
    changes: work.changes.filter(({ topic }) => !unmade.has(topic)),
    retired: [...work.retired, ...gone.map(({ slug, text }) => ({ topic: slug, text, reason: "empty topic" }))],
  };
}

function change(file: string, before: string | null, after: string | null): FileChange[] {
  return before === after ? [] : [{ file, before, after }];
}

function topicChanges(before: MemoryTree, after: MemoryTree): FileChange[] {
  const old = new Map(before.topics.map(({ file, text }) => [file, text]));
  const fresh = new Map(after.topics.map(({ file, text }) => [file, text]));
  const names = Array.from(new Set([...old.keys(), ...fresh.keys()])).sort();
  return names.flatMap((file) => change(file, old.get(file) ?? null, fresh.get(file) ?? null));
}

function withMore(tree: MemoryTree, plan: IndexPlan): MemoryTree {
  const topics = tree.topics.filter(({ file }) => file !== MORE_FILE);
  return { ...tree, topics: plan.more === null ? topics : [...topics, topicOf(MORE_FILE, plan.more)] };
}

const INDEX_CHANGE: Change = {
  operation: "index",
  topic: "MEMORY",
  before: null,
  after: null,
  reason: "follows the topics",
  citations: [],
};

/**
 * Compiles accepted operations into a changeset. Without a change, `files` is empty.
 * @throws nothing of its own: what cannot be placed becomes a notice `operation-left`
 */
export function compile(input: CompileInput): Changeset {
  return changesetOf(
    input.accepted.reduce((work, one) => applyOne(work, one, input), begin(input)),
    input,
  );
}

/** The same, with a breath between two operations. */
export async function compileWithBreath(
  input: CompileInput,
  breath: () => Promise<void> | undefined,
): Promise<Changeset> {
  let work = begin(input);
  for (const one of input.accepted) {
    work = applyOne(work, one, input);
    await breath();
  }
  return changesetOf(work, input);
}

function changesetOf(all: Work, input: CompileInput): Changeset {
  const { tree, leave } = input;
  const work = withoutEmptied(all, tree);
  const own = new Set(input.ownLines);
  const busy = leave?.has(INDEX) === true || leave?.has(MORE_FILE) === true;
  const plan = busy ? null : planIndex(work.tree, { own, superseded: work.superseded });
  const topics = topicChanges(tree, plan ? withMore(work.tree, plan) : work.tree);
  const index = plan ? change(INDEX, tree.index, plan.text) : [];
  return {
    files: [...topics, ...index],
    changes: index.length > 0 ? [...work.changes, INDEX_CHANGE] : work.changes,
    retired: [
      ...work.retired,
      ...(plan?.archived ?? []).map(({ line, reason }) => ({ topic: "MEMORY", text: line, reason })),
    ],
    evidence: work.evidence,
    ownLines: plan ? plan.ownLines : Array.from(own),
    conditions: [...work.notices, ...(plan?.notices ?? [])],
  };
}
