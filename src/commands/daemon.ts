import { join } from "node:path";
import { iso } from "../base/clock.ts";
import { classify, EXIT, type MemdError } from "../base/errors.ts";
import { type Log, type LogTarget, openLog } from "../base/log.ts";
import { isJournal, journal, logFile } from "../base/log-file.ts";
import { peopleLine } from "../base/log-line.ts";
import { composeDream, composeStatus, composeStores, onHangup } from "../compose.ts";
import { type Config, loadConfig } from "../config/config.ts";
import { rememberStore } from "../config/stores.ts";
import type { End } from "../daemon/world.ts";
import { type Daemon, startDaemon } from "../daemon.ts";
import { withoutSecrets } from "../digest/redact.ts";
import type { EventSink } from "../ledger/event.ts";
import { type LiveSocket, openSocket } from "../live/server.ts";
import type { Held } from "../lock/occupancy.ts";
import { holdAlone, type Sole } from "../lock/sole.ts";
import { type Notify, openNotify } from "../service/notify.ts";
import { eventLogOf } from "../steps/build.ts";
import { residentWorld } from "../steps/resident.ts";
import { type Command, type Input, STORE_OPTIONS } from "./command.ts";
import type { Context } from "./context.ts";

/** The service manager starts memd again: the program on the disk is a newer one, or the lock was lost. */
const RESTART = 75;
const HELD = 4;

export const daemonCommand: Command = {
  name: "daemon",
  summary: "keep watch in the foreground, and dream when a store is due; what the service units start",
  operands: "",
  options: STORE_OPTIONS,
  example: "memd daemon",
  exits: [
    [0, "stopped by SIGTERM or SIGINT; a dream that was going on was rolled back"],
    [1, "a fault of memd; the last line of the log tells which"],
    [2, "usage"],
    [HELD, "another daemon of this user runs"],
    [5, "unavailable: the state directory cannot be written now"],
    [RESTART, "to be started again: memd was updated"],
    [78, "the configuration is not valid; starting it again is of no use before it is mended"],
  ],
  resident: true,
  run: runDaemon,
};

async function runDaemon(context: Context, input: Input): Promise<number> {
  // Before anything is started or awaited: a signal ends this process by its own code from here on, and no child inherits the manager's variables.
  const { signal } = context;
  let reload = () => undefined as void;
  onHangup(() => reload());
  const { log, config, notify, error } = await openUp(context, input);
  try {
    if (error) throw error;
    const sole = await holdAlone(composeStatus(context).lease, context.paths.state);
    if ("state" in sole) return held(log, sole);
    try {
      const served = await serve({ context, input, log, notify, sole });
      reload = () => void served.daemon.desk.reload();
      if (signal.aborted) served.daemon.stop(stopped(signal));
      else signal.addEventListener("abort", () => served.daemon.stop(stopped(signal)), { once: true });
      notify.ready();
      log.info("started", { pid: context.pid, version: context.version, level: config?.log.level });
      return endedAs(log, await served.done());
    } finally {
      await sole.release();
    }
  } catch (thrown) {
    return endedBy(log, classify(thrown, "run memd daemon"));
  }
}

interface Opened {
  readonly log: Log;
  readonly notify: Notify;
  /** Null, with the error, where it is not valid. */
  readonly config: Config | null;
  readonly error: MemdError | null;
}

/** A configuration that is not valid is told in the log, so the log comes first. */
async function openUp(context: Context, input: Input): Promise<Opened> {
  let [config, error]: [Config | null, MemdError | null] = [null, null];
  try {
    ({ config } = await loadConfig(context.files, context.paths));
  } catch (thrown) {
    error = classify(thrown, "read the configuration");
  }
  const log = await openDaemonLog(context, config, input.flag("json"));
  const env = context.env as Record<string, string | undefined>;
  const notify = openNotify({ env, pid: context.pid, trouble: (why) => log.warn(why) });
  return { log, notify, config, error };
}

