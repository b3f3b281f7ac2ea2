/** Puts a block of the memory into agents' instruction files, and takes it out again: by a person's word, under the lease, undoable. */
import { basename, dirname, isAbsolute, join } from "node:path";
import type { FileChange } from "../memory/changeset.ts";
import { INDEX } from "../memory/names.ts";
import { blockText, type Edges, findBlock, insertBlock, removeBlock, replaceBlock } from "../publish/block.ts";
import {
  isOurs,
  loadPublished,
  type Published,
  type PublishedFile,
  savePublishRecord,
  withWritten,
} from "../publish/book.ts";
import type { Rendered } from "../publish/render.ts";
import { placeTarget, type Refused, readTarget, type TargetRead, type Write } from "../publish/target.ts";
import { treeLayoutOf } from "../store/layout.ts";
import { byHand, type Hand, recordByHand } from "./by-hand.ts";
import { filesOf } from "./files-of.ts";
import { damaged, edited, noteInBook, renderMemory, writeWhole } from "./published.ts";
import type { DreamWorld } from "./world.ts";

export interface PublishAsk {
  /** Files as typed; none: those that carry a block already. */
  readonly named: readonly string[];
  /** The folder in which memd was called. */
  readonly from: string;
  readonly create: boolean;
  readonly remove: boolean;
  /** A block that somebody edited is written over, or taken out. */
  readonly force: boolean;
}

export interface FileOutcome {
  /** Absolute; as typed where it has no place. */
  readonly file: string;
  readonly outcome: "created" | "updated" | "unchanged" | "removed" | "refused";
  /** Stable word for a refusal. */
  readonly reason: string | null;
  readonly message: string | null;
  readonly hint: string | null;
}

export interface PublishDone {
  readonly store: string;
  /** Null when no byte changed. */
  readonly run: string | null;
  readonly files: readonly FileOutcome[];
  /** The block: its size, and how many entries found room and how many did not. */
  readonly block: { readonly bytes: number; readonly entries: number; readonly left: number };
}

/** What is to happen to one file. */
interface Planned extends Write {
  readonly outcome: FileOutcome["outcome"];
  readonly is: Published | null;
}

interface Job {
  readonly ask: PublishAsk;
  readonly rendered: Rendered;
  readonly at: string;
}

const refused = (reason: string, { message, hint }: { message: string; hint: string }): Refused => ({
  state: "refused",
  reason,
  message,
  hint,
});

/** A store without a project of its own publishes into the folder in which memd was called. */
const projectOf = ({ store }: DreamWorld, ask: PublishAsk) => store.project ?? ask.from;

/** A bare name is the project's: `--file AGENTS.md` means the same from every folder of it. */
function placeOf(world: DreamWorld, ask: PublishAsk, named: string): { readonly path: string } | Refused {
  const project = projectOf(world, ask);
  const at = { project, memory: world.store.memory, from: project };
  const place = placeTarget(world.files, isAbsolute(named) ? named : join(project, named), at);
  if ("state" in place || !isOfMemory(world, place.path)) return place;
  const hint = "Name a file that agents read as rules: AGENTS.md.";
  return refused("inside-memory", { message: `${place.path} belongs to the memory itself`, hint });
}

/** Some layouts keep a part of the memory above its folder: user.md, agent.md, the index. */
function isOfMemory({ files, store }: DreamWorld, path: string): boolean {
  const layout = treeLayoutOf(files);
  if (layout === undefined || dirname(path) !== dirname(store.memory)) return false;
  const names = [...Object.keys(layout.homes), INDEX].map((name) => name.toLowerCase());
  return names.includes(basename(path).toLowerCase());
}

type Target = { readonly path: string } | (Refused & { readonly named: string });

function targetsOf(world: DreamWorld, ask: PublishAsk): Target[] {
  if (ask.named.length === 0) return loadPublished(world.files, world.store.state).map(({ path }) => ({ path }));
  const placed = ask.named.map((named) => {
    const place = placeOf(world, ask, named);
    return "state" in place ? { ...place, named } : place;
  });
  const paths = new Set<string>();
  return placed.filter((target) => {
    if (!("path" in target)) return true;
    const isNew = !paths.has(target.path);
    paths.add(target.path);
    return isNew;
  });
}

/** Whether the store has, or would get, a block anywhere. */
export const hasTargets = (world: DreamWorld, ask: PublishAsk): boolean => targetsOf(world, ask).length > 0;

function planFile(job: Job, was: Published | undefined, read: TargetRead): Planned | Refused {
  if (read.state === "refused") return read;
  if (read.state === "absent") return planAbsent(job, was, read.path);
  const found = findBlock(read.text);
  if (found.state === "damaged") return refused("marks-damaged", damaged(read.path, found.why));
  const { before, mode } = { before: read.text, mode: read.mode };
  const nothing = (is: Published | null): Planned => ({ before, after: before, mode, outcome: "unchanged", is });
  const { block } = job.rendered;
  if (found.state === "none") {
    if (job.ask.remove) return nothing(null);
    const { text, edges } = insertBlock(read.text, block);
    return { before, after: text, mode, outcome: "updated", is: entryOf(job, { path: read.path, edges, was }) };
  }
  const standing = blockText(read.text, found);
  const isKnown = isOurs(was, standing) || standing === block;
  if (!isKnown && !job.ask.force) return refused("block-edited", edited(read.path));
  const edges = was?.edges ?? { lead: "", tail: "" };
  if (job.ask.remove) {
    const left = removeBlock(read.text, found, edges);
    const isEmpty = was?.created === true && left.trim() === "";
    return { before, after: isEmpty ? null : left, mode, outcome: "removed", is: null };
  }
  const is = entryOf(job, { path: read.path, edges, was });
  if (standing === block) return nothing(is);
  return { before, after: replaceBlock(read.text, found, block), mode, outcome: "updated", is };
}

