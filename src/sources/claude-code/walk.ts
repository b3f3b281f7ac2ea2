/** Finds transcripts below a folder without opening one. */
import { basename } from "node:path";
import { childPath } from "../../base/child-path.ts";
import { systemCode } from "../../base/errors.ts";
import type { DirEntry, Files } from "../../base/files.ts";
import type { TranscriptFile } from "../../ports.ts";
import { isNewFolder } from "../jsonl/walk.ts";

/** Folders below the root that are searched: a `projects` root has its transcripts at depth 1, a hand-made tree deeper. */
const MAX_DEPTH = 4;
const SUBAGENTS = "subagents";
/** Folders of a session or project that never hold transcripts. */
const OTHER_FOLDERS: ReadonlySet<string> = new Set(["memory", "tool-results", "node_modules", ".git"]);

const ENDING = ".jsonl";
/** `x.jsonl.bak`, `x.jsonl.deleted.2026-03-14`, `x.bak.jsonl`: copies that a client or a person put aside. */
const ARCHIVED = /\.jsonl[.~-]|\.(?:bak|deleted|reset|orig|old|tmp|backup)(?:\.[^/]*)?\.jsonl$/;
const AGENT_FILE = "agent-";

interface Spot {
  readonly folder: string;
  readonly depth: number;
  readonly subagent: boolean;
}

/**
 * All transcripts below `root`, which may be a project's folder, a folder of such folders, or one transcript.
 * A folder below the root that cannot be read is reported as one dropped item.
 * @throws the system error when the root itself cannot be listed
 */
export function* walkTranscripts(files: Files, root: string): Generator<TranscriptFile> {
  if (files.stat(root)?.kind === "file") {
    const file = toFile(files, root, { kind: "file", name: basename(root) }, false);
    if (file) yield file;
    return;
  }
  const visited = new Set<string>();
  const spots: Spot[] = [{ folder: root, depth: 0, subagent: false }];
  for (let spot = spots.pop(); spot; spot = spots.pop()) {
    const entries = listFolder(files, spot.folder, spot.depth === 0);
    if (entries === null) continue;
    if (!Array.isArray(entries)) {
      yield entries;
      continue;
    }
    for (const entry of entries) {
      const path = childPath(spot.folder, entry.name);
      if (entry.name.includes(ENDING)) {
        const file = toFile(files, path, entry, spot.subagent);
        if (file) yield file;
        continue;
      }
      if (spot.depth >= MAX_DEPTH || OTHER_FOLDERS.has(entry.name)) continue;
      if (isNewFolder(files, path, entry, visited))
        spots.push({ folder: path, depth: spot.depth + 1, subagent: spot.subagent || entry.name === SUBAGENTS });
    }
  }
}

/** Null when the folder is gone; a dropped item when it cannot be read. */
function listFolder(files: Files, folder: string, isRoot: boolean): DirEntry[] | TranscriptFile | null {
  try {
    return files.list(folder);
  } catch (error) {
    if (isRoot) throw error;
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    return { ...EMPTY, path: folder, session: basename(folder), drop: "unreadable-folder" };
  }
}

const EMPTY = { size: 0, mtime: 0, ino: 0, dev: 0 };

function toFile(files: Files, path: string, entry: DirEntry, subagent: boolean): TranscriptFile | null {
  const drop = dropReason(entry, subagent);
  const stat = files.lstat(path);
  if (!stat || (drop === null && stat.kind !== "file")) return null;
  const session = entry.name.endsWith(ENDING) ? entry.name.slice(0, -ENDING.length) : entry.name;
  return { path, session, size: stat.size, mtime: stat.mtime, ino: stat.ino, dev: stat.dev, drop };
}

function dropReason(entry: DirEntry, subagent: boolean): string | null {
  if (entry.kind !== "file") return "not-a-file";
  const { name } = entry;
  // Of most names the first point is that of the ending, and nothing more need be asked.
  const isPlain =
    name.indexOf(".") === name.length - ENDING.length && name.endsWith(ENDING) && name.length > ENDING.length;
  if (!isPlain && (ARCHIVED.test(name) || !name.endsWith(ENDING) || name.length === ENDING.length))
    return "archived-copy";
  return subagent || name.startsWith(AGENT_FILE) ? "subagent" : null;
}
