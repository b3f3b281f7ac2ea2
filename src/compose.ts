/**
 * Builds the real world: the only file that reads the process, the environment and the platform, and chooses implementations.
 * Everything heavier than `status` needs is imported when it is used.
 */
import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { systemClock } from "./base/clock.ts";
import { MemdError } from "./base/errors.ts";
import { nodeFiles } from "./base/files.ts";
import { systemProcesses } from "./base/process.ts";
import type { Input } from "./commands/command.ts";
import type { Context, Output } from "./commands/context.ts";
import type { StatusWorld } from "./commands/status-world.ts";
import { type Config, loadConfig } from "./config/config.ts";
import { platformPaths } from "./config/paths.ts";
import { loadRegistry, rememberedStores, rememberStore, resolveStores, saveRegistry, type StoreSpec } from "./config/stores.ts";
import { machineId } from "./ledger/machine.ts";
import type { LeaseWorld } from "./lock/occupancy.ts";
import type { Store } from "./ports.ts";
import type { Ended } from "./steps/run.ts";
import type { Ledger } from "./ledger/ledger.ts";
import type { Place } from "./store/place.ts";

declare const MEMD_VERSION: string | undefined;

function output(stream: NodeJS.WriteStream): Output {
  return { write: (text) => void stream.write(text), terminal: stream.isTTY === true };
}

async function ask(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question, { signal });
  } finally {
    lines.close();
  }
}

function interrupted(signal: string): MemdError {
  const hint = "Nothing was changed, unless apply had begun; then it is finished or taken back at the next start.";
  return new MemdError({ code: "interrupted", family: "interrupted", message: `stopped by ${signal}`, hint });
}

/**
 * The context of the running process; SIGINT and SIGTERM abort its signal. The listeners stay: where proper-lockfile's exit hook finds
 * itself alone on a signal, it ends the process at once, in the middle of a roll back.
 */
export function realContext(host: NodeJS.Process): Context {
  const abort = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) host.on(name, () => abort.abort(interrupted(name)));
  const home = host.env["HOME"] || homedir();
  return {
    env: host.env,
    paths: platformPaths(host.env, host.platform, home),
    platform: host.platform,
    cwd: host.cwd(),
    files: nodeFiles,
    clock: systemClock,
    random: randomBytes,
    stdout: output(host.stdout),
    stderr: output(host.stderr),
    ask: host.stdin.isTTY && host.stderr.isTTY ? (question) => ask(question, abort.signal) : null,
    signal: abort.signal,
    version: typeof MEMD_VERSION === "string" ? MEMD_VERSION : "0.0.0-source",
    pid: host.pid,
  };
}

/** The configuration and the stores that a command names. Discovery looks at transcript folders, so only `dream` asks for it. */
export async function composeStores(
  context: Context,
  input: Input,
  { discover = false }: { discover?: boolean } = {},
): Promise<{ config: Config; stores: readonly Store[] }> {
  const { config } = await loadConfig(context.files, context.paths);
  const flags = {
    names: input.texts("store"),
    memory: input.text("memory"),
    sessions: input.texts("sessions"),
    logs: input.texts("logs"),
  };
  const remembered = () => (discover ? null : loadRegistry(context.files, context.paths));
  const stores = await resolveStores(context, config, flags, async () => remembered() ?? (await discoverStores(context)));
  return { config, stores };
}

/** Stores in which a run may be looked for: those of the command, and without flags all that ever dreamt here. */
export async function composePastStores(context: Context, input: Input): Promise<{ config: Config; stores: readonly Store[] }> {
  const { config, stores } = await composeStores(context, input);
  if (input.texts("store").length > 0 || input.text("memory") !== null) return { config, stores };
  const known = new Set(stores.map(({ state }) => state));
  return { config, stores: [...stores, ...rememberedStores(context.files, context.paths).filter(({ state }) => !known.has(state))] };
}

/** Finds Claude Code's stores and remembers them, so that `status` needs no look at its folders. */
async function discoverStores(context: Context): Promise<readonly StoreSpec[]> {
  const { discoverClaudeStores } = await import("./sources/claude-store.ts");
  const { loadStoreCache, saveStoreCache } = await import("./steps/store-cache.ts");
  const { files, paths } = context;
  const cache = loadStoreCache(files, paths.state);
  const found = await discoverClaudeStores(files, paths.claude, cache);
  saveStoreCache(files, paths.state, cache);
  const specs = found.map((store): StoreSpec => ({ ...store, layout: "claude-code", logs: [], paused: false }));
  saveRegistry(files, paths, specs);
  return specs;
}

function leaseWorld(context: Context): LeaseWorld {
  const { files, clock, random, paths } = context;
  return { files, clock, random, processes: systemProcesses(process), seen: new Map(), machineId: machineId(files, paths.state, random) };
}

export async function composeStatus(context: Context): Promise<StatusWorld> {
  return { files: context.files, clock: context.clock, lease: leaseWorld(context) };
}

/** Everything that a run over one store works with. */
export async function composeDream(context: Context, plan: { config: Config; store: Store; headless: boolean }) {
  const { buildWorld } = await import("./steps/build.ts");
  return buildWorld(context, {
    ...plan,
    lease: leaseWorld(context),
    node: { path: process.execPath, flags: process.allowedNodeEnvironmentFlags },
    childPath: join(import.meta.dirname, "distiller-child.js"),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
}

/** Opens the ledger for one use and closes it. */
export async function withLedger<T>(context: Context, use: (ledger: Ledger) => T): Promise<T> {
  const { openLedger } = await import("./ledger/ledger.ts");
  const { lastRuns } = await import("./steps/build.ts");
  const { files, random, paths } = context;
  const ledger = await openLedger({ files, random, lastRuns: () => lastRuns(files, paths.state) }, join(paths.state, "ledger.db"));
  try {
    return use(ledger);
  } finally {
    ledger.close();
  }
}

export async function composePlace(context: Context, store: Store): Promise<Place> {
  const { placeOf } = await import("./steps/build.ts");
  return placeOf(context.files, store, machineId(context.files, context.paths.state, context.random));
}

/** One run over one store, from its gates to its report. */
export async function runStore(context: Context, job: RunJob): Promise<Ended> {
  const { runDream } = await import("./steps/run.ts");
  const world = await composeDream(context, { ...job, headless: job.input.flag("headless") });
  if (!job.input.flag("dry-run")) rememberStore(context.files, job.store);
  try {
    return await runDream(world, context.signal, {
      now: job.input.flag("now"),
      dryRun: job.input.flag("dry-run"),
      keepBrief: job.input.flag("keep-brief"),
      cause: job.input.flag("now") ? "now" : "scan",
      progress: job.progress,
    });
  } finally {
    await world.close();
  }
}

export interface RunJob {
  readonly config: Config;
  readonly store: Store;
  readonly input: Input;
  readonly progress: (step: string, detail: string) => void;
}

/** `status --scan`: counts the sessions of each store anew. */
export async function scanStores(context: Context, config: Config, stores: readonly Store[]): Promise<void> {
  const { scanNow } = await import("./steps/run.ts");
  for (const store of stores) await scanNow(await composeDream(context, { config, store, headless: false }), context.signal);
}
