/** Every check in the order in which a person would mend: the machine, what was set, memd's own folder, then store by store. */
import { join } from "node:path";
import { loadLastRun } from "../ledger/last-run.ts";
import type { Store } from "../ports.ts";
import { publishFolder } from "../publish/book.ts";
import { placeOf } from "../steps/build.ts";
import { ledgerPath } from "../steps/ledger.ts";
import { pausesOf } from "../steps/pause.ts";
import { undoFolder } from "../steps/undo-records.ts";
import { laidOut } from "../store/layout.ts";
import { readMemory } from "../store/read.ts";
import { checkDistiller } from "./endpoint.ts";
import { checkKernelFence } from "./fence.ts";
import { type Finding, guarded, remark, unable } from "./finding.ts";
import { checkLock, checkStamp, checkStrayLocks } from "./lock.ts";
import { checkClock, checkFence, checkLedger, checkNode, checkSpace } from "./machine.ts";
import { checkJournal, checkLayout, checkMemoryFolder, checkMemoryTemps } from "./memory-folder.ts";
import { checkResident } from "./resident.ts";
import { checkConfiguration, checkEnvironment, checkRetention, checkStores } from "./settings.ts";
import { checkSources } from "./sources.ts";
import { checkStateFiles, checkStateFolder, checkTemps } from "./state-folder.ts";
import { checkEvidence, checkIndex, checkTopics } from "./topics.ts";
import { checkService } from "./unit.ts";
import type { DoctorWorld } from "./world.ts";

/** Folders of the state directory that belong to no store. */
export const commonFolders = ({ paths }: Pick<DoctorWorld, "paths">): readonly string[] => [
  paths.state,
  join(paths.state, "briefs"),
];

/** Writes nothing. */
export async function examine(world: DoctorWorld): Promise<readonly Finding[]> {
  const { paths, stores } = world;
  const folder = guarded(`look at ${paths.state}`, () => checkStateFolder(world));
  // One finding for a state directory that is shut, not one for each file in it.
  const isOpen = folder.every(({ ok, code }) => ok || code !== "no-permission");
  return [
    checkNode(world),
    ...guarded("look at the fence", () => checkFence(world)),
    ...(await checkKernelFence(world)),
    ...guarded("measure free space", () => checkSpace(world, [paths.state, ...stores.map(({ memory }) => memory)])),
    ...checkConfiguration(world),
    ...checkEnvironment(world),
    ...guarded("read Claude Code's settings", () => checkRetention(world)),
    ...guarded("look at the distiller", () => checkDistiller(world)),
    ...guarded("look at the stores", () => checkStores(world)),
    ...folder,
    ...(isOpen ? await examineState(world) : []),
    ...(await checkResident(world)),
    ...(await examineService(world)),
    ...stores.flatMap((store) => guarded(`look at ${store.name}`, () => examineStore(world, store, isOpen))),
  ];
}

async function examineService({ service, config, stores }: DoctorWorld): Promise<readonly Finding[]> {
  if (service === undefined) return [];
  return checkService(service, { config, stores }).catch((error: unknown) => [unable("look at the service", error)]);
}

async function examineState(world: DoctorWorld): Promise<readonly Finding[]> {
  const { state } = world.paths;
  const ledger = await checkLedger(world, ledgerPath(world.paths.state)).catch((error: unknown) => [
    unable("open the ledger", error),
  ]);
  return [
    ...ledger,
    ...guarded("look at the clock", () => [checkClock(world, latestRun(world))]),
    ...guarded(`read ${state}`, () => checkStateFiles(world, state)),
    ...guarded(`look into ${state}`, () => checkTemps(world, commonFolders(world))),
  ];
}

/** Epoch ms of the end of the latest run, as the stores' own files tell. */
function latestRun({ files, remembered, stores }: DoctorWorld): number | null {
  const ends = [...stores, ...remembered].flatMap(({ state }) => {
    const at = Date.parse(loadLastRun(files, state)?.finishedAt ?? "");
    return Number.isNaN(at) ? [] : [at];
  });
  return ends.length === 0 ? null : Math.max(...ends);
}

/** @param isOpen the state directory can be read */
function examineStore(world: DoctorWorld, store: Store, isOpen: boolean): readonly Finding[] {
  const there = world.files.stat(store.memory)?.kind === "dir";
  const found = [
    ...guarded(`look at ${store.memory}`, () => checkMemoryFolder(world, store)),
    ...guarded("look at the sources", () => checkSources(world, store)),
    ...(isOpen ? examineStoreState(world, store) : []),
    ...(there && isOpen ? guarded(`look into ${store.memory}`, () => examineMemory(world, store)) : []),
  ];
  return found.map((finding) => ({ ...finding, store: store.name }));
}

function examineStoreState(world: DoctorWorld, store: Store): readonly Finding[] {
  return [
    ...guarded(`read ${store.state}`, () => checkStateFiles(world, store.state)),
    ...guarded(`look into ${store.state}`, () =>
      checkTemps(world, [store.state, undoFolder(store.state), publishFolder(store.state)]),
    ),
    ...guarded(`read ${store.state}`, () => pauses(world, store)),
  ];
}

function pauses({ files, paths }: DoctorWorld, store: Store): Finding[] {
  return pausesOf(files, paths.state, store).map(({ by, hint }) => {
    return remark("paused", `no dreams: paused by ${by === "config" ? "the configuration" : "memd pause"}`, hint);
  });
}

function examineMemory(world: DoctorWorld, store: Store): readonly Finding[] {
  const { lease } = world;
  const files = laidOut(world.files, store);
  const place = placeOf(files, store, lease.machineId);
  const lock = checkLock(world, store);
  // While a run writes, its journal and temp files are no leftovers, and the index is between two states.
  const isHeld = lock.some(({ ok, hint }) => ok && hint !== null);
  return [
    ...(isHeld ? [] : checkStamp(world, store)),
    ...lock,
    ...guarded(`look for locks in ${store.memory}`, () => checkStrayLocks(world, store)),
    ...(isHeld ? [] : checkJournal(place)),
    ...(isHeld ? [] : guarded(`look for temp files in ${store.memory}`, () => checkMemoryTemps(place))),
    ...guarded(`read the memory in ${store.memory}`, () => {
      const snapshot = readMemory(files, store.memory);
      return [
        ...checkLayout(snapshot, store),
        ...checkTopics(snapshot),
        ...(isHeld ? [] : checkIndex(snapshot.tree)),
        ...guarded(`read ${place.evidence}`, () => checkEvidence(place, snapshot.tree)),
      ];
    }),
  ];
}
