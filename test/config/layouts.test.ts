/** How a memory lies on the disk: told by what cannot be mistaken, or by the configuration. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { type LAYOUTS, placed } from "../../src/config/layouts.ts";

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** @param names files, and folders that end in a slash */
function folder(...names: readonly string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "memd-layouts-")));
  made.push(root);
  for (const name of names) {
    mkdirSync(join(root, name.endsWith("/") ? name : dirname(name)), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(join(root, name), "x\n");
  }
  return root;
}

const CASES: [what: string, names: readonly string[], memory: string, found: string, layout: string][] = [
  ["a plain memory", ["memory/MEMORY.md"], "memory", "memory", "custom"],
  ["the topics of a workspace", ["soul.md", "user.md", "memory/"], "memory", "memory", "workspace"],
  ["a workspace by its own name", ["SOUL.md", "AGENTS.md", "memory/"], ".", "memory", "workspace"],
  ["a workspace that has no memory yet", ["SOUL.md", "USER.md"], ".", "memory", "workspace"],
  ["a soul alone", ["soul.md", "memory/"], "memory", "memory", "custom"],
  ["a project with rules for agents", ["AGENTS.md", "user.md", "memory/"], "memory", "memory", "custom"],
  ["an index beside the topics", [".claude/MEMORY.md", ".claude/memory/"], ".claude/memory", ".claude/memory", "icode"],
  [
    "an index on both sides",
    [".claude/MEMORY.md", ".claude/memory/MEMORY.md"],
    ".claude/memory",
    ".claude/memory",
    "custom",
  ],
  ["logs beside an index", ["m/MEMORY.md", "m/daily/"], "m", "m", "daily"],
  ["nothing at all", [], "m", "m", "custom"],
];

it.each(CASES)("%s is told by itself", (_, names, memory, found, layout) => {
  const root = folder(...names);
  expect(placed(nodeFiles, join(root, memory), "auto")).toEqual({ memory: join(root, found), layout });
});

it("the configuration decides, whatever lies there", () => {
  const root = folder("soul.md", "user.md", "memory/");
  const asked = (memory: string, layout: (typeof LAYOUTS)[number]) => placed(nodeFiles, join(root, memory), layout);
  expect(asked("memory", "plain")).toEqual({ memory: join(root, "memory"), layout: "custom" });
  expect(asked(".", "plain")).toEqual({ memory: root, layout: "custom" });
  expect(asked(".", "icode")).toEqual({ memory: join(root, "memory"), layout: "icode" });
  expect(asked("notes", "workspace")).toEqual({ memory: join(root, "notes"), layout: "workspace" });
});
