/**
 * The fence around a distiller: how the child is started so that it can read its brief and memd's code and nothing else, and how the child
 * itself finds out whether that holds. Node's permission model refuses; the shell's limits are the kernel's and hold even where it errs.
 * Not held by this fence: network, unix sockets included, and signals to the user's own processes.
 */
import { closeSync, openSync } from "node:fs";
import { isAbsolute } from "node:path";
import { MemdError, systemCode } from "../base/errors.ts";

/** The Node that runs the child, and what it knows. */
export interface Runtime {
  readonly node: string;
  /** `process.allowedNodeEnvironmentFlags` of that Node. */
  readonly flags: { has(flag: string): boolean };
}

export interface Walls {
  /** Real paths of folders and files that may be read. */
  readonly readable: readonly string[];
  /** JavaScript heap, MiB. */
  readonly heapMb: number;
  /** All writable memory of the process, buffers included, MiB. Node 24 does not start below 1,024. */
  readonly dataMb: number;
  /** Processor time: what ends a child in an endless loop when its parent was killed and cannot. */
  readonly cpuSeconds: number;
  /** Where the Node can refuse it (from 25 on): others let every child connect. */
  readonly network?: boolean;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment, where it is another than that of the place it is started in. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard output is no output: what it runs goes when that is closed, and tells its exit code there. */
  readonly lifeline?: boolean;
}

/** Given where the Node knows them: an unknown flag ends Node before it starts. */
const WHERE_KNOWN = [
  "--no-experimental-sqlite", // node:sqlite ignores the permission model (22.23, 24.22): it read and wrote any file
  "--disable-sigusr1", // else a signal from any process of the user opens an inspector
  "--disallow-code-generation-from-strings",
];

/**
 * The command that runs `program` (script and arguments) inside the fence.
 * @throws MemdError misconfigured `no-fence` when this Node has no permission model, `bad-path` when a path cannot be granted exactly
 */
export function fencedCommand(runtime: Runtime, walls: Walls, program: readonly string[]): Command {
  for (const path of walls.readable) requireExact(path);
  const nodeFlags = [
    permissionFlag(runtime),
    ...walls.readable.map((path) => `--allow-fs-read=${path}`),
    ...[...WHERE_KNOWN, ...(walls.network ? ["--allow-net"] : [])].filter((flag) => runtime.flags.has(flag)),
    "--no-addons",
    "--no-warnings",
    "--trace-event-file-pattern=/dev/null", // Node 20 writes traces to the current folder in spite of its permission model
    `--max-old-space-size=${walls.heapMb}`,
  ];
  // No file grows (-f), no core dump keeps the user's words (-c). One call per limit: dash reads only the last of several.
  const limits = `ulimit -c 0; ulimit -f 0; ulimit -d ${walls.dataMb * 1024}; ulimit -t ${walls.cpuSeconds}`;
  const script = `{ ${limits}; } 2>/dev/null; exec "$@"`;
  return { file: "/bin/sh", args: ["-c", script, "memd-distiller", runtime.node, ...nodeFlags, ...program] };
}

function permissionFlag({ flags }: Runtime): string {
  const flag = ["--permission", "--experimental-permission"].find((name) => flags.has(name));
  if (flag) return flag;
  throw noFence("this Node has no permission model");
}

/** The permission model takes `*` anywhere in a path as a wildcard, and has no way to quote it. */
function requireExact(path: string): void {
  if (isAbsolute(path) && !path.includes("*")) return;
  throw new MemdError({
    code: "bad-path",
    family: "misconfigured",
    message: `the distiller cannot be fenced in by the path ${JSON.stringify(path)}`,
    hint: "Use a state directory and an installation path without an asterisk.",
  });
}

export function noFence(why: string): MemdError {
  return new MemdError({
    code: "no-fence",
    family: "misconfigured",
    message: `the distiller was not run: ${why}`,
    hint: "Run memd with Node 20.19, 22.13 or newer, unmodified.",
  });
}

/**
 * What the fence should stop and does not, by trying it. For the child; an empty list means that the fence holds.
 * @param ownFile a file that may be read; it is opened for writing, but never changed
 * @param foreignFile a file that exists and may not be read
 */
export function fenceHoles(ownFile: string, foreignFile: string): string[] {
  const attempts: [string, () => unknown][] = [
    ["it can read outside its brief", () => closeSync(openSync(foreignFile, "r"))],
    ["it can write", () => closeSync(openSync(ownFile, "r+"))],
    ["it can start processes", () => !granted("child") && deny()],
    ["it can start workers", () => !granted("worker") && deny()],
    ["it can open databases", () => openDatabase(foreignFile)],
  ];
  return attempts.filter(([, attempt]) => !isDenied(attempt)).map(([hole]) => hole);
}

/** `process.permission` is missing from the types of Node 20. */
function granted(scope: string): boolean {
  const permission: unknown = Reflect.get(process, "permission");
  if (typeof permission !== "object" || permission === null || !("has" in permission)) return true;
  return typeof permission.has !== "function" || permission.has(scope) !== false;
}

function openDatabase(path: string): void {
  const sqlite: unknown = process.getBuiltinModule?.("node:sqlite");
  if (typeof sqlite !== "object" || sqlite === null || !("DatabaseSync" in sqlite)) deny();
  else if (typeof sqlite.DatabaseSync === "function")
    Reflect.construct(sqlite.DatabaseSync, [path, { readOnly: true }]);
}

function deny(): never {
  throw Object.assign(new Error("denied"), { code: "ERR_ACCESS_DENIED" });
}

/** Only the fence's own refusal counts: a file that is missing or kept by its mode says nothing about the fence. */
function isDenied(attempt: () => unknown): boolean {
  try {
    attempt();
    return false;
  } catch (error) {
    return systemCode(error) === "ERR_ACCESS_DENIED";
  }
}
