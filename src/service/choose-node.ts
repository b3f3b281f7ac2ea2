/** Which node runs the daemon: one that is there tomorrow, new enough, and able to load what memd was installed with. */
import { join } from "node:path";
import { MemdError } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import type { Programs } from "./programs.ts";
import { aliasOf, isPassing, managerOf, moverOf, realOf, stableLink } from "./versioned-path.ts";

export interface ChosenNode {
  readonly path: string;
  /** `20.20.2` */
  readonly version: string;
  /** Why this one, for people. */
  readonly why: string;
  /** Who moves it at an upgrade; null for a path that stays. */
  readonly mover: string | null;
  /** Named by the user. */
  readonly chosen: boolean;
}

export interface NodeWorld {
  readonly files: Files;
  readonly programs: Programs;
  /** The node that runs now. */
  readonly node: { readonly path: string; readonly version: string };
  /** Folder in which `require("better-sqlite3")` looks as memd does. */
  readonly base: string;
  readonly temporary: string | null;
}

/** What distributions and installers call their own. */
const SYSTEM_NODES = [
  "/usr/bin/node",
  "/usr/local/bin/node",
  "/opt/homebrew/bin/node",
  "/run/current-system/sw/bin/node",
];
const OLDEST = [20, 19] as const;

/**
 * In this order: named by the user (now or at the last installation), the running one where its path stays, a package manager's own link to
 * it, a node of the system, a version manager's link, and last the versioned path itself.
 * @param named by `--node`, or kept from the installed unit; null for none
 * @throws MemdError misconfigured `bad-node`: the named one does not run, or is too old
 */
export async function chooseNode(world: NodeWorld, named: string | null): Promise<ChosenNode> {
  if (named !== null) return namedNode(world, named);
  const { files, node } = world;
  const running = { path: node.path, version: node.version, chosen: false };
  const mover = moverOf(node.path) ?? (isPassing(node.path, world.temporary) ? "a temporary folder" : null);
  if (mover === null) return { ...running, why: "it runs memd now", mover };
  const link = stableLink(files, node.path);
  if (link !== null) return { ...running, path: link, why: `a link that ${mover} keeps right`, mover: null };
  const system = await systemNode(world);
  if (system !== null) return { ...system, why: `a node of the system; the running one belongs to ${mover}` };
  const alias = aliasOf(files, node.path);
  if (alias !== null) return { ...running, path: alias, why: `a link of ${mover}; no node of the system fits`, mover };
  return { ...running, why: `it runs memd now; no node of the system fits`, mover };
}

async function namedNode(world: NodeWorld, path: string): Promise<ChosenNode> {
  const version = await versionOf(world.programs, path);
  if (version === null || !isSupported(version)) {
    const state = version === null ? "does not run" : `is version ${version}`;
    const message = `the node ${path} ${state}`;
    throw new MemdError({
      code: "bad-node",
      family: "misconfigured",
      message,
      hint: `Name a node of version ${OLDEST.join(".")} or newer by its absolute path: memd service install --node PATH.`,
    });
  }
  return { path, version, why: "named by --node", mover: moverOf(path), chosen: true };
}

async function systemNode({ files, programs, base, node }: NodeWorld): Promise<Omit<ChosenNode, "why"> | null> {
  const needsSqlite = await loadsSqlite(programs, node.path, base);
  for (const path of SYSTEM_NODES) {
    const real = realOf(files, path);
    // A link into a version manager's folder only looks like the system's.
    if (real === null || (managerOf(real) !== null && stableLink(files, real) === null)) continue;
    const version = await versionOf(programs, path);
    if (version === null || !isSupported(version)) continue;
    if (needsSqlite && !(await loadsSqlite(programs, path, base))) continue;
    return { path, version, mover: null, chosen: false };
  }
  return null;
}

async function versionOf(programs: Programs, path: string): Promise<string | null> {
  const { status, stdout } = await programs.run(path, ["--version"]);
  return status === 0 ? (/^v(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? null) : null;
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** The ledger's native part is built for one line of Node. A database is opened too: the package alone does not load it. @param base folder of memd */
export async function loadsSqlite(programs: Programs, node: string, base: string): Promise<boolean> {
  const from = JSON.stringify(join(base, "package.json"));
  const script = `new (require("node:module").createRequire(${from})("better-sqlite3"))(":memory:").close()`;
  return (await programs.run(node, ["-e", script])).status === 0;
}
