/** The daemon with its stores, its socket and its events, bound to the real world. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { classify } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { systemTimers } from "../base/timers.ts";
import { composeDream, composeStatus, composeStores, storeFlags } from "../compose.ts";
import { loadConfig } from "../config/config.ts";
import { loadRegistry, rememberStore, resolveStores } from "../config/stores.ts";
import type { End } from "../daemon/world.ts";
import { type Daemon, startDaemon } from "../daemon.ts";
import type { EventSink } from "../ledger/event.ts";
import { openEventLog } from "../ledger/event-log.ts";
import { type LiveSocket, openSocket } from "../live/server.ts";
import type { Notify } from "../service/notify.ts";
import { findInChild, makeFinder } from "../steps/find-stores.ts";
import { type Resident, residentWorld, rootsOf } from "../steps/resident.ts";
import type { Input } from "./command.ts";
import type { Context } from "./context.ts";

export interface Serving {
  readonly context: Context;
  readonly input: Input;
  readonly log: Log;
  readonly notify: Notify;
}

export interface Served {
  readonly daemon: Daemon;
  /** When everything is closed. */
  done(): Promise<End>;
}

/** To be called while the lock is held that makes this the only daemon. @throws MemdError when the configuration is not valid */
export async function serve(serving: Serving): Promise<Served> {
  const { context, log } = serving;
  const { files, clock, paths, pid, version } = context;
  const kept = openEventLog({ files, clock, state: paths.state, token: tokensOf(context) });
  let socket: LiveSocket | null = null;
  const events: EventSink = {
    emit: (event) => {
      kept.emit(event);
      socket?.tell({ ...event });
    },
    get trouble() {
      return kept.trouble;
    },
  };
  const daemon = await startDaemon(residentWorld(residentOf(serving, events)));
  socket = await listen(serving, daemon);
  events.emit({ event: "daemon-started", pid, version });
  const done = async () => {
    const end = await daemon.done;
    await socket?.close().catch((error: unknown) => warnOf(log, "close the socket", error));
    return end;
  };
  return { daemon, done };
}

const tokensOf = (context: Context) => () => Buffer.from(context.random(8)).toString("hex");

function residentOf(serving: Serving, events: EventSink): Resident {
  const { context, log, notify } = serving;
  const { files, paths } = context;
  const token = tokensOf(context);
  return {
    context,
    timers: systemTimers,
    log,
    manager: notify,
    events,
    lease: composeStatus(context).lease,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    program: import.meta.dirname,
    load: async () => (await loadConfig(files, paths, token)).config,
    stores: storesOf(serving),
    dreamWorld: (plan) => composeDream(context, { ...plan, headless: false }),
    remember: (store) => rememberStore(files, store, token()),
  };
}

/** Without a socket all works, and status tells what stands on the disk. */
async function listen({ context, log }: Serving, daemon: Daemon): Promise<LiveSocket | null> {
  const { files, paths, env } = context;
  try {
    const world = { files, state: paths.state, runtime: env["XDG_RUNTIME_DIR"] ?? null, token: tokensOf(context)() };
    return await openSocket(world, daemon.desk);
  } catch (error) {
    warnOf(log, "listen on the socket", error);
    return null;
  }
}

/** What the daemon can do without. @param what as in "cannot WHAT" */
export function warnOf(log: Log, what: string, error: unknown): void {
  const { code, message, hint } = classify(error, what);
  log.warn(message, { code, hint });
}

/** The stores that flags or the configuration name, and those that are found. */
function storesOf({ context, input }: Serving): Resident["stores"] {
  const { files, clock, paths, signal } = context;
  const program = { node: process.execPath, path: join(import.meta.dirname, "memd.js") };
  const find = async () => {
    // Run from its sources memd has no file that could be started.
    if (existsSync(program.path)) await findInChild(program, signal);
    else await composeStores(context, input, { discover: true });
  };
  let finder: { readonly of: string; readonly find: () => Promise<void> } | null = null;
  return async (config, trouble) => {
    const roots = rootsOf(config, paths);
    const of = roots.join("\n");
    if (finder?.of !== of) finder = { of, find: makeFinder({ files, clock, roots, find }) };
    const { find: bringUpToDate } = finder;
    return resolveStores(context, config, await storeFlags(input, config), async () => {
      await bringUpToDate().catch(trouble);
      return loadRegistry(files, paths) ?? [];
    });
  };
}
