/** What systemd and launchd have in common, as the commands use it. */

/** `starting` until it says that it is ready; `failed`: given up, or about to be started again; `absent`: the manager does not know it. */
export type RunState = "running" | "starting" | "stopped" | "failed" | "absent";

export interface ServiceState {
  readonly state: RunState;
  /** Begins with the session, or with the machine where lingering is on. */
  readonly enabled: boolean;
  readonly pid: number | null;
  /** Epoch ms at which it became ready; null where the manager does not tell. */
  readonly since: number | null;
  readonly restarts: number | null;
  /** The last exit status; null where there was none. */
  readonly exitStatus: number | null;
  /** Why it is not running, in the manager's own word (`start-limit-hit`, `watchdog`, `exit-code`); null when nothing went wrong. */
  readonly result: string | null;
  /** The daemon's own line. */
  readonly text: string | null;
}

export interface LogQuery {
  readonly lines: number;
  readonly follow: boolean;
}

export interface Manager {
  readonly kind: "systemd" | "launchd";
  /** Where the definition lies. */
  readonly path: string;
  /** Another file where a definition of the same service would get in the way of this one. */
  readonly rivals: readonly string[];
  /** The command that shows the log, for people. */
  readonly logCommand: string;
  /** Makes the manager read the definition that was just written, and starts it; waits until it is ready. @param changed one was there before */
  adopt(changed: boolean): Promise<void>;
  /** Stops it and makes the manager forget it. Called before the definition is removed. */
  abandon(): Promise<void>;
  /** After the definition was removed. */
  settle(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  restart(): Promise<void>;
  state(): Promise<ServiceState>;
  /** Ends with the exit status of what showed it. @param print takes what does not go to our own output by itself, line by line */
  showLog(query: LogQuery, print: (line: string) => void): Promise<number>;
  readLog(lines: number): Promise<readonly string[]>;
}
