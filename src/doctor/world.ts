/** What the checks look at: the machine and the installation enter here, through compose. */
import type { Config } from "../config/config.ts";
import type { Env, Paths } from "../config/paths.ts";
import type { ConfigRead } from "../config/read.ts";
import type { LeaseWorld } from "../lock/occupancy.ts";
import type { Clock, Files, Store } from "../ports.ts";
import type { ServiceWorld } from "../service/world.ts";
import type { Finding } from "./finding.ts";
import type { DaemonProcess, Watches } from "./processes.ts";

/** The process and the machine, as only compose may ask them. */
export interface Host {
  /** `20.19.0`, without a `v`. */
  readonly nodeVersion: string;
  readonly node: string;
  readonly nodeFlags: { has(flag: string): boolean };
  readonly childPath: string;
  /** True where the system would let this user write (or read) at an existing path. */
  may(verb: "read" | "write", path: string): boolean;
  /** Free bytes for this user on the file system of an existing path; null where the system does not tell. */
  freeBytes(path: string): number | null;
  /** Null where the system has no limit, or does not tell. */
  watches(): Watches | null;
  /** Daemons of memd that this user may see. */
  daemons(): readonly DaemonProcess[];
}

export interface DoctorWorld {
  readonly files: Files;
  readonly clock: Clock;
  readonly env: Env;
  readonly paths: Paths;
  readonly host: Host;
  /** Of this program. */
  readonly version: string;
  readonly lease: LeaseWorld;
  /** Absent where nobody asks about the service. */
  readonly service?: ServiceWorld;
  readonly read: ConfigRead;
  readonly config: Config;
  readonly stores: readonly Store[];
  /** What kept stores from being found. */
  readonly troubles: readonly Finding[];
  /** Every store whose state folder tells of it. */
  readonly remembered: readonly Store[];
}
