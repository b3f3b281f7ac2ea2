import { iso } from "../base/clock.ts";
import { classify, EXIT, EXIT_WITHOUT_ERROR, type MemdError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { composeStatus, composeStores, onCrash, onHangup } from "../compose.ts";
import { type Config, loadConfig } from "../config/config.ts";
import type { End } from "../daemon/world.ts";
import type { Held } from "../lock/occupancy.ts";
import { holdAlone, type Sole } from "../lock/sole.ts";
import type { Notify } from "../service/notify.ts";
import { type Tending, tend } from "../service/tend.ts";
import { type Command, type Input, STORE_OPTIONS } from "./command.ts";
import type { Context } from "./context.ts";
import { openDaemonLog } from "./daemon-log.ts";
import { serve, warnOf } from "./daemon-serve.ts";
import { refuseForeignHome } from "./own-home.ts";

const { held: HELD, restart: RESTART } = EXIT_WITHOUT_ERROR;

export const daemonCommand: Command = {
  name: "daemon",
  summary: "keep watch in the foreground, and dream when a store is due; what the service units start",
  operands: "",
  options: {
    ...STORE_OPTIONS,
    "find-stores": {
      type: "boolean",
      help: "find the agents' stores, remember them, and end; the daemon calls it itself",
    },
  },
  example: "memd daemon",
  exits: [
    [0, "stopped by SIGTERM or SIGINT; a dream that was going on was rolled back"],
    [1, "a fault of memd; the last line of the log tells which"],
    [2, "usage"],
    [HELD, "another daemon of this user runs"],
    [5, "unavailable: the state directory cannot be written now"],
    [RESTART, "to be started again: memd was updated, or it lost the lock that makes it the only daemon"],
    [
      78,
      "the configuration is not valid, or root runs in a user's home; another start is of no use before it is mended",
    ],
  ],
  resident: true,
  run: runDaemon,
};

async function runDaemon(context: Context, input: Input): Promise<number> {
  if (input.flag("find-stores")) {
    await composeStores(context, input, { discover: true });
    return 0;
  }
  // Before anything is awaited: the first look sets the handlers, and from then on a signal ends this process by its own code.
  context.signal.throwIfAborted();
  let reload: () => void = () => undefined;
  onHangup(() => reload());
  const hear = (act: () => void) => {
    reload = act;
  };
  refuseForeignHome(context.paths.home, process.geteuid?.() ?? null);
  const opened = await openUp(context, input);
  if (!opened.tending.exhausted) return opened.tending.exitStatus(await live(context, input, { ...opened, hear }));
  opened.log.error("too many starts failed before this one: memd stays down", {
    hint: "memd service status says more.",
  });
  return 0;
}

type Living = Opened & Pick<Residence, "hear">;

async function live(context: Context, input: Input, { log, tending, error, hear }: Living): Promise<number> {
  const { signal } = context;
  const { notify } = tending;
  try {
    if (error) throw error;
    signal.throwIfAborted();
    const sole = await holdAlone(composeStatus(context).lease, context.paths.state);
    if ("state" in sole) return held(log, sole);
    return endedAs(log, await resideAlone({ context, input, log, notify, sole, hear }));
  } catch (thrown) {
    return endedBy(log, classify(thrown, "run memd daemon"));
  }
}

async function resideAlone(residence: Residence): Promise<End> {
  const { log, sole } = residence;
  try {
    return await reside(residence);
  } finally {
    // What is left of it names a process that is gone, which the next daemon takes over.
    await sole.release().catch((error: unknown) => warnOf(log, "give back the daemon's lock", error));
  }
}

interface Opened {
  readonly log: Log;
  readonly tending: Tending;
  /** Why the configuration cannot be used; told in the log, so the log comes first. */
  readonly error: MemdError | null;
}

async function openUp(context: Context, input: Input): Promise<Opened> {
  let config: Config | null = null;
  let error: MemdError | null = null;
  try {
    ({ config } = await loadConfig(context.files, context.paths, () => `daemon-${context.pid}`));
  } catch (thrown) {
    error = classify(thrown, "read the configuration");
  }
  const log = await openDaemonLog(context, { config, json: input.flag("json") });
  onCrash((thrown) => endedBy(log, classify(thrown, "go on")));
  // What the manager says to us alone is taken out of the environment, before the first child is started.
  const env = context.env as Record<string, string | undefined>;
  const { files, clock, paths, pid } = context;
  const starts = { files, clock, state: paths.state, token: `daemon-${pid}` };
  const tending = tend({ env, pid, trouble: (why) => log.warn(why), starts });
  return { log, tending, error };
}

interface Residence {
  readonly context: Context;
  readonly input: Input;
  readonly log: Log;
  readonly notify: Notify;
  readonly sole: Sole;
  /** SIGHUP: read the configuration anew. */
  readonly hear: (act: () => void) => void;
}

async function reside({ context, input, log, notify, sole, hear }: Residence): Promise<End> {
  const { signal } = context;
  const { daemon, done } = await serve({ context, input, log, notify });
  const whenAborted = (aborted: AbortSignal, end: () => End) => {
    if (aborted.aborted) daemon.stop(end());
    else aborted.addEventListener("abort", () => daemon.stop(end()), { once: true });
  };
  whenAborted(signal, () => ({ how: "stopped", reason: reasonOf(signal) }));
  whenAborted(sole.lost, () => ({
    how: "failed",
    reason: "lock-lost",
    error: classify(sole.lost.reason, "keep the lock"),
  }));
  hear(() => void daemon.desk.reload());
  log.info("started", { pid: context.pid, version: context.version });
  await Promise.race([daemon.ready, daemon.done]);
  if (!signal.aborted) await notify.ready();
  return done();
}

function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : "stopped";
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
