/** The process and the machine as the checks ask them; the process itself is handed in by compose. */
import { accessSync, constants, statfsSync } from "node:fs";
import { systemCode } from "../base/errors.ts";
import { inotifyWatches, memdDaemons } from "./processes.ts";
import type { Host } from "./world.ts";

/** @param childPath the bundled child of the distiller */
export function doctorHost(host: NodeJS.Process, childPath: string): Host {
  return {
    nodeVersion: host.versions.node,
    node: host.execPath,
    nodeFlags: host.allowedNodeEnvironmentFlags,
    childPath,
    may: (verb, path) =>
      isGranted(path, verb === "read" ? constants.R_OK | constants.X_OK : constants.W_OK | constants.X_OK),
    freeBytes,
    watches: inotifyWatches,
    daemons: () => memdDaemons(host.platform),
  };
}

/** Asked of folders: without the right to pass through, the others are worth nothing. A file lacks that right by nature. */
function isGranted(path: string, mode: number): boolean {
  for (const wanted of [mode, mode & ~constants.X_OK]) {
    try {
      accessSync(path, wanted);
      return true;
    } catch (error) {
      if (systemCode(error) === null) throw error;
      if (isFolder(path)) return false;
    }
  }
  return false;
}

function isFolder(path: string): boolean {
  try {
    accessSync(`${path}/.`, constants.F_OK);
    return true;
  } catch (error) {
    // A folder that may not be passed through says EACCES here, a file ENOTDIR.
    return systemCode(error) !== "ENOTDIR";
  }
}

/** Null where the file system counts no blocks. */
function freeBytes(path: string): number | null {
  const { bavail, bsize, blocks } = statfsSync(path);
  return blocks === 0 ? null : bavail * bsize;
}
