/**
 * Forgetting, by a person's word: out of memory as one transaction, then out of every record of the past. Not undoable, and complete only
 * when nothing is found any more; cut short, it is finished by asking for it again.
 */
import { basename, dirname, join } from "node:path";
import { forgetInStoreFiles } from "../ledger/forget-files.ts";
import { forgetInLastRun } from "../ledger/last-run.ts";
import type { FileChange } from "../memory/changeset.ts";
import { forgetInIndex } from "../memory/forget.ts";
import { type IndexPlan, planIndex } from "../memory/index-file.ts";
import type { MemoryTree } from "../memory/model.ts";
import { INDEX, MORE_FILE } from "../memory/names.ts";
import { topicOf } from "../memory/topic.ts";
import { dropPublishRecord, loadPublishRecord, publishRuns } from "../publish/book.ts";
import { forgetBeside, forgetInFile, forgetInUndo } from "../store/forget.ts";
import { readOwnLines } from "../store/own-lines.ts";
import type { MemorySnapshot } from "../store/read.ts";
import { type Plan, transact } from "../store/transaction.ts";
import { forgetInAnswers } from "./answers.ts";
import { byHand, type FileFates, type Hand, NO_FILES, recordByHand } from "./by-hand.ts";
import { filesOf } from "./files-of.ts";
import { ledgerPath } from "./ledger.ts";
import { refreshAfterHand, stillPublished } from "./published.ts";
import { remainsOf } from "./remains.ts";
import { removeFolder } from "./remove-folder.ts";
import { type Sightings, sightingsOf } from "./sightings.ts";
import { dropUndoRecord, loadUndoRecord, saveUndoRecord, undoableRuns } from "./undo-records.ts";
import type { DreamWorld } from "./world.ts";

export interface ForgetConflict {
  readonly file: string;
  /** `still-there`: memd may not or cannot change the file. `in-use`: another program keeps the database's old bytes. `changed-meanwhile`. */
  readonly reason: "still-there" | "in-use" | "changed-meanwhile";
  readonly entries: readonly string[];
}

export interface ForgetDone {
  readonly run: string;
  readonly files: FileFates;
  /** Statements that are gone: entries of memory, and those that only records held. */
  readonly entries: number;
  readonly conflicts: readonly ForgetConflict[];
}

/** What the words mean in one store, for a person to look at; null when it keeps nothing of it. */
export async function lookFor(world: DreamWorld, words: string): Promise<Sightings | null> {
  const found = sightingsOf(world, await world.ledger(), words);
  return found.shown.length > 0 ? found : null;
}

/**
 * Forgets in one store; a value for the held lock, as a dream has one.
 * @param agreed what the person saw and said yes to: what has come since is not meant
 */
export async function forgetWords(
  world: DreamWorld,
  words: string,
  agreed: Sightings,
): Promise<ForgetDone | { readonly held: string }> {
  return byHand(world, async (hand) => {
    // Looked up again under the lease: a run may have moved things since they were listed.
    const found = sightingsOf(world, await world.ledger(), words, agreed.unwanted.keys);
    world.tombstones.add(found.statements, { at: hand.at, cause: "forget" });
    const { files, left } = forgetInMemory(world, hand, found);
    const erased = await forgetInRecords(world, found);
    await refreshAfterHand(world);
    await recordByHand(world, hand, { cause: "forget", files, changes: [] });
    const conflicts: ForgetConflict[] = [
      ...left.map((file) => ({ file, reason: "changed-meanwhile" as const, entries: [] })),
      ...(erased ? [] : [{ file: ledgerPath(stateRoot(world)), reason: "in-use" as const, entries: [] }]),
      ...[...remainsOf(world, found), ...stillPublished(world, found.unwanted.mentions)].map((file) => ({
        file,
        reason: "still-there" as const,
        entries: [],
      })),
    ];
    return { run: hand.id, files, entries: found.shown.length, conflicts };
  });
}

function forgetInMemory(
  world: DreamWorld,
  hand: Hand,
  found: Sightings,
): { files: FileFates; left: readonly string[] } {
  const { place, files } = world;
  const planOn = (snapshot: MemorySnapshot, leave: ReadonlySet<string>) =>
    planForget(world, snapshot, { found, leave });
  const done = transact({
    place: { ...place, files },
    kind: "apply",
    run: { id: hand.id, at: hand.at },
    snapshot: hand.snapshot,
    plan: planOn(hand.snapshot, new Set()),
    replan: planOn,
    mayWrite: hand.mayWrite,
  });
  return { files: done.undo ? filesOf(done.undo.files) : NO_FILES, left: done.left };
}

