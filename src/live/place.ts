/**
 * Where the daemon's socket lies, and the file in the state directory that says so: a client that was started by cron, or with sudo, does not
 * know the runtime directory of the daemon.
 */
import { join } from "node:path";
import { writeAtomic } from "../base/atomic.ts";
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { quickHash } from "../base/ids.ts";

/** The system's own limit, with the byte that ends it: 104 on macOS, 108 on Linux. */
const LONGEST = 103;

const pointerName = (state: string): string => join(state, "socket");

export interface SocketPlace {
  readonly folder: string;
  readonly path: string;
}

/**
 * Where a daemon may listen, in the order of preference. Each state directory has its own name in the runtime directory: two daemons of one
 * user that keep different states never meet.
 * @param runtime `$XDG_RUNTIME_DIR`; null when it is not set
 */
export function socketPlaces(state: string, runtime: string | null): readonly SocketPlace[] {
  const own = runtime?.startsWith("/") ? join(runtime, "memd") : null;
  const places = [
    ...(own === null ? [] : [{ folder: own, path: join(own, `${quickHash(state).toString(36)}.sock`) }]),
    { folder: state, path: join(state, "memd.sock") },
  ];
  return places.filter(({ path }) => Buffer.byteLength(path) <= LONGEST);
}

/** @param token unique to the writer */
export function pointTo(files: Files, state: string, to: { path: string; token: string }): void {
  writeAtomic(files, pointerName(state), `${to.path}\n`, { mode: 0o600, token: to.token });
}

/** Only while it still names this socket: the next daemon's is not ours to remove. */
export function unpoint(files: Files, state: string, path: string): void {
  if (pointedAt(files, state) === path) files.unlink(pointerName(state));
}

/** The socket that a daemon left, alive or not; null when there is none. Costs one lstat where no daemon ever ran. */
export function findSocket(files: Files, state: string): string | null {
  const path = pointedAt(files, state);
  return path !== null && files.lstat(path)?.kind === "other" ? path : null;
}

function pointedAt(files: Files, state: string): string | null {
  const name = pointerName(state);
  try {
    const stat = files.lstat(name);
    if (stat?.kind !== "file" || stat.size > LONGEST + 1) return null;
    const path = files.readText(name).trimEnd();
    return path.startsWith("/") && path.endsWith(".sock") ? path : null;
  } catch (error) {
    // A state directory of another user, or one that was removed just now.
    if (systemCode(error) === null) throw error;
    return null;
  }
}
