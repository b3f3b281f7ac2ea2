/**
 * Memories that are not all in one folder: user.md and agent.md above the topics, or an index beside their folder. memd's transaction
 * works on one directory, so those files are shown in it under their own names: the verbs on such a name act on the real file. Journal,
 * undo and recovery then hold for them as for any topic. What is not named here (soul.md, the agent's rules) is out of reach.
 */
import { dirname, join } from "node:path";
import type { Files } from "../base/files.ts";
import type { TreeLayout } from "../memory/homes.ts";
import type { MemoryType } from "../memory/model.ts";
import { INDEX } from "../memory/names.ts";
import type { Store } from "../ports.ts";

export interface Layout extends TreeLayout {
  /** Real path by the name in the memory directory. */
  readonly elsewhere: ReadonlyMap<string, string>;
}

/** File verbs that show a memory's files in its directory. */
interface LaidOut extends Files {
  readonly layout: Layout;
}

type Where = Pick<Store, "layout" | "memory">;

/** Names under which the files were seen, the one that is made where none is there first. */
const USER = ["user.md", "USER.md"] as const;
const AGENT = ["agent.md", "AGENT.md"] as const;
/** An agent that reads its rules from here knows no agent.md: what is to be corrected stays a topic. */
const RULES = ["AGENTS.md", "agents.md"] as const;

/** Null for a memory that is one plain directory. */
function layoutOf(files: Files, { layout, memory }: Where): Layout | null {
  if (layout === "daily") return { homes: {}, prefix: "", hasSections: true, elsewhere: new Map() };
  if (layout !== "workspace" && layout !== "icode") return null;
  const above = dirname(memory);
  const plain: Layout = { homes: {}, prefix: "", hasSections: false, elsewhere: new Map() };
  // A rename is one step on one file system only.
  if (!isOneDevice(files, memory, above)) return plain;
  const index = files.lstat(join(memory, INDEX)) === null && (layout === "icode" || isFile(files, join(above, INDEX)));
  const homes = layout === "workspace" ? homesIn(files, { memory, above }) : new Map<string, Home>();
  const elsewhere = new Map([...homes].map(([name, { path }]) => [name, path]));
  return {
    homes: Object.fromEntries([...homes].map(([name, { type }]) => [name, type])),
    prefix: index ? `${memory.slice(above.length + 1)}/` : "",
    hasSections: false,
    elsewhere: index ? elsewhere.set(INDEX, join(above, INDEX)) : elsewhere,
  };
}

const isFile = (files: Files, path: string) => files.lstat(path)?.kind === "file";

function isOneDevice(files: Files, memory: string, above: string): boolean {
  const device = files.stat(above)?.dev;
  return device !== undefined && (files.stat(memory)?.dev ?? device) === device;
}

interface Home {
  readonly path: string;
  readonly type: MemoryType;
}

function homesIn(files: Files, { memory, above }: { memory: string; above: string }): Map<string, Home> {
  const homes = new Map<string, Home>();
  const add = (names: readonly [string, ...string[]], type: MemoryType) => {
    const [name] = names;
    const there = names.find((known) => files.lstat(join(above, known)) !== null);
    // A topic of that name is there already, and is what agents read.
    if (files.lstat(join(memory, name)) === null) homes.set(name, { path: join(above, there ?? name), type });
  };
  add(USER, "user");
  const hasAgent = AGENT.some((name) => files.lstat(join(above, name)) !== null);
  if (hasAgent || !RULES.some((name) => files.lstat(join(above, name)) !== null)) add(AGENT, "feedback");
  return homes;
}

/** The same verbs for a plain memory, and for what is laid out already. */
export function laidOut(files: Files, where: Where): Files {
  if (treeLayoutOf(files)) return files;
  const layout = layoutOf(files, where);
  if (layout === null) return files;
  const view: LaidOut = { ...(layout.elsewhere.size === 0 ? files : shownIn(files, where.memory, layout)), layout };
  return view;
}

/** What is different about the memory that these verbs show. */
export function treeLayoutOf(files: Files): TreeLayout | undefined {
  return "layout" in files ? (files as LaidOut).layout : undefined;
}

function shownIn(files: Files, memory: string, { elsewhere }: Layout): Files {
  const real = new Map([...elsewhere].map(([name, path]) => [join(memory, name), path]));
  const at = (path: string) => real.get(path) ?? path;
  const folders = [...new Set([...elsewhere.values()].map(dirname))];
  return {
    ...files,
    stat: (path) => files.stat(at(path)),
    lstat: (path) => files.lstat(at(path)),
    list: (path) => (path === memory ? listed(files, memory, elsewhere) : files.list(path)),
    read: (path) => files.read(at(path)),
    readText: (path) => files.readText(at(path)),
    open: (path) => files.open(at(path)),
    create: (path, data, mode) => files.create(at(path), data, mode),
    scratch: (path, data, mode) => files.scratch(at(path), data, mode),
    append: (path, data, mode) => files.append(at(path), data, mode),
    rename: (from, to) => files.rename(at(from), at(to)),
    link: (existing, path) => files.link(at(existing), at(path)),
    unlink: (path) => files.unlink(at(path)),
    utimes: (path, mtime) => files.utimes(at(path), mtime),
    chmod: (path, mode) => files.chmod(at(path), mode),
    realpath: (path) => files.realpath(at(path)),
    syncDir(path) {
      // A rename out of the directory changes two of them.
      files.syncDir(path);
      if (path === memory) for (const folder of folders) files.syncDir(folder);
    },
  };
}

function listed(files: Files, memory: string, elsewhere: ReadonlyMap<string, string>) {
  const here = files.list(memory).filter(({ name }) => !elsewhere.has(name));
  const there = [...elsewhere].flatMap(([name, path]) => {
    const stat = files.lstat(path);
    return stat === null ? [] : [{ name, kind: stat.kind }];
  });
  return [...here, ...there];
}
