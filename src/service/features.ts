/** What the systemd found here can do. Its options are ignored, or fatal, by version: never is one fixed unit right. */
import { join } from "node:path";
import type { Files } from "../ports.ts";
import type { Programs } from "./programs.ts";

export interface Features {
  /** Major version of the user's manager. */
  readonly version: number;
  /** A user namespace can be made, on which all mount options of a user unit rest; AppArmor or a container may forbid it. */
  readonly namespaces: boolean;
  /** From 253: the manager's notify socket, which it hands over as a descriptor. Null where it cannot, or the socket is not known. */
  readonly openFile: string | null;
  /** From 254: growing pauses between restarts. */
  readonly restartSteps: boolean;
}

export interface Found {
  readonly version: number;
  readonly namespaces: boolean;
  /** Of the user's manager; null where it is not known. */
  readonly notifySocket: string | null;
}

export function featuresOf({ version, namespaces, notifySocket }: Found): Features {
  return { version, namespaces, openFile: version >= 253 ? notifySocket : null, restartSteps: version >= 254 };
}

/**
 * The socket of the user's manager, written out: OpenFile= takes no specifier like %t (it is ignored then, and no word of the daemon arrives;
 * measured on 257). Null where it is not there, or its path could not stand between colons.
 */
export function notifySocketOf(files: Files, runtime: string): string | null {
  const path = join(runtime, "systemd", "notify");
  return /^\/[\w./-]+$/.test(path) && files.lstat(path)?.kind === "other" ? path : null;
}

/** Tried, not read: whether the kernel, AppArmor and the container let a unit have its namespace shows only in one. */
export async function probeNamespaces(programs: Programs): Promise<boolean> {
  const probe = ["--user", "--wait", "--collect", "--quiet"];
  const options = ["PrivateUsers=yes", "ProtectSystem=strict", "ProtectHome=read-only", "PrivateDevices=yes"];
  const args = [...probe, ...options.flatMap((option) => ["-p", option]), "-p", "CapabilityBoundingSet=", "true"];
  return (await programs.run("systemd-run", args)).status === 0;
}
