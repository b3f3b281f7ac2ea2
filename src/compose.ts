/**
 * Builds the real world: the only file that reads the process, the environment and the platform, and chooses implementations.
 * Everything heavier than `status` needs is imported when it is used, and parts of Node count: a stream on stdout, node:crypto and
 * a signal handler cost a start some 2 ms each, of 15 that a bare Node takes.
 */
import { join, resolve } from "node:path";
import { systemClock } from "./base/clock.ts";
import { MemdError, systemCode } from "./base/errors.ts";
import { nodeFiles } from "./base/files.ts";
import { standardOutput } from "./base/output.ts";
import { systemProcesses } from "./base/process.ts";
import { type Input, usage } from "./commands/command.ts";
import type { Context } from "./commands/context.ts";
import { plainOutput } from "./commands/plain.ts";
import type { StatusWorld } from "./commands/status-world.ts";
import { type Config, configOf, loadConfig } from "./config/config.ts";
import { platformPaths } from "./config/paths.ts";
import {
  loadRegistry,
  rememberedStores,
  rememberStore,
  resolveStores,
  type StoreFlags,
  type StoreSpec,
} from "./config/stores.ts";
import type { RepairWorld } from "./doctor/repair.ts";
import type { DreamRequest } from "./dream.ts";
import type { EventSink } from "./ledger/event.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { knownMachineId, machineId } from "./ledger/machine.ts";
import type { LeaseWorld } from "./lock/occupancy.ts";
import type { Store } from "./ports.ts";
import type { ServiceWorld } from "./service/world.ts";
import type { Ended } from "./steps/run.ts";
import type { Place } from "./store/place.ts";

declare const MEMD_VERSION: string | undefined;

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
 * Aborted by SIGINT and SIGTERM. The listeners stay: where proper-lockfile's exit hook finds itself alone on a signal, it ends the process at
 * once, in the middle of a roll back.
 */
function interruption(host: NodeJS.Process): AbortSignal {
  const abort = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) host.on(name, () => abort.abort(interrupted(name)));
  return abort.signal;
}

/** `/` where the folder was removed under the shell: what is named by its whole path is still found. */
function cwdOf(host: NodeJS.Process): string {
  try {
    return host.cwd();
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return "/";
  }
}

