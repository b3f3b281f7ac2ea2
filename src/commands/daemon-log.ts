/** Where the daemon's log goes. */
import { join } from "node:path";
import { type Log, type LogTarget, openLog } from "../base/log.ts";
import { isJournal, journal, logFile } from "../base/log-file.ts";
import { peopleLine } from "../base/log-line.ts";
import type { Config } from "../config/config.ts";
import { withoutSecrets } from "../digest/redact.ts";
import type { Context } from "./context.ts";

const STDERR = 2;
const MEGABYTE = 1_048_576;

export interface LogPlan {
  /** Null where there is no valid configuration: the reason must be logged all the same. */
  readonly config: Config | null;
  /** Lines for programs on standard error. */
  readonly json: boolean;
}

/** To the journal where it listens; else into files of our own, and to whoever reads standard error. */
export function openDaemonLog(context: Context, { config, json }: LogPlan): Promise<Log> {
  const { clock, env, paths, stderr } = context;
  const file = logFile({
    folder: join(paths.state, "logs"),
    clock,
    maxBytes: (config?.retention.logMegabytes ?? 32) * MEGABYTE,
    maxDays: config?.retention.logDays ?? 30,
  });
  const both: LogTarget = {
    write: (line) => {
      file.write(line);
      stderr.write(json ? line : `${peopleLine(line)}\n`);
    },
    close: file.close,
  };
  // launchd keeps what goes to standard error in a file that nobody trims.
  const isLaunchd = env["XPC_SERVICE_NAME"] !== undefined && env["XPC_SERVICE_NAME"] !== "0";
  const target = isJournal(env["JOURNAL_STREAM"], STDERR) ? journal(STDERR) : isLaunchd ? file : both;
  return openLog({ level: config?.log.level ?? "info", clock, target, redact: withoutSecrets });
}
