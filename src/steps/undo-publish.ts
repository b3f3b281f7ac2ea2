/** Takes a publication back: the exact bytes from before where nobody edited the file since; else it is refused, or its block alone goes. */
import type { RunReport } from "../ledger/report.ts";
import { blockText, findBlock, insertBlock, removeBlock, replaceBlock, type Span } from "../publish/block.ts";
import { isOurs, loadPublished, type PublishedFile, type PublishRecord, savePublishRecord } from "../publish/book.ts";
import { readTarget, type TargetRead, type Write } from "../publish/target.ts";
import type { UndoConflict } from "../store/undo.ts";
import { byHand, type Hand, NO_FILES, recordByHand } from "./by-hand.ts";
import { filesOf } from "./files-of.ts";
import { noteInBook, writeWhole } from "./published.ts";
import type { UndoDone } from "./undo.ts";
import type { DreamWorld } from "./world.ts";

/** Permission bits of a file that comes back. */
const NEW_MODE = 0o644;

interface Ask {
  readonly record: PublishRecord;
  /** Later edits stay, and the block alone is taken back. */
  readonly force: boolean;
}

/** A value for the held lock, as a dream has one. */
export async function undoPublish(world: DreamWorld, ask: Ask): Promise<UndoDone | { readonly held: string }> {
  // A block that comes back as it was is not brought up to date at once: the next dream does that.
  return byHand(
    world,
    (hand) => undoUnder(world, hand, ask),
    async () => undefined,
  );
}

async function undoUnder(world: DreamWorld, hand: Hand, { record, force }: Ask): Promise<UndoDone> {
  const done = { run: record.run, files: NO_FILES, entries: 0, conflicts: [] };
  const conflicts = record.files.flatMap((file) => conflictOf(world, file, force) ?? []);
  if (conflicts.length > 0) return { ...done, conflicts };
  const changed: PublishedFile[] = [];
  const late: UndoConflict[] = [];
  for (const file of record.files) {
    const now = loadPublished(world.files, world.store.state).find(({ path }) => path === file.path) ?? null;
    const written = writeWhole(world, file.path, (read) => planBack(world, file, { read, force }));
    if (written === "changed") {
      late.push({ file: file.path, reason: "changed-later", entries: [] });
      continue;
    }
    noteInBook(world, new Map([[file.path, file.was]]));
    if (written !== null)
      changed.push({ path: file.path, before: written.before, after: written.after, was: now, is: file.was });
  }
  const files = filesOf(changed.map(({ path, before, after }) => ({ file: path, before, after })));
  if (changed.length > 0 || late.length === 0) await settle(world, hand, { record, changed, files });
  return { ...done, files, entries: changed.length, conflicts: late };
}

async function settle(
  world: DreamWorld,
  hand: Hand,
  { record, changed, files }: { record: PublishRecord; changed: readonly PublishedFile[]; files: RunReport["files"] },
): Promise<void> {
  savePublishRecord(world.files, world.store.state, { run: hand.id, undoes: record.run, files: changed });
  world.state.save({ undone: [...new Set([...world.state.current().undone, record.run, hand.id])] });
  const ledger = await world.ledger();
  const found = ledger.find(record.run);
  if (found.state === "found") ledger.recordRun({ ...found.run, outcome: "undone" });
  await recordByHand(world, hand, { cause: "undo", files, changes: [] });
}

/** Where later edits would be lost; null where there are none. */
function conflictOf(world: DreamWorld, file: PublishedFile, force: boolean): UndoConflict | null {
  const read = readTarget(world.files, file.path);
  const at = { file: file.path, entries: [] };
  if (read.state === "refused") return { ...at, reason: "not-readable" };
  const text = read.state === "file" ? read.text : null;
  if (text === file.before || isExact(world, file, text)) return null;
  if (text === null) return { ...at, reason: "file-gone" };
  if (file.after === null) return { ...at, reason: "file-exists" };
  return force && findBlock(text).state !== "damaged" ? null : { ...at, reason: "changed-later" };
}

/** The file is as the run left it, but for blocks that memd has written into it since. */
function isExact(world: DreamWorld, { path, after }: PublishedFile, text: string | null): boolean {
  if (text === after) return true;
  if (text === null || after === null) return false;
  const [then, now] = [findBlock(after), findBlock(text)];
  if (then.state !== "one" || now.state !== "one") return false;
  const entry = loadPublished(world.files, world.store.state).find((known) => known.path === path);
  return isOurs(entry, blockText(text, now)) && outside(text, now) === outside(after, then);
}

const outside = (text: string, { start, end }: Span) => `${text.slice(0, start)}\u0000${text.slice(end)}`;

function planBack(world: DreamWorld, file: PublishedFile, now: { read: TargetRead; force: boolean }): Write | null {
  const { read, force } = now;
  if (read.state === "refused") return null;
  const [text, mode] = read.state === "file" ? [read.text, read.mode] : [null, NEW_MODE];
  if (text === file.before) return null;
  if (isExact(world, file, text)) return { before: text, after: file.before, mode };
  return force && text !== null ? { before: text, after: blockBack(file, text), mode } : null;
}

/** Only the block as it was before, in a file that others have edited since. */
function blockBack({ before, was, is }: PublishedFile, text: string): string {
  const [then, now] = [findBlock(before ?? ""), findBlock(text)];
  const old = then.state === "one" ? blockText(before ?? "", then) : null;
  if (now.state !== "one") return old === null ? text : insertBlock(text, old).text;
  if (old !== null) return replaceBlock(text, now, old);
  return removeBlock(text, now, (is ?? was)?.edges ?? { lead: "", tail: "" });
}