/** The context of the running process. Only a command that can be interrupted halfway asks for the signal; others just end. */
export function realContext(host: NodeJS.Process): Context {
  let signal: AbortSignal | null = null;
  const cwd = cwdOf(host);
  const paths = platformPaths(host.env, host.platform, host.env.HOME || host.getBuiltinModule("node:os").homedir());
  return {
    env: host.env,
    paths: { ...paths, configFile: resolve(cwd, paths.configFile) },
    platform: host.platform,
    cwd,
    files: nodeFiles,
    clock: systemClock,
    random: (bytes) => host.getBuiltinModule("node:crypto").randomBytes(bytes),
    stdout: plainOutput(standardOutput(1, () => host.stdout)),
    stderr: plainOutput(standardOutput(2, () => host.stderr)),
    get ask() {
      return host.stdin.isTTY && host.stderr.isTTY
        ? (question: string, until?: AbortSignal) => ask(question, until ?? this.signal)
        : null;
    },
    get signal() {
      signal ??= interruption(host);
      return signal;
    },
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
  // Discovery may take a while: from here on a signal ends the command with its own exit code.
  if (discover) context.signal.throwIfAborted();
  const { config } = await loadConfig(context.files, context.paths, () => tokenOf(context));
  const remembered = () => (discover ? null : loadRegistry(context.files, context.paths));
  const stores = await resolveStores(
    context,
    config,
    { ...(await storeFlags(input, config)), person: !discover },
    async () => remembered() ?? (await discoverStores(context, config)),
  );
  return { config, stores };
}

export async function storeFlags(input: Input, { formats }: Config): Promise<StoreFlags> {
  const flags = {
    names: input.texts("store"),
    memory: input.text("memory"),
    sessions: input.texts("sessions"),
    logs: input.texts("logs"),
  };
  return {
    ...flags,
    format: await formatFlag(
      input,
      formats.map(({ name }) => name),
    ),
  };
}

/** The client or described format that `--format` names, by its full name. */
async function formatFlag(input: Input, described: readonly string[]): Promise<string | null> {
  const given = input.text("format");
  if (given === null) return null;
  const { formatNamed, formatNames } = await import("./config/formats.ts");
  const known = formatNames(described).join(", ");
  const found = formatNamed(given, described);
  if (found === null) throw usage(`there is no format ${JSON.stringify(given)}`, `Known formats: ${known}.`);
  if (input.texts("sessions").length === 0)
    throw usage("--format needs --sessions DIR", "Name the folder whose transcripts are of that client.");
  return found;
}

/** Stores in which a run may be looked for: those of the command, and without flags all that ever dreamt here. */
export async function composePastStores(
  context: Context,
  input: Input,
): Promise<{ config: Config; stores: readonly Store[] }> {
  const { config, stores } = await composeStores(context, input);
  if (input.texts("store").length > 0 || input.text("memory") !== null) return { config, stores };
  const known = new Set(stores.map(({ state }) => state));
  return {
    config,
    stores: [...stores, ...rememberedStores(context.files, context.paths).filter(({ state }) => !known.has(state))],
  };
}

/** Names temp files of what any process may write, without a lock, at the same moment as another. */
function tokenOf({ random }: Context): string {
  return Buffer.from(random(8)).toString("hex");
}

/** Finds the agents' stores and remembers them, so that `status` needs no look at their folders. */
async function discoverStores(context: Context, config: Config): Promise<readonly StoreSpec[]> {
  const { discover } = await import("./steps/discover.ts");
  const { keepLearned, loadIdentities, loadStoreCache } = await import("./steps/store-cache.ts");
  const { files, paths } = context;
  const cache = loadStoreCache(files, paths.state);
  const identities = loadIdentities(files, paths.state);
  const specs = await discover(files, { paths, config, cache, identities });
  keepLearned(files, paths, { cache, identities, specs, token: tokenOf(context) });
  return specs;
}

function leaseWorld(context: Context, name?: () => string): LeaseWorld {
  const { files, clock, random, paths } = context;
  const nameOf = name ?? (() => machineId(files, paths.state, random));
  let machine: string | null = null;
  return {
    files,
    clock,
    random,
    processes: systemProcesses(process),
    seen: new Map(),
    // Made when first asked for: a look at a free lock needs no name.
    get machineId() {
      machine ??= nameOf();
      return machine;
    },
  };
}

export function composeStatus(context: Context): StatusWorld {
  return { files: context.files, clock: context.clock, lease: leaseWorld(context), state: context.paths.state };
}

/** What the doctor looks at. A configuration that is not valid is one finding: the rest is looked at by the defaults. */
export async function composeDoctor(context: Context, input: Input): Promise<RepairWorld> {
  const { readConfig } = await import("./config/read.ts");
  const { doctorHost } = await import("./doctor/host.ts");
  const { storesToExamine } = await import("./doctor/stores.ts");
  const { files, clock, env, paths, random, version } = context;
  const read = readConfig(files, paths);
  const config = configOf(read.values);
  const { stores, remembered, troubles } = await storesToExamine(context, config, await storeFlags(input, config));
  // A name for this look alone where there is none yet: looking makes no file.
  const lease = leaseWorld(context, () => knownMachineId(files, paths.state) ?? tokenOf(context));
  const host = doctorHost(process, join(import.meta.dirname, "distiller-child.mjs"));
  const open = (store: Store) => composeDream(context, { config, store, headless: false });
  const service = await composeService(context);
  const seen = { read, config, stores, troubles, remembered };
  return { files, clock, env, paths, random, version, host, lease, service, ...seen, open };
}

/** SIGHUP asks a resident process to read its configuration anew; without a listener it would end it. */
export function onHangup(act: () => void): void {
  process.on("SIGHUP", act);
}

/** Something was thrown that nobody catches: Node then ends the process with code 1, after `act`. */
export function onCrash(act: (thrown: unknown) => void): void {
  process.on("uncaughtExceptionMonitor", act);
}

export interface DreamPlan {
  readonly config: Config;
  readonly store: Store;
  readonly headless: boolean;
  readonly events?: EventSink;
}

export async function composeService(context: Context): Promise<ServiceWorld> {
  const { serviceWorld } = await import("./service/host.ts");
  return serviceWorld(context, { host: process, dist: import.meta.dirname, token: tokenOf(context) });
}

/** Everything that a run over one store works with. */
export async function composeDream(context: Context, plan: DreamPlan) {
  // Before a lock is held the listeners must stand.
  context.signal.throwIfAborted();
  const { buildWorld } = await import("./steps/build.ts");
  return buildWorld(context, {
    ...plan,
    lease: leaseWorld(context),
    node: { path: process.execPath, flags: process.allowedNodeEnvironmentFlags },
    childPath: join(import.meta.dirname, "distiller-child.mjs"),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
}

/** Opens the ledger for one use and closes it. */
export async function withLedger<T>(context: Context, use: (ledger: Ledger) => T): Promise<T> {
  const { ledgerOf } = await import("./steps/ledger.ts");
  const ledger = await ledgerOf(context);
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
export async function runStore(context: Context, plan: DreamPlan, request: DreamRequest): Promise<Ended> {
  const { runDream } = await import("./steps/run.ts");
  const world = await composeDream(context, plan);
  if (!request.dryRun) rememberStore(context.files, plan.store, tokenOf(context));
  try {
    return await runDream(world, context.signal, request);
  } finally {
    await world.close();
  }
}

/** `status --scan`: counts the sessions of each store anew. */
export async function scanStores(context: Context, config: Config, stores: readonly Store[]): Promise<void> {
  const { scanNow } = await import("./steps/run.ts");
  for (const store of stores)
    await scanNow(await composeDream(context, { config, store, headless: false }), context.signal);
}
