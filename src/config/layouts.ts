/** How a store's memory lies on the disk: as configured, or as it cannot be mistaken for anything else. */
import { childPath, lastPart, parentPath } from "../base/child-path.ts";
import type { Files } from "../base/files.ts";
import type { Store } from "../ports.ts";

/** As `stores[].layout` and `stores[].shared` name them; the first is the default. */
export const LAYOUTS = ["auto", "plain", "workspace", "icode", "daily"] as const;
export const SHARED = ["propose", "write", "off"] as const;

export interface Placed {
  /** The folder of the topics. */
  readonly memory: string;
  readonly layout: Store["layout"];
}

const isFile = (files: Files, path: string) => files.stat(path)?.kind === "file";
const isFolder = (files: Files, path: string) => files.stat(path)?.kind === "dir";
const anyFile = (files: Files, folder: string, names: readonly string[]) =>
  names.some((name) => isFile(files, childPath(folder, name)));

/** Who the agent is: no other program leaves this beside a `memory` folder. */
const SOUL = ["soul.md", "SOUL.md"];
const BESIDE_SOUL = ["user.md", "USER.md", "agent.md", "AGENTS.md"];

function isWorkspace(files: Files, folder: string): boolean {
  return anyFile(files, folder, SOUL) && anyFile(files, folder, BESIDE_SOUL);
}

/** `.claude/MEMORY.md` beside `.claude/memory/`, which has none of its own. */
function isIcode(files: Files, memory: string): boolean {
  const parent = parentPath(memory);
  return (
    lastPart(parent) === ".claude" && anyFile(files, parent, ["MEMORY.md"]) && !anyFile(files, memory, ["MEMORY.md"])
  );
}

/** The folder of topics where a person named the folder above it. */
function topicsIn(files: Files, memory: string): string {
  const inner = childPath(memory, "memory");
  return lastPart(memory) !== "memory" && isFolder(files, inner) ? inner : memory;
}

/** @param memory absolute and clean; the folder of topics, or in a workspace the workspace itself */
export function placed(files: Files, memory: string, layout: (typeof LAYOUTS)[number]): Placed {
  if (layout === "plain") return { memory, layout: "custom" };
  if (layout === "daily") return { memory, layout };
  if (layout !== "auto") return { memory: topicsIn(files, memory), layout };
  if (lastPart(memory) === "memory") {
    if (isWorkspace(files, parentPath(memory))) return { memory, layout: "workspace" };
    if (isIcode(files, memory)) return { memory, layout: "icode" };
  } else if (isWorkspace(files, memory)) return { memory: childPath(memory, "memory"), layout: "workspace" };
  const isDaily = isFolder(files, childPath(memory, "daily")) && isFile(files, childPath(memory, "MEMORY.md"));
  return { memory, layout: isDaily ? "daily" : "custom" };
}