/** New files are readable for all, as a checkout makes them. */
const NEW_MODE = 0o644;

function planAbsent(job: Job, was: Published | undefined, path: string): Planned | Refused {
  const nothing = { before: null, after: null, mode: NEW_MODE };
  if (job.ask.remove) return { ...nothing, outcome: "unchanged", is: null };
  const hint = "--create makes it, with the block alone.";
  if (!job.ask.create) return refused("no-such-file", { message: `there is no file ${path}`, hint });
  const { text, edges } = insertBlock("", job.rendered.block);
  const is = { ...entryOf(job, { path, edges, was }), created: true };
  return { before: null, after: text, mode: NEW_MODE, outcome: "created", is };
}

function entryOf({ rendered, at }: Job, about: { path: string; edges: Edges; was: Published | undefined }): Published {
  const { path, edges, was } = about;
  const entry = { path, since: was?.since ?? at, edges, created: was?.created ?? false, wrote: was?.wrote ?? [] };
  return withWritten(entry, rendered.block);
}

function toOutcome(file: string, planned: Planned | Refused): FileOutcome {
  if ("outcome" in planned) return { file, outcome: planned.outcome, reason: null, message: null, hint: null };
  const { reason, message, hint } = planned;
  return { file, outcome: "refused", reason, message, hint };
}

const blockOf = ({ bytes, entries, left }: Rendered) => ({ bytes, entries, left });

/** What would happen, with the files before and after, for a diff. Changes nothing and takes no lease. */
export async function previewPublish(
  world: DreamWorld,
  ask: PublishAsk,
): Promise<{ readonly done: PublishDone; readonly changes: readonly FileChange[] }> {
  const rendered = await renderMemory(world);
  const job = { ask, rendered, at: "" };
  const known = loadPublished(world.files, world.store.state);
  const changes: FileChange[] = [];
  const files = targetsOf(world, ask).map((target) => {
    if (!("path" in target)) return toOutcome(target.named, target);
    const was = known.find(({ path }) => path === target.path);
    const planned = planFile(job, was, readTarget(world.files, target.path));
    if ("outcome" in planned && planned.before !== planned.after)
      changes.push({ file: target.path.slice(1), before: planned.before, after: planned.after });
    return toOutcome(target.path, planned);
  });
  return { done: { store: world.store.name, run: null, files, block: blockOf(rendered) }, changes };
}

/** A value for the held lock, as a dream has one. */
export async function publish(world: DreamWorld, ask: PublishAsk): Promise<PublishDone | { readonly held: string }> {
  return byHand(world, (hand) => publishUnder(world, hand, ask));
}

async function publishUnder(world: DreamWorld, hand: Hand, ask: PublishAsk): Promise<PublishDone> {
  const rendered = await renderMemory(world);
  const job = { ask, rendered, at: hand.at };
  const changed: PublishedFile[] = [];
  const files: FileOutcome[] = [];
  try {
    for (const target of targetsOf(world, ask)) {
      if (!("path" in target)) files.push(toOutcome(target.named, target));
      else files.push(publishOne(world, job, { path: target.path, changed }));
    }
  } finally {
    // Also where a later file fails: what was written can be taken back.
    if (changed.length > 0) await record(world, hand, { changed, remove: ask.remove });
  }
  return { store: world.store.name, run: changed.length > 0 ? hand.id : null, files, block: blockOf(rendered) };
}

function publishOne(world: DreamWorld, job: Job, one: { path: string; changed: PublishedFile[] }): FileOutcome {
  const { path, changed } = one;
  const was = loadPublished(world.files, world.store.state).find((entry) => entry.path === path);
  let planned = null as Planned | Refused | null;
  const plan = (read: TargetRead): Write | null => {
    planned = planFile(job, was, read);
    if (!("outcome" in planned) || planned.before === planned.after) return null;
    // Known as ours before it stands there, and for as long as it does: a crash in between must not make it somebody else's.
    if (planned.is !== null) noteInBook(world, new Map([[path, planned.is]]));
    return planned;
  };
  try {
    const written = writeWhole(world, path, plan);
    if (written === "changed") planned = changedMeanwhile(path);
    else if (written !== null)
      changed.push({ path, before: written.before, after: written.after, was: was ?? null, is: isOf(planned) });
  } catch (error) {
    noteInBook(world, new Map([[path, was ?? null]]));
    throw error;
  }
  const end = planned ?? changedMeanwhile(path);
  noteInBook(world, new Map([[path, "outcome" in end ? end.is : (was ?? null)]]));
  return toOutcome(path, end);
}

const isOf = (planned: Planned | Refused | null): Published | null =>
  planned !== null && "outcome" in planned ? planned.is : null;

function changedMeanwhile(path: string): Refused {
  const message = `${path} was written by somebody else at the same moment`;
  return refused("changed-meanwhile", { message, hint: "Nothing was changed; try again." });
}

async function record(
  world: DreamWorld,
  hand: Hand,
  { changed, remove }: { changed: readonly PublishedFile[]; remove: boolean },
): Promise<void> {
  savePublishRecord(world.files, world.store.state, { run: hand.id, undoes: null, files: changed });
  const files = filesOf(changed.map(({ path, before, after }) => ({ file: path, before, after })));
  await recordByHand(world, hand, { cause: remove ? "unpublish" : "publish", files, changes: [] });
}
