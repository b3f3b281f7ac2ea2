/** The project's own instruction files: what stands there is not saved again, and never changed by memd. */
import { join } from "node:path";
import { systemCode } from "../base/errors.ts";
import { clip, stripInvisible, wellFormed } from "../base/text.ts";
import type { Brief, Files } from "../ports.ts";
import { withoutBlock } from "../publish/block.ts";
import { isInside } from "../sources/project.ts";

const NAMES = ["CLAUDE.md", "AGENTS.md", "GEMINI.md", "CLAUDE.local.md"] as const;

/** Instruction files of up to 40,000 characters were seen; agents themselves warn beyond that. */
const MAX_BYTES = 256 * 1_024;
const MAX_CHARS = 40_000;

/** What the agent of a workspace is told at every start, by people: read, never changed. */
const RULES = ["SOUL.md", "soul.md", "AGENTS.md", "agents.md", "IDENTITY.md", "TOOLS.md"] as const;

/** @param workspace the folder above the memory; null where the memory has no such layout */
export function workspaceContext(files: Files, workspace: string | null): Brief["context"] {
  if (workspace === null) return [];
  const here = new Set(files.stat(workspace)?.kind === "dir" ? files.list(workspace).map(({ name }) => name) : []);
  return readAll(
    files,
    workspace,
    RULES.filter((name) => here.has(name)),
  );
}

/** @param project canonical project root, or null when the store has none */
export function projectContext(files: Files, project: string | null): Brief["context"] {
  if (project === null) return [];
  return readAll(files, project, NAMES);
}

function readAll(files: Files, folder: string, names: readonly string[]): Brief["context"] {
  const read = new Set<string>();
  return names.flatMap((name) => {
    const text = readInside(files, folder, { name, read });
    return text === null ? [] : [{ file: name, text }];
  });
}

/** One of them is often a link to the other, and says nothing new; a link that leaves the project is not followed. */
function readInside(files: Files, project: string, { name, read }: { name: string; read: Set<string> }): string | null {
  try {
    const path = files.realpath(join(project, name));
    if (read.has(path)) return null;
    read.add(path);
    const stat = files.lstat(path);
    if (stat?.kind !== "file" || stat.size > MAX_BYTES || !isInside(path, files.realpath(project))) return null;
    // What memd has published there is not the project's word: taken for it, every fact would be refused as known.
    return clip(stripInvisible(withoutBlock(wellFormed(files.read(path).toString("utf8")))), MAX_CHARS);
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}
