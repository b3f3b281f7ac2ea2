/** Trims what grows: archive, ledger, cache, kept briefs, undo records and logs have caps by age and by size. Never fails a run. */
import { basename, dirname, join } from "node:path";
import { classify } from "../base/errors.ts";
import { namesIn } from "../base/folders.ts";
import { runTime } from "../base/ids.ts";
import { DAY } from "../gate/verdict.ts";
import { spendFolder } from "../ledger/spend.ts";
import type { Notice } from "../memory/changeset.ts";
import type { Files } from "../ports.ts";
import { publishFolder } from "../publish/book.ts";
import { archiveFiles } from "../store/archive.ts";
import { type Kept, surplus } from "../store/surplus.ts";
import { removeFolder } from "./remove-folder.ts";
import { undoFolder } from "./undo-records.ts";
import type { DreamWorld } from "./world.ts";

const MEGABYTE = 1_048_576;
/** Two months, whatever their length: a month in the user's zone reaches into two files. */
const SPEND_DAYS = 62;
/** A request takes some 400 bytes: far above what the caps let through. */
const SPEND_MEGABYTES = 1_000_000;

/** @returns what could not be trimmed, as conditions */
export async function retain(world: DreamWorld): Promise<Notice[]> {
  const { files, store, place, briefs, config } = world;
  const caps = config.retention;
  const now = world.clock.now();
  const cap = (days: number, megabytes: number) => ({ since: now - days * DAY, bytes: megabytes * MEGABYTE });
  const trim = (paths: readonly string[], days: number, megabytes: number) => {
    for (const path of surplus(
      paths.flatMap((one) => keptAt(files, one)),
      cap(days, megabytes),
    ))
      remove(files, path);
  };
  const undoPaths = [undoFolder(store.state), publishFolder(store.state)].flatMap((folder) => pathsIn(files, folder));
  const parts: readonly (readonly [what: string, act: () => void | Promise<void>])[] = [
    ["the archive", () => trim(archiveFiles({ ...place, files }), caps.archiveDays, caps.archiveMegabytes)],
    ["the records for undo", () => trim(undoPaths, caps.undoDays, caps.undoMegabytes)],
    ["kept briefs", () => trim(pathsIn(files, briefs), caps.briefDays, caps.briefMegabytes)],
    ["the logs", () => trim(pathsIn(files, join(dirname(briefs), "logs")), caps.logDays, caps.logMegabytes)],
    // Of a month that still counts nothing goes: caps hold whatever was configured since.
    [
      "what was spent",
      () => trim(pathsIn(files, spendFolder(dirname(briefs))), Math.max(caps.ledgerDays, SPEND_DAYS), SPEND_MEGABYTES),
    ],
    ["the ledger", async () => trimLedger(world, now)],
  ];
  const notices: Notice[] = [];
  for (const [what, act] of parts) {
    try {
      await act();
    } catch (error) {
      const { message, hint } = classify(error, `trim ${what}`);
      notices.push({ code: "retention-failed", message, hint });
    }
  }
  return notices;
}

async function trimLedger(world: DreamWorld, now: number): Promise<void> {
  const { ledgerDays, ledgerMegabytes, cacheDays, cacheMegabytes } = world.config.retention;
  const ledger = await world.ledger();
  ledger.trim(
    { days: ledgerDays, bytes: ledgerMegabytes * MEGABYTE, cacheDays, cacheBytes: cacheMegabytes * MEGABYTE },
    now,
  );
}

const pathsIn = (files: Files, folder: string) => namesIn(files, folder).map((name) => join(folder, name));

/** Records of runs tell their time by name; a file that another program touched is no younger for it. */
function keptAt(files: Files, path: string): Kept[] {
  const stat = files.lstat(path);
  return stat ? [{ path, at: runTime(basename(path)) ?? stat.mtime, bytes: sizeOf(files, path) }] : [];
}

function sizeOf(files: Files, path: string): number {
  const stat = files.lstat(path);
  if (stat?.kind !== "dir") return stat?.size ?? 0;
  return pathsIn(files, path).reduce((sum, inner) => sum + sizeOf(files, inner), 0);
}

function remove(files: Files, path: string): void {
  if (files.lstat(path)?.kind === "dir") removeFolder(files, path);
  else files.unlink(path);
}
