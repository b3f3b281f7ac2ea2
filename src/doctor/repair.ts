/** The safe repairs: only what memd itself wrote or owns, under the lease where memory is concerned, and the index by an ordinary run. */

import { type Random, runId } from "../base/ids.ts";
import { acquireLease } from "../lock/lease.ts";
import { readStamp } from "../lock/stamp.ts";
import { compile } from "../memory/compile.ts";
import { foreignLayout } from "../memory/tree.ts";
import type { Store } from "../ports.ts";
import { publishFolder } from "../publish/book.ts";
import { byHand, type Hand, keepUndo, recordByHand } from "../steps/by-hand.ts";
import { filesOf } from "../steps/files-of.ts";
import { ledgerOf } from "../steps/ledger.ts";
import { recoverStore } from "../steps/recover.ts";
import { undoFolder } from "../steps/undo-records.ts";
import type { DreamWorld } from "../steps/world.ts";
import { apply } from "../store/apply.ts";
import { readOwnLines } from "../store/own-lines.ts";
import { memdFolder } from "../store/place.ts";
import type { MemorySnapshot } from "../store/read.ts";
import { commonFolders } from "./examine.ts";
import { type Finding, unable } from "./finding.ts";
import { removeStaleSocket } from "./resident.ts";
import { staleTemps } from "./state-folder.ts";
import type { DoctorWorld } from "./world.ts";

export interface RepairWorld extends DoctorWorld {
  readonly random: Random;
  /** Opens a store as a run would. */
  open(store: Store): Promise<DreamWorld>;
}

/**
 * Does what is safe for the findings that ask for it. What it achieved is for a second examination to say.
 * @returns what could not be done, and why
 */
export async function repair(world: RepairWorld, findings: readonly Finding[]): Promise<readonly Finding[]> {
  const asked = (store: string | null) =>
    new Set(findings.filter((item) => !item.ok && item.store === store).map(({ code }) => code));
  const failed = await repairCommon(world, asked(null));
  for (const store of world.stores)
    failed.push(
      ...(await repairStore(world, store, asked(store.name))).map((item) => ({ ...item, store: store.name })),
    );
  return failed;
}

type Failures = Finding[];

async function tried(doing: string, act: () => void | Promise<void>): Promise<Failures> {
  try {
    await act();
    return [];
  } catch (error) {
    return [unable(doing, error)];
  }
}

async function repairCommon(world: RepairWorld, codes: ReadonlySet<string>): Promise<Failures> {
  const { files, paths } = world;
  const failed: Failures = [];
  if (codes.has("stale-socket")) failed.push(...(await tried("remove the socket", () => removeStaleSocket(world))));
  if (codes.has("state-not-private"))
    failed.push(...(await tried(`close ${paths.state}`, () => files.chmod(paths.state, 0o700))));
  if (codes.has("temp-files"))
    failed.push(...(await tried("remove temp files", () => removeTemps(world, commonFolders(world)))));
  if (codes.has("ledger-damaged")) failed.push(...(await tried("start a new ledger", () => renewLedger(world))));
  return failed;
}

function removeTemps(world: DoctorWorld, folders: readonly string[]): void {
  for (const path of staleTemps(world, folders)) world.files.unlink(path);
}

/** Opening moves a damaged database aside and fills a new one from the files. */
async function renewLedger(world: RepairWorld): Promise<void> {
  const ledger = await ledgerOf(world);
  ledger.close();
}

/** What taking the lease, recovering and giving it back puts right. */
const SETTLED: readonly string[] = [
  "stamp-garbage",
  "stamp-in-future",
  "stamp-not-a-file",
  "stale-lock",
  "journal-left",
  "journal-damaged",
  "temp-files",
  "memd-folder-not-ignored",
];

/** What compiling nothing puts right: the index follows the topics. */
const MENDED: readonly string[] = [
  "index-missing",
  "index-dead-pointer",
  "index-double-pointer",
  "index-orphans",
  "index-over-limit",
];

async function repairStore(world: RepairWorld, store: Store, codes: ReadonlySet<string>): Promise<Failures> {
  const { files } = world;
  const failed: Failures = [];
  const has = (some: readonly string[]) => some.some((code) => codes.has(code));
  if (codes.has("memd-folder-not-private"))
    failed.push(
      ...(await tried(`close ${memdFolder(store.memory)}`, () => files.chmod(memdFolder(store.memory), 0o700))),
    );
  if (codes.has("temp-files"))
    failed.push(
      ...(await tried("remove temp files", () =>
        removeTemps(world, [store.state, undoFolder(store.state), publishFolder(store.state)]),
      )),
    );
  if (!has(SETTLED) && !has(MENDED)) return failed;
  const opened = await world.open(store);
  try {
    if (has(SETTLED)) failed.push(...(await tried(`settle ${store.memory}`, () => settle(opened))));
    if (has(MENDED)) failed.push(...(await tried(`mend the index of ${store.memory}`, () => mendIndex(opened))));
  } finally {
    await opened.close();
  }
  return failed;
}

/** Taking the lease breaks what a dead holder left; a stamp that says nothing is written anew as what it was taken for. */
async function settle(world: DreamWorld): Promise<void> {
  const { clock, lease, random, store } = world;
  const bad = readStamp(lease, store.memory, clock.now()).notice !== null;
  const taken = await acquireLease(lease, store.memory, runId(clock.now(), random));
  // A holder that came meanwhile settles it itself.
  if (taken.state === "held") return;
  try {
    await recoverStore(world, () => !taken.lease.signal.aborted);
  } finally {
    await taken.lease.release({ kind: bad ? "failed" : "unchanged" });
  }
}

/** An ordinary, recorded run without operations; `memd undo` takes it back. */
async function mendIndex(world: DreamWorld): Promise<void> {
  await byHand(world, async (hand) => {
    if (foreignLayout(hand.snapshot.tree) !== null) return;
    const { files, store, place } = world;
    const result = apply({
      ...place,
      files,
      changeset: indexOnly(world, hand, hand.snapshot),
      run: { id: hand.id, at: hand.at },
      snapshot: hand.snapshot,
      recompile: (snapshot) => indexOnly(world, hand, snapshot),
      record: keepUndo(world),
      mayWrite: hand.mayWrite,
    });
    if (result.outcome !== "applied") return;
    await recordByHand(world, hand, {
      cause: "doctor",
      files: filesOf(result.changeset.files),
      changes: result.changeset.changes,
    });
    const topics = hand.snapshot.tree.topics;
    world.state.save({
      shape: { topics: topics.length, entries: topics.reduce((sum, { entries }) => sum + entries.length, 0) },
    });
    files.syncDir(store.memory);
  });
}

function indexOnly({ files, store, timeZone }: DreamWorld, { at, id }: Hand, { tree }: MemorySnapshot) {
  return compile({ tree, accepted: [], now: at, run: id, ownLines: readOwnLines(files, store.memory), timeZone });
}
