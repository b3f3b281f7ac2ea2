/** Which stores there are: flags, else the config file, else what discovery found and the registry remembers. */
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { childPath, isCleanPath, lastPart, parentPath } from "../base/child-path.ts";
import { MemdError, systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { namesIn } from "../base/folders.ts";
import { quickHash } from "../base/ids.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import type { Store } from "../ports.ts";
import type { Config } from "./config.ts";
import { placed, SHARED } from "./layouts.ts";
import { nearest } from "./nearest.ts";
import { expandHome, type Paths } from "./paths.ts";

/** What names a store before it has a folder for its state. */
export type StoreSpec = Omit<Store, "state">;

export interface StoreFlags {
  readonly names: readonly string[];
  readonly memory: string | null;
  readonly sessions: readonly string[];
  readonly logs: readonly string[];
  /** A client's name, checked by the caller. */
  readonly format?: string | null;
  /** The user's own memory too, where there is one: it takes no part in dreams. */
  readonly person?: boolean;
}

/** The real path of what exists of `path`, with the rest appended: a link and its target are one store. */
function canonical(files: Files, path: string): string {
  try {
    return files.realpath(path);
  } catch (error) {
    const code = systemCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
  }
  const parent = dirname(path);
  return parent === path ? path : join(canonical(files, parent), basename(path));
}

const REGISTRY = "stores.json";

/** Stores that discovery found last time; `status` reads them without looking at a transcript folder. Null: never discovered. */
export function loadRegistry(files: Files, paths: Paths): readonly StoreSpec[] | null {
  const read = readJson(files, join(paths.state, REGISTRY));
  if (read.state !== "read" || !isRecord(read.value) || !Array.isArray(read.value["stores"])) return null;
  return read.value["stores"].flatMap((item) => readSpec(item) ?? []);
}

const textOf = (value: unknown) => (typeof value === "string" ? value : null);
const textsOf = (value: unknown) => (Array.isArray(value) ? value.filter((item) => typeof item === "string") : []);

const KNOWN_LAYOUTS = ["claude-code", "custom", "workspace", "icode", "daily", "person", "team"] as const;

/** A store as memd's own files keep it; null for what names no memory directory. */
function readSpec(value: unknown): StoreSpec | null {
  if (!isRecord(value)) return null;
  const memory = textOf(value["memory"]);
  if (memory === null || !isAbsolute(memory)) return null;
  const shared = SHARED.find((word) => word === value["shared"]);
  return {
    name: textOf(value["name"]) ?? basename(memory),
    layout: KNOWN_LAYOUTS.find((layout) => layout === value["layout"]) ?? "custom",
    memory,
    sessions: textsOf(value["sessions"]),
    logs: textsOf(value["logs"]),
    ...(value["format"] === undefined ? {} : { format: textOf(value["format"]) }),
    project: textOf(value["project"]),
    paused: value["paused"] === true,
    ...(Array.isArray(value["found"]) ? { found: textsOf(value["found"]) } : {}),
    ...(Array.isArray(value["formerly"]) ? { formerly: textsOf(value["formerly"]) } : {}),
    ...(shared === undefined ? {} : { shared }),
  };
}

/** @param token unique to this process: several may start at once */
export function saveRegistry(files: Files, paths: Paths, stores: readonly StoreSpec[], token: string): void {
  const path = join(paths.state, REGISTRY);
  const known = readJson(files, path);
  if (known.state === "read" && JSON.stringify(known.value) === JSON.stringify({ stores })) return;
  writeJson(files, path, { stores }, token);
}

const SPEC = "store.json";

/** Remembers a store beside its state, so that a run can be shown or taken back by its id alone. @param token unique to this process */
export function rememberStore(files: Files, store: Store, token: string): void {
  const { state, ...spec } = store;
  const path = join(state, SPEC);
  const known = readJson(files, path);
  if (known.state === "read" && JSON.stringify(known.value) === JSON.stringify(spec)) return;
  writeJson(files, path, spec, token);
}

/** Every store that ever dreamt on this machine, also those that only flags named. */
export function rememberedStores(files: Files, paths: Paths): readonly Store[] {
  const root = join(paths.state, "stores");
  return namesIn(files, root).flatMap((name) => {
    const state = join(root, name);
    const read = readJson(files, join(state, SPEC));
    const spec = read.state === "read" ? readSpec(read.value) : null;
    return spec === null ? [] : [{ ...spec, state }];
  });
}

function fromFlags(files: Files, flags: StoreFlags, cwd: string): StoreSpec[] {
  const at = (path: string) => resolve(cwd, path);
  if (flags.memory === null) {
    if (flags.sessions.length + flags.logs.length === 0) return [];
    throw new MemdError({
      code: "no-memory-directory",
      family: "usage",
      message: "--sessions and --logs need --memory DIR",
      hint: "Name the memory directory that these sessions feed: --memory DIR.",
    });
  }
  const { memory, layout } = placed(files, at(flags.memory), "auto");
  const name = basename(memory) === "memory" ? basename(dirname(memory)) || "memory" : basename(memory);
  return [
    {
      name,
      layout,
      memory,
      sessions: flags.sessions.map(at),
      logs: flags.logs.map(at),
      format: flags.format ?? null,
      project: null,
      paused: false,
    },
  ];
}

function fromConfig(files: Files, { stores }: Config, home: string): StoreSpec[] {
  const at = (path: string) => (isCleanPath(path) ? path : resolve("/", expandHome(path, home)));
  return stores.map((store) => {
    const { memory, layout } = placed(files, at(store.memory), store.layout);
    return {
      name: store.name ?? lastPart(parentPath(memory)),
      layout,
      memory,
      sessions: store.sessions.map(at),
      logs: store.logs.map(at),
      format: store.format,
      project: store.project === null ? null : at(store.project),
      shared: store.shared,
      paused: store.paused,
    };
  });
}

/** The user's own memory, which other stores feed. */
export function personStore(paths: Paths, { person }: Config): Store {
  const memory = person.memory ?? join(paths.data, "person", "memory");
  const spec: StoreSpec = {
    name: "person",
    layout: "person",
    memory,
    sessions: [],
    logs: [],
    project: null,
    paused: false,
  };
  return { ...spec, state: stateFolder(paths, spec) };
}

/**
 * All sources of one project feed one store, and where a configured one has the project, that is it: what was found for the project is
 * its too, and has no store of its own. One that only names the memory of a found store, or one that lies in a found project as its
 * layout wants it, takes what feeds that.
 */
function asConfigured(files: Files, configured: readonly StoreSpec[], found: readonly StoreSpec[]): StoreSpec[] {
  const claimed = new Set<StoreSpec>();
  const whole = configured.map((spec) => {
    const project = spec.project === null ? null : canonical(files, spec.project);
    const isBare = spec.sessions.length + spec.logs.length === 0;
    const around = placeAround(spec);
    const own = found.filter((other) => {
      if (project !== null) return other.project === project;
      return isBare && (other.memory === spec.memory || (around !== null && other.project === around));
    });
    for (const other of own) claimed.add(other);
    const more = own.flatMap(({ sessions }) => sessions).filter((path) => !spec.sessions.includes(path));
    const [first] = own;
    if (first === undefined) return spec;
    const { formerly = [] } = first;
    const known = { project: project ?? first.project, ...(formerly.length > 0 ? { formerly } : {}) };
    return more.length === 0
      ? { ...spec, ...known }
      : { ...spec, ...known, sessions: [...spec.sessions, ...more], found: more };
  });
  return [...whole, ...found.filter((spec) => !claimed.has(spec))];
}

/** The folder that an agent works in whose memory lies so; null for a layout that does not tell. */
function placeAround({ layout, memory }: StoreSpec): string | null {
  if (layout === "workspace") return parentPath(memory);
  return layout === "icode" ? parentPath(parentPath(memory)) : null;
}

/** Later ones of equal name get a number that makes a name of nobody else's; `--store` must name exactly one. */
function withUniqueNames(specs: readonly StoreSpec[]): StoreSpec[] {
  const given = new Set(specs.map(({ name }) => name));
  const taken = new Set<string>();
  return specs.map((spec) => {
    let { name } = spec;
    for (let n = 2; taken.has(name) || (name !== spec.name && given.has(name)); n++) name = `${spec.name}-${n}`;
    taken.add(name);
    return { ...spec, name };
  });
}

function select(stores: readonly Store[], names: readonly string[]): readonly Store[] {
  if (names.length === 0) return stores;
  return names.map((name) => {
    const found = stores.find((store) => store.name === name);
    if (found) return found;
    const near = nearest(
      name,
      stores.map((store) => store.name),
    );
    throw new MemdError({
      code: "unknown-store",
      family: "usage",
      message: `there is no store ${JSON.stringify(name)}`,
      hint: near ? `Did you mean --store ${near}?` : "memd status lists the stores.",
    });
  });
}

/**
 * Resolves the stores of a command, in the order flags, config, discovery.
 * @param discovered what discovery or the registry offers; called only when the flags name no store
 * @throws MemdError usage: `no-memory-directory`, `unknown-store`
 */
export async function resolveStores(
  world: { readonly files: Files; readonly paths: Paths; readonly cwd: string },
  config: Config,
  flags: StoreFlags,
  discovered: () => Promise<readonly StoreSpec[]>,
): Promise<readonly Store[]> {
  const { files, paths, cwd } = world;
  const named = fromFlags(files, flags, cwd);
  const configured = fromConfig(files, config, paths.home);
  const real = (spec: StoreSpec) => ({ ...spec, memory: canonical(files, spec.memory) });
  const found = named.length === 0 && config.discover ? (await discovered()).map(real) : [];
  const specs = named.length > 0 ? named.map(real) : asConfigured(files, configured.map(real), found);
  const byMemory = new Map<string, StoreSpec>();
  for (const spec of specs) if (!byMemory.has(spec.memory)) byMemory.set(spec.memory, spec);
  const person = personStore(paths, config);
  const isThere = flags.person === true && named.length === 0 && config.person.enabled;
  if (isThere && files.stat(person.memory)?.kind === "dir") byMemory.set(person.memory, person);
  const stores = withUniqueNames([...byMemory.values()]).map((spec) => ({ ...spec, state: stateFolder(paths, spec) }));
  return select(stores, flags.names);
}

/**
 * Known by the memory directory alone: a store that gets another name keeps its places and tombstones. Without node:crypto, which costs
 * `status` as much as its forty stores.
 */
function stateFolder(paths: Paths, spec: StoreSpec): string {
  const own = lastPart(spec.memory);
  const last = own === "memory" ? lastPart(parentPath(spec.memory)) : own;
  const plain = last.replace(/[^A-Za-z0-9._-]+/g, "-");
  const readable = plain.slice(plain.search(/[^.-]|$/)).slice(0, 40) || "store";
  return childPath(paths.state, `stores/${readable}-${quickHash(spec.memory).toString(36)}`);
}
