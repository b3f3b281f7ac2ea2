/** What the installer works with; the process and the machine enter here, through compose. */
import type { Config } from "../config/config.ts";
import type { Env, Paths } from "../config/paths.ts";
import type { Files, Store } from "../ports.ts";
import type { Programs } from "./programs.ts";

/** The process and its user, as only compose may ask them. */
export interface ServiceHost {
  readonly uid: number;
  readonly user: string;
  /** As the system's own list of users has it; the service manager sets HOME to that. */
  readonly home: string;
  readonly node: { readonly path: string; readonly version: string };
  /** memd's own script, its real path. */
  readonly script: string;
  /** The same as it was called, which may be a link that stays when the real path moves; null where that is something else. */
  readonly called: string | null;
  /** Folder of memd's package: templates lie below it, and packages are looked for from it. */
  readonly base: string;
  /** `$TMPDIR`; null when it is not set. */
  readonly temporary: string | null;
}

export interface ServiceWorld {
  readonly files: Files;
  readonly env: Env;
  readonly paths: Paths;
  readonly platform: string;
  readonly version: string;
  readonly host: ServiceHost;
  readonly programs: Programs;
  /** Names temp files; unique to this process. */
  readonly token: string;
}

/** What is installed depends on it: which folders the service may write, and which secrets it needs. */
export interface Settings {
  readonly config: Config;
  readonly stores: readonly Store[];
}

/** Something that works and yet needs a person. */
export interface Warning {
  /** Stable kebab-case word. */
  readonly code: string;
  readonly message: string;
  /** The exact thing to do. */
  readonly hint: string;
}
