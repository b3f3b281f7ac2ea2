/** Keeps the blocks of a store's memory in agents' instruction files equal to it. Only where somebody asked for one: memd publish. */
import { iso } from "../base/clock.ts";
import { classify } from "../base/errors.ts";
import { carryConditions } from "../ledger/store-state.ts";
import type { Notice } from "../memory/changeset.ts";
import { blockText, findBlock, replaceBlock } from "../publish/block.ts";
import { isOurs, loadPublished, type Published, savePublished, withWritten } from "../publish/book.ts";
import { piecesOf, type Rendered, renderBlock } from "../publish/render.ts";
import { clearTarget, readTarget, type TargetRead, type Write, writeTarget } from "../publish/target.ts";
import { readMemory } from "../store/read.ts";
import type { DreamWorld } from "./world.ts";

/** Others may write meanwhile; whoever keeps writing is left alone until the next run. */
const ATTEMPTS = 3;

/** The memory as a block of today's settings; redacted here again, since these files are committed. */
export async function renderMemory(world: DreamWorld): Promise<Rendered> {
  const { maxBytes, user } = world.config.publish;
  const { tree } = readMemory(world.files, world.store.memory);
  const pieces = piecesOf(tree, { user });
  const redactor = await world.redactor();
  const { texts } = await redactor.redactAll(pieces.map(({ text }) => text));
  return renderBlock(
    pieces.map((piece, i) => ({ ...piece, text: texts[i] ?? "" })),
    { maxBytes },
  );
}

/** @param world names the writer's temp files: one store, one lease */
export const ownerOf = ({ store }: DreamWorld): string => store.state;

/**
 * Reads, plans and writes one file until nobody wrote in between.
 * @param plan null: nothing to write
 * @returns what was written; null for nothing; `changed` when others kept writing
 */
export function writeWhole(
  world: DreamWorld,
  path: string,
  plan: (read: TargetRead) => Write | null,
): Write | null | "changed" {
  const owner = ownerOf(world);
  clearTarget(world.files, path, owner);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const write = plan(readTarget(world.files, path));
    if (write === null || writeTarget(world.files, path, write, owner) === "done") return write;
  }
  return "changed";
}

/** Puts the entries of these paths in the place of those that are known; null takes one out. */
export function noteInBook(world: DreamWorld, entries: ReadonlyMap<string, Published | null>): void {
  const { files, store } = world;
  const others = loadPublished(files, store.state).filter(({ path }) => !entries.has(path));
  const named = [...entries.values()].flatMap((entry) => entry ?? []);
  savePublished(files, store.state, [...others, ...named], "published");
}

/**
 * Brings the blocks of a store up to its memory, under its lease. What somebody wrote into a block, and a block that somebody took out, is
 * told and left alone.
 * @returns what is wrong with which file; never throws for one of them
 */
export async function refreshPublished(world: DreamWorld): Promise<Notice[]> {
  const known = loadPublished(world.files, world.store.state);
  if (known.length === 0) return [];
  const notices: Notice[] = [];
  try {
    const { block } = await renderMemory(world);
    for (const entry of known) notices.push(...refreshOne(world, entry, block));
  } catch (error) {
    notices.push(failed(error, "render the memory for publishing"));
  }
  return notices;
}

function failed(error: unknown, doing: string): Notice {
  const { message, hint } = classify(error, doing);
  return { code: "publish-failed", message, hint };
}

function refreshOne(world: DreamWorld, entry: Published, block: string): Notice[] {
  const notices: Notice[] = [];
  const plan = (read: TargetRead): Write | null => {
    const wrong = troubleOf(entry, read);
    notices.splice(0, notices.length, ...(wrong ? [wrong] : []));
    if (wrong || read.state !== "file") return null;
    const found = findBlock(read.text);
    if (found.state !== "one" || blockText(read.text, found) === block) return null;
    // Known as ours before it stands there: a crash in between leaves the old block, which is ours as well.
    noteInBook(world, new Map([[entry.path, withWritten(entry, block)]]));
    return { before: read.text, after: replaceBlock(read.text, found, block), mode: read.mode };
  };
  try {
    if (writeWhole(world, entry.path, plan) === "changed") return [busy(entry.path)];
  } catch (error) {
    return [failed(error, `bring the block in ${entry.path} up to date`)];
  }
  return notices;
}

function busy(path: string): Notice {
  return {
    code: "publish-concurrent-write",
    message: `${path} was written by somebody else at the same moment; its block is as it was`,
    hint: "The next dream brings it up to date; or memd publish.",
  };
}

/** Why the file's block is left as it is; null where it can be renewed. */
function troubleOf(entry: Published, read: TargetRead): Notice | null {
  if (read.state === "refused") return { code: `publish-${read.reason}`, message: read.message, hint: read.hint };
  const stop = "memd publish puts it back; memd publish --remove stops.";
  if (read.state === "absent")
    return { code: "publish-file-gone", message: `${read.path} is gone, and with it memd's block`, hint: stop };
  const found = findBlock(read.text);
  if (found.state === "none")
    return { code: "publish-block-gone", message: `${read.path} no longer holds memd's block`, hint: stop };
  if (found.state === "damaged") return { code: "publish-marks-damaged", ...damaged(read.path, found.why) };
  return isOurs(entry, blockText(read.text, found)) ? null : { code: "publish-block-edited", ...edited(read.path) };
}

export const damaged = (path: string, why: string) => ({
  message: `the marks of memd's block in ${path} are damaged: ${why}`,
  hint: "Leave one pair of marks, each on its own line, or remove them all; nothing was changed.",
});

export const edited = (path: string) => ({
  message: `the block in ${path} is not as memd wrote it here: somebody edited it, or another memd wrote it`,
  hint: "Move what you want to keep out of the marks; then memd publish --force writes the block anew.",
});

/** Files in which memd's block, or what is left of its marks, still tells something; their other words are not memd's. */
export function stillPublished(world: DreamWorld, mentions: (text: string) => boolean): string[] {
  const tells = ({ path }: Published) => {
    const read = readTarget(world.files, path);
    if (read.state !== "file") return false;
    const found = findBlock(read.text);
    return found.state !== "none" && mentions(found.state === "one" ? blockText(read.text, found) : read.text);
  };
  return loadPublished(world.files, world.store.state)
    .filter(tells)
    .map(({ path }) => path);
}

const isAboutPublishing = ({ code }: { code: string }) => code.startsWith("publish-");

/** After a person's own change of the memory: what is wrong with a block is then a condition of the store. */
export async function refreshAfterHand(world: DreamWorld): Promise<void> {
  const notices = await refreshPublished(world);
  const before = world.state.current().conditions;
  const old = before.filter(isAboutPublishing);
  if (notices.length === 0 && old.length === 0) return;
  const now = carryConditions(old, notices, iso(world.clock.now()));
  world.state.save({ conditions: [...before.filter((condition) => !isAboutPublishing(condition)), ...now] });
}