/** To the journal where it listens; else into files of our own, and to whoever reads standard error. launchd keeps that in a file that nobody trims. */
function openDaemonLog(context: Context, config: Config | null, json: boolean): Promise<Log> {
  const { clock, env, paths, stderr } = context;
  const megabytes = config?.retention.logMegabytes ?? 32;
  const file = logFile({
    folder: join(paths.state, "logs"),
    clock,
    maxBytes: megabytes * 1_048_576,
    maxDays: config?.retention.logDays ?? 30,
  });
  const launchd = env["XPC_SERVICE_NAME"] !== undefined && env["XPC_SERVICE_NAME"] !== "0";
  const both: LogTarget = {
    write: (line) => {
      file.write(line);
      stderr.write(json ? line : `${peopleLine(line)}\n`);
    },
    close: () => file.close(),
  };
  const target = isJournal(env["JOURNAL_STREAM"], STDERR) ? journal(STDERR) : launchd ? file : both;
  return openLog({ level: config?.log.level ?? "info", clock, target, redact: withoutSecrets });
}

const STDERR = 2;

interface Serving {
  readonly context: Context;
  readonly input: Input;
  readonly log: Log;
  readonly notify: Notify;
  readonly sole: Sole;
}

interface Served {
  readonly daemon: Daemon;
  done(): Promise<End>;
}

async function serve(serving: Serving): Promise<Served> {
  const { context, input, log, notify, sole } = serving;
  const { files, paths, env } = context;
  const token = Buffer.from(context.random(8)).toString("hex");
  const eventLog = eventLogOf(context);
  let socket: LiveSocket | null = null;
  const events: EventSink = {
    ...eventLog,
    emit: (event) => {
      eventLog.emit(event);
      socket?.tell({ ...event });
    },
  };
  const daemon = await startDaemon(
    residentWorld({
      context,
      log,
      manager: notify,
      events,
      lease: composeStatus(context).lease,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      program: import.meta.dirname,
      load: async () => (await loadConfig(files, paths)).config,
      stores: async () => (await composeStores(context, input, { discover: true })).stores,
      dreamWorld: (plan) => composeDream(context, { ...plan, headless: false }),
      remember: (store) => rememberStore(files, store, token),
    }),
  );
  sole.lost.addEventListener("abort", () => daemon.stop(lostLock(sole)), { once: true });
  try {
    socket = await openSocket(
      { files, state: paths.state, runtime: env["XDG_RUNTIME_DIR"] ?? null, token },
      daemon.desk,
    );
  } catch (error) {
    // Without a socket all works, and status tells what stands on the disk.
    const { code, message, hint } = classify(error, "listen on the socket");
    log.warn(message, { code, hint });
  }
  events.emit({ event: "daemon-started", pid: context.pid, version: context.version });
  return {
    daemon,
    done: async () => {
      const end = await daemon.done;
      await socket?.close();
      return end;
    },
  };
}

function stopped({ reason }: AbortSignal): End {
  return { how: "stopped", reason: reason instanceof Error ? reason.message : "stopped" };
}

function lostLock({ lost }: Sole): End {
  return { how: "failed", reason: "lock-lost", error: classify(lost.reason, "keep the daemon's lock") };
}

function held(log: Log, { by, since }: Held): number {
  const who = by.pid === null ? "another process" : `pid ${by.pid}`;
  log.error(`another daemon of this user runs: ${who}, since ${iso(since)}`, {
    hint: "Nothing to do; memd status shows what it does. To replace it: memd service restart, or end that process first.",
  });
  return HELD;
}

/** The last line of the log says why. */
function endedAs(log: Log, end: End): number {
  if (end.how === "failed")
    return end.reason === "lock-lost" ? restart(log, end.error.message) : endedBy(log, end.error);
  if (end.how === "upgraded") return restart(log, "the program on the disk is another one now");
  log.info(end.reason);
  return 0;
}

function restart(log: Log, why: string): number {
  log.warn(`${why}: memd ends, to be started again`);
  return RESTART;
}

function endedBy(log: Log, error: MemdError): number {
  const { code, family, message, hint, cause } = error;
  if (family === "interrupted") {
    log.info(message);
    return 0;
  }
  log.error(message, { code, hint, ...(family === "bug" && cause instanceof Error ? { stack: cause.stack } : {}) });
  return EXIT[family];
}
