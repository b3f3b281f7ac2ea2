/**
 * A disk whose power fails. Verbs act on the real files at once, as a running system sees them; beside that the model keeps what is
 * certain to be there afterwards: the bytes of a file once it was fsynced, and the entries of a directory as of its last sync. When the
 * power fails, every entry that was changed since takes any of the values it had, each by itself. No file system is kinder than it
 * must be here, and some are as harsh.
 */
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import type { Chance } from "./chance.ts";

/** What an entry leads to: a file's content, or a directory. */
interface FileNode {
  readonly kind: "file";
  bytes: Buffer;
  /** Cut somewhere by the failure, since it was never synced. */
  synced: boolean;
  mode: number;
  mtime: Date;
}

interface DirNode {
  readonly kind: "dir";
  /** By name: the values since the last sync; the first one is on the disk. */
  readonly entries: Map<string, (Node | null)[]>;
}

type Node = FileNode | DirNode;

export interface PowerFiles extends Files {
  /** Rewrites the real tree to what the failure leaves. @param survives true: the newest value of an entry, else any older one */
  fail(chance: Chance, survives: "none" | "any"): void;
}

/** Not part of the model: SQLite and the lock library write past the file verbs, and have their own ways to survive. */
const OTHERS = /^(?:ledger\.db|lease\.lock)/;

function scan(path: string, inodes: Map<string, FileNode>): DirNode {
  const entries = new Map<string, (Node | null)[]>();
  for (const entry of existsSync(path) ? readdirSync(path, { withFileTypes: true }) : []) {
    if (OTHERS.test(entry.name)) continue;
    const child = join(path, entry.name);
    if (entry.isDirectory()) entries.set(entry.name, [scan(child, inodes)]);
    else if (entry.isFile()) entries.set(entry.name, [fileOf(child, inodes)]);
  }
  return { kind: "dir", entries };
}

function fileOf(path: string, inodes: Map<string, FileNode>): FileNode {
  const stat = lstatSync(path);
  const key = `${stat.dev}:${stat.ino}:${stat.birthtimeMs}`;
  const known = inodes.get(key);
  if (known) return known;
  const node: FileNode = {
    kind: "file",
    bytes: readFileSync(path),
    synced: true,
    mode: stat.mode & 0o777,
    mtime: stat.mtime,
  };
  inodes.set(key, node);
  return node;
}

/** @param roots the folders that lose power; everything else is another disk */
export function powerFiles(roots: readonly string[]): PowerFiles {
  const inodes = new Map<string, FileNode>();
  const trees = new Map(roots.map((root) => [root, scan(root, inodes)]));
  const rootOf = (path: string) => roots.find((root) => path === root || path.startsWith(`${root}/`));
  const current = (dir: DirNode, name: string) => dir.entries.get(name)?.at(-1) ?? null;

  const dirAt = (path: string): DirNode | null => {
    const root = rootOf(path);
    let dir = root === undefined ? undefined : trees.get(root);
    for (const name of root === undefined || path === root ? [] : path.slice(root.length + 1).split("/")) {
      const next: Node | null = dir ? current(dir, name) : null;
      dir = next?.kind === "dir" ? next : undefined;
    }
    return dir ?? null;
  };
  const put = (path: string, node: Node | null): void => {
    const dir = dirAt(dirname(path));
    const name = basename(path);
    if (!dir || OTHERS.test(name)) return;
    dir.entries.set(name, [...(dir.entries.get(name) ?? [null]), node]);
  };
  const at = (path: string): Node | null => {
    const dir = dirAt(dirname(path));
    return dir ? current(dir, basename(path)) : null;
  };
  const written = (path: string): void => {
    const known = at(path);
    const node: FileNode = {
      kind: "file",
      bytes: readFileSync(path),
      synced: true,
      mode: lstatSync(path).mode & 0o777,
      mtime: new Date(),
    };
    // Appending changes the file itself, under all its names.
    if (known?.kind === "file") Object.assign(known, { bytes: node.bytes });
    else put(path, node);
  };
  const makeDirs = (path: string): void => {
    const root = rootOf(path);
    if (root === undefined || path === root || at(path)) return;
    makeDirs(dirname(path));
    // The verb flushes the entries of what it makes.
    dirAt(dirname(path))?.entries.set(basename(path), [{ kind: "dir", entries: new Map() }]);
  };

  return {
    ...nodeFiles,
    create: (path, data, mode) => {
      nodeFiles.create(path, data, mode);
      if (!OTHERS.test(basename(path)))
        put(path, { kind: "file", bytes: readFileSync(path), synced: true, mode, mtime: new Date() });
    },
    append: (path, data, mode) => {
      nodeFiles.append(path, data, mode);
      written(path);
    },
    rename: (from, to) => {
      const node = at(from);
      nodeFiles.rename(from, to);
      // Two names of one file: the system does nothing at all.
      if (existsSync(from)) return;
      put(to, node);
      put(from, null);
    },
    link: (existing, path) => {
      nodeFiles.link(existing, path);
      put(path, at(existing));
    },
    unlink: (path) => {
      const was = nodeFiles.unlink(path);
      if (was) put(path, null);
      return was;
    },
    mkdir: (path, mode) => {
      nodeFiles.mkdir(path, mode);
      makeDirs(path);
    },
    rmdir: (path) => {
      const was = nodeFiles.rmdir(path);
      if (was) put(path, null);
      return was;
    },
    utimes: (path, mtime) => {
      nodeFiles.utimes(path, mtime);
      const node = at(path);
      if (node?.kind === "file") node.mtime = new Date(mtime);
    },
    chmod: (path, mode) => {
      nodeFiles.chmod(path, mode);
      const node = at(path);
      if (node?.kind === "file") node.mode = mode;
    },
    syncDir: (path) => {
      nodeFiles.syncDir(path);
      for (const [name, values] of dirAt(path)?.entries ?? []) dirAt(path)?.entries.set(name, values.slice(-1));
    },
    fail: (chance, survives) => {
      for (const [root, tree] of trees) {
        clear(root);
        write(root, tree, { chance, survives, made: new Map() });
      }
    },
  };
}

/** The half of a write that a failure in the middle of it leaves lies on the real disk and in no entry that was synced. */
function clear(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (OTHERS.test(name)) continue;
    const path = join(folder, name);
    if (lstatSync(path).isDirectory()) {
      clear(path);
      if (readdirSync(path).length === 0) rmSync(path, { recursive: true });
    } else rmSync(path);
  }
}

interface Failing {
  readonly chance: Chance;
  readonly survives: "none" | "any";
  /** Files written already, by node: names of one file stay names of one file. */
  readonly made: Map<FileNode, string>;
}

function write(folder: string, dir: DirNode, failing: Failing): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, values] of dir.entries) {
    const node = failing.survives === "none" ? (values[0] ?? null) : failing.chance.pick(values);
    const path = join(folder, name);
    if (node === null) continue;
    if (node.kind === "dir") {
      write(path, node, failing);
      continue;
    }
    const first = failing.made.get(node);
    if (first !== undefined) {
      linkSync(first, path);
      continue;
    }
    writeFileSync(path, node.bytes);
    chmodSync(path, node.mode);
    utimesSync(path, node.mtime, node.mtime);
    failing.made.set(node, path);
  }
}
