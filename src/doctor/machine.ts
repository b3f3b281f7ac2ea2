/** Whether this machine can run memd: Node, the distiller's fence, SQLite, the clock, free space. */
import { dirname } from "node:path";
import { MemdError } from "../base/errors.ts";
import { openReadOnly } from "../base/sqlite.ts";
import { fencedCommand } from "../distill/fence.ts";
import { type Finding, fine, guarded, orFine, wrong } from "./finding.ts";
import type { DoctorWorld } from "./world.ts";

/** The first Node 20 that knows every flag of the fence, and loads modules with `require` as the bundle's packages need. */
const OLDEST = [20, 19] as const;

/** Codes `node-version`, `node-too-old`. */
export function checkNode({ host }: DoctorWorld): Finding {
  const [major = 0, minor = 0] = host.nodeVersion.split(".").map(Number);
  const supported = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  if (supported) return fine("node-version", `Node ${host.nodeVersion}`);
  return wrong(
    "node-too-old",
    `Node ${host.nodeVersion} at ${host.node} is too old`,
    `Install Node ${OLDEST.join(".")} or newer, and start memd with it.`,
  );
}

const PROBE = { readable: [], heapMb: 64, dataMb: 1_024, cpuSeconds: 60 };

/** The distiller runs fenced in or not at all. */
export function checkFence({ host, files, paths }: DoctorWorld): readonly Finding[] {
  if (files.stat(host.childPath)?.kind !== "file") {
    return [
      wrong("distiller-missing", `${host.childPath} is missing`, "Install memd again: its files are not complete."),
    ];
  }
  try {
    fencedCommand(
      { node: host.node, flags: host.nodeFlags },
      { ...PROBE, readable: [host.childPath, paths.state] },
      [],
    );
    return [fine("fence", "Node's permission model fences the distiller in")];
  } catch (error) {
    if (!(error instanceof MemdError)) throw error;
    return [wrong(error.code, error.message, error.hint)];
  }
}

/** The database file itself is looked at only when the driver works. */
export async function checkLedger({ files, paths }: DoctorWorld, path: string): Promise<readonly Finding[]> {
  const opened = await openReadOnly(path);
  if (opened.state === "missing" && opened.code === "no-sqlite")
    return [
      wrong(
        opened.code,
        opened.message,
        `${opened.hint} If that fails, install build tools (python3, make, a C++ compiler) first.`,
      ),
    ];
  const driver = fine("sqlite", "SQLite loads");
  const size = files.stat(path)?.size ?? 0;
  if (size === 0) return [driver, fine("ledger", `no ledger yet in ${paths.state}`)];
  if (opened.state === "missing")
    return [
      driver,
      opened.code === "database-busy"
        ? wrong("ledger-busy", opened.message, opened.hint)
        : damaged(path, opened.message),
    ];
  try {
    const check = opened.db.pragma("quick_check(1)", { simple: true });
    return [driver, check === "ok" ? fine("ledger", "the ledger is whole") : damaged(path, String(check))];
  } catch (error) {
    return [driver, damaged(path, error instanceof Error ? error.message : String(error))];
  } finally {
    opened.db.close();
  }
}

function damaged(path: string, why: string): Finding {
  return wrong(
    "ledger-damaged",
    `the ledger ${path} cannot be read: ${why}`,
    "memd doctor --repair moves it aside and starts a new one from the last runs; memories are not affected.",
  );
}

/** Before memd was written: a machine without a battery for its clock starts in 1970. */
const EPOCH = Date.UTC(2025, 0, 1);
/** As for the stamp: below this a clock was merely set right. */
const SKEW = 300_000;

/** @param lastAt end of the latest known run, epoch ms; null when there was none */
export function checkClock({ clock }: DoctorWorld, lastAt: number | null): Finding {
  const now = clock.now();
  const shown = new Date(now).toISOString();
  const hint = "Set the clock right (timedatectl set-ntp true); gates and dates of memories follow it.";
  if (now < EPOCH) return wrong("clock-wrong", `the clock says ${shown}`, hint);
  if (lastAt !== null && lastAt > now + SKEW)
    return wrong(
      "clock-went-back",
      `the clock says ${shown}, but the last run ended at ${new Date(lastAt).toISOString()}`,
      hint,
    );
  return fine("clock", `the clock says ${shown}`);
}

/** A run journals every text twice and writes a ledger of some MB; below this it may stop half way and be taken back. */
const LEAST_FREE = 64 * 1_048_576;

/** Codes `disk-space`, `disk-full`. @param folders where memd writes; of one that is not there yet, the nearest above it */
export function checkSpace({ host, files }: DoctorWorld, folders: readonly string[]): readonly Finding[] {
  const there = [...new Set(folders.flatMap((folder) => existing(files.stat, folder)))];
  const found = there.flatMap((folder) =>
    guarded(`measure the free space of ${folder}`, () => {
      const free = host.freeBytes(folder);
      if (free === null || free >= LEAST_FREE) return [];
      return [
        wrong(
          "disk-full",
          `only ${Math.floor(free / 1_048_576)} MB are free for ${folder}`,
          "Free some disk space; memd writes nothing it could not finish.",
        ),
      ];
    }),
  );
  return orFine(found, fine("disk-space", "there is room on the disk"));
}

/** The folder, or the nearest one above it that is there. */
function existing(stat: (path: string) => unknown, folder: string): string[] {
  for (let path = folder; ; path = dirname(path)) {
    if (stat(path) !== null) return [path];
    if (dirname(path) === path) return [];
  }
}