/** Nothing of it goes to archive, evidence or undo: the journal alone holds it for a moment, and is forgotten with the rest. */
function planForget(
  world: DreamWorld,
  { tree }: MemorySnapshot,
  ask: { found: Sightings; leave: ReadonlySet<string> },
): Plan {
  const { unwanted } = ask.found;
  const own = new Set(readOwnLines(world.files, world.store.memory));
  const cuts = new Map(
    tree.topics
      .filter(({ file }) => file !== MORE_FILE && !ask.leave.has(file))
      .map(({ file, text }) => [file, forgetInFile(file, text, unwanted)]),
  );
  const gone = new Set([...cuts].filter(([, text]) => text === null).map(([file]) => file));
  const pointers = (text: string) => forgetInIndex(text, unwanted, { gone, own });
  const after = treeAfter(tree, cuts, pointers);
  const isTouched = changesBetween(tree, after).length > 0;
  const busy = ask.leave.has(INDEX) || ask.leave.has(MORE_FILE);
  const plan = isTouched && !busy ? planIndex(after, { own }) : null;
  const indexed = plan === null ? { ...after, index: tree.index } : withPointers(after, plan);
  // Others' lines that led nowhere before leave with the index, as in a dream; what is to be forgotten does not go to the archive.
  const retired = (plan?.archived ?? []).filter(({ line }) => !unwanted.mentions(line));
  return {
    files: changesBetween(tree, indexed).map((change) => ({ ...change, mtime: null })),
    changes: [],
    retired: retired.map(({ line, reason }) => ({ topic: "MEMORY", text: line, reason })),
    evidenceAdded: [],
    evidenceRemoved: [],
    ownLines: plan?.ownLines ?? [...own],
  };
}

/** The memory with its topics cut, and the two files that hold pointers cut line by line. */
function treeAfter(
  tree: MemoryTree,
  cuts: ReadonlyMap<string, string | null>,
  pointers: (text: string) => string,
): MemoryTree {
  const topics = tree.topics.flatMap((topic) => {
    const text = topic.file === MORE_FILE ? pointers(topic.text) : cuts.get(topic.file);
    if (text === undefined || text === topic.text) return [topic];
    return text === null ? [] : [topicOf(topic.file, text)];
  });
  return { ...tree, topics, index: tree.index === null ? null : pointers(tree.index) };
}

function withPointers(tree: MemoryTree, plan: IndexPlan): MemoryTree {
  const topics = tree.topics.filter(({ file }) => file !== MORE_FILE);
  return {
    ...tree,
    index: plan.text,
    topics: plan.more === null ? topics : [...topics, topicOf(MORE_FILE, plan.more)],
  };
}

function changesBetween(before: MemoryTree, after: MemoryTree): FileChange[] {
  const texts = ({ topics, index }: MemoryTree) =>
    new Map<string, string | null>([...topics.map(({ file, text }) => [file, text] as const), [INDEX, index]]);
  const [old, fresh] = [texts(before), texts(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((file) => {
    const change = { file, before: old.get(file) ?? null, after: fresh.get(file) ?? null };
    return change.before === change.after ? [] : [change];
  });
}

const stateRoot = (world: DreamWorld) => dirname(world.briefs);

/** @returns false when another program keeps old bytes of the database */
async function forgetInRecords(world: DreamWorld, { needles, unwanted }: Sightings): Promise<boolean> {
  const { files, store, place } = world;
  // First what no later look would find by the words; last what leads to the rest, so that a second try finds all again.
  forgetInBriefs(world, unwanted.mentions);
  dropDamagedLedgers(world);
  forgetInLastRun(files, store.state, needles);
  world.state.save(forgetInStoreFiles(files, store.state, unwanted));
  forgetInAnswers(files, store.state, unwanted.mentions);
  for (const run of undoableRuns(files, store.state)) {
    const record = loadUndoRecord(files, store.state, run);
    const left = record && forgetInUndo(record, unwanted);
    if (left === null) dropUndoRecord(files, store.state, run);
    else if (JSON.stringify(left) !== JSON.stringify(record)) saveUndoRecord(files, store.state, left);
  }
  for (const run of publishRuns(files, store.state)) {
    const texts = loadPublishRecord(files, store.state, run)?.files.flatMap(({ before, after }) => [before, after]);
    if (texts?.some((text) => text !== null && unwanted.mentions(text)) !== false)
      dropPublishRecord(files, store.state, run);
  }
  forgetBeside({ ...place, files }, unwanted);
  return (await world.ledger()).forget(needles).erased;
}

/** A kept brief holds the memory and the words of many sessions: it goes as a whole. */
function forgetInBriefs({ files, briefs }: DreamWorld, mentions: (text: string) => boolean): void {
  if (files.lstat(briefs)?.kind !== "dir") return;
  for (const { name } of files.list(briefs))
    if (anyFile(join(briefs, name), mentions)) removeFolder(files, join(briefs, name));
  function anyFile(path: string, tells: (text: string) => boolean): boolean {
    const kind = files.lstat(path)?.kind;
    if (kind === "dir") return files.list(path).some((entry) => anyFile(join(path, entry.name), tells));
    return kind === "file" && tells(files.read(path).toString("utf8"));
  }
}

/** A damaged database that was moved aside cannot be searched; nothing but history that is lost anyway goes with it. */
function dropDamagedLedgers(world: DreamWorld): void {
  const folder = stateRoot(world);
  const name = `${basename(ledgerPath(folder))}.damaged-`;
  for (const entry of world.files.list(folder))
    if (entry.name.startsWith(name)) world.files.unlink(join(folder, entry.name));
}
