/** What the resident loop needs of the world. Everything that takes time or touches a disk is asked for here, so that tests move time by hand. */
import type { MemdError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Timers } from "../base/timers.ts";
import type { Config } from "../config/config.ts";
import type { Event } from "../ledger/event.ts";
import type { RunReport } from "../ledger/report.ts";
import type { Clock, Store } from "../ports.ts";
import type { TriggerListener, Triggers } from "../triggers/open.ts";

/** How a store's gates stand, as far as a glance tells. */
export type Glance = (
  | { readonly open: true }
  | {
      readonly open: false;
      readonly gate: string;
      readonly reason: string;
      /** Epoch ms; null when no time opens it. */
      readonly opensAt: number | null;
    }
) & {
  /** The stamp names a holder: somebody dreams, or a killed run left it, which closes the time gate for a day until it is taken back. */
  readonly isHeld?: boolean;
};

export interface Settings {
  readonly config: Config;
  /** Names this version of the configuration. */
  readonly mark: string;
  /** The time gate's intervals, ms. */
  readonly waits: { readonly interval: number; readonly backlogInterval: number };
}

export type Cause = "scan" | "cron" | "hint" | "now";

/** One dream to ask for. */
export interface Job {
  readonly store: Store;
  readonly settings: Settings;
  readonly cause: Cause;
  /** What made the last run fail for good has changed: its cool-down no longer counts. */
  readonly afresh: boolean;
  readonly signal: AbortSignal;
  readonly began: (run: string) => void;
  readonly progress: (step: string, detail: string) => void;
}

/** How a dream ended: its report, and the exit code that `memd dream` would have. */
export interface Dreamt {
  readonly report: RunReport;
  readonly exit: number;
}

/** What the service manager is told. */
export interface Manager {
  ready(): void;
  status(text: string): void;
  ping(): void;
  stopping(): void;
  reloading(): void;
}

export interface DaemonWorld {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly manager: Manager;
  readonly emit: (event: Event) => void;
  readonly version: string;
  readonly pid: number;
  /** @throws MemdError misconfigured */
  load(): Promise<Settings>;
  /** Names the version of the configuration on the disk. */
  configMark(): string;
  /** @param trouble told why the agents' folders could not be looked through; what was known of them before is returned then */
  stores(settings: Settings, trouble: (thrown: unknown) => void): Promise<readonly Store[]>;
  open(settings: Settings, on: TriggerListener): Promise<Triggers>;
  /** One stat while nothing changed. @throws MemdError when the stamp cannot be read */
  glance(store: Store, settings: Settings): Glance;
  /** Takes back what a killed run left; cheap where there is nothing. */
  recover(store: Store, settings: Settings): Promise<void>;
  dream(job: Job): Promise<Dreamt>;
  /** Another text when a store that is set up wrongly may be right now: its folders and their rights. */
  circumstances(store: Store): string;
  /** True when the program on the disk is another one than this. */
  upgraded(): boolean;
}

/** `stopped`: asked to; `upgraded`: to be started again as the new program; `failed`: a bug, or a lock that was lost. */
export type End =
  | { readonly how: "stopped" | "upgraded"; readonly reason: string }
  | { readonly how: "failed"; readonly reason: string; readonly error: MemdError };
