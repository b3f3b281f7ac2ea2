/** What the systemd found here can do. Its options are ignored, or fatal, by version: never is one fixed unit right. */
import type { Programs } from "./programs.ts";

export interface Features {
  /** Major version of the user's manager. */
  readonly version: number;
  /** A user namespace can be made, on which all mount options of a user unit rest; AppArmor or a container may forbid it. */
  readonly namespaces: boolean;
  /** From 253: the notify socket handed over as a descriptor. */
  readonly openFile: boolean;
  /** From 254: growing pauses between restarts. */
  readonly restartSteps: boolean;
}

export function featuresOf(version: number, namespaces: boolean): Features {
  return { version, namespaces, openFile: version >= 253, restartSteps: version >= 254 };
}

/** Tried, not read: whether the kernel, AppArmor and the container let a unit have its namespace shows only in one. */
export async function probeNamespaces(programs: Programs): Promise<boolean> {
  const probe = ["--user", "--wait", "--collect", "--quiet"];
  const options = ["PrivateUsers=yes", "ProtectSystem=strict", "ProtectHome=read-only", "PrivateDevices=yes"];
  const args = [...probe, ...options.flatMap((option) => ["-p", option]), "-p", "CapabilityBoundingSet=", "true"];
  return (await programs.run("systemd-run", args)).status === 0;
}
