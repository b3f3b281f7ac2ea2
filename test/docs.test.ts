/** What the documents say, held against the program. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { helpText } from "../src/commands/command.ts";
import { COMMANDS } from "../src/commands/list.ts";
import { KEYS } from "../src/config/keys.ts";

const ROOT = resolve(import.meta.dirname, "..");
const read = (name: string) => readFileSync(join(ROOT, name), "utf8");
const names = COMMANDS.map(({ name }) => name);

/** Code of a Markdown text: fenced blocks and inline spans. */
function codeOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? "");
  const spans = [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");
  return [...blocks, ...spans];
}

const called = (text: string) =>
  codeOf(text).flatMap((code) => [...code.matchAll(/\bmemd ([a-z][a-z-]*)/g)].map((match) => match[1] ?? ""));

describe.each(["README.md", "ARCHITECTURE.md", "CHANGELOG.md"])("%s", (document) => {
  it("calls only commands that are there", () => {
    expect(called(read(document)).filter((name) => !names.includes(name))).toEqual([]);
  });

  it("names only scripts that are there", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const run = codeOf(read(document)).flatMap((code) => [...code.matchAll(/\bnpm (?:run )?([a-z]+)\b/g)]);
    const own = new Set([...Object.keys(scripts), "install", "pack", "rebuild"]);
    expect(run.map((match) => match[1] ?? "").filter((name) => !own.has(name))).toEqual([]);
  });

  it("names only configuration keys that are there", () => {
    const groups = new Set(KEYS.map(({ path }) => path.split(".")[0] ?? "").filter((group) => group !== "log"));
    const named = codeOf(read(document)).flatMap((code) => [
      ...code.matchAll(/(?<![\w./-])([a-z]+)\.([a-z]\w*)(?![\w/])/gi),
    ]);
    const wrong = named
      .filter((match) => groups.has(match[1] ?? ""))
      .map(([whole]) => whole)
      .filter((path) => !KEYS.some((key) => key.path === path || key.path.startsWith(`${path}.`)));
    expect(wrong.filter((path) => !/\.(?:ts|md|json|jsonl|yaml|db)$/.test(path))).toEqual([]);
  });
});

describe("README.md", () => {
  it("tells of every command", () => {
    const told = new Set(called(read("README.md")));
    expect(names.filter((name) => !told.has(name))).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  const text = read("ARCHITECTURE.md");
  const isRoom = (name: string, isFolder: boolean) => !isFolder || readdirSync(join(ROOT, "src", name)).length > 0;
  const rooms = readdirSync(join(ROOT, "src"), { withFileTypes: true })
    .filter((entry) => isRoom(entry.name, entry.isDirectory()))
    .map((entry) => (entry.isDirectory() ? `src/${entry.name}/` : `src/${entry.name}`));

  it("names every room and none that is not there, on at most 150 lines", () => {
    const named = [...text.matchAll(/^\| `(src\/[^`]+)` \|/gm)].map((match) => match[1] ?? "");
    expect(named.toSorted()).toEqual(rooms.toSorted());
    expect(text.split("\n").length).toBeLessThanOrEqual(151);
  });

  it("points only to files and folders that are there", () => {
    const paths = [...text.matchAll(/`((?:src|test|scripts|config)\/[\w./-]+)`/g)].map((match) => match[1] ?? "");
    const there = (path: string) => {
      const parts = path.replace(/\/$/, "").split("/");
      return readdirSync(join(ROOT, ...parts.slice(0, -1))).includes(parts.at(-1) ?? "");
    };
    expect(paths.filter((path) => !there(path))).toEqual([]);
  });
});

/** The contract of the command line, said again: what a script may call. */
const CONTRACT: Readonly<Record<string, readonly string[]>> = {
  dream: ["now", "dry-run", "headless", "distiller", "keep-brief", "yes"],
  status: ["scan", "watch"],
  events: ["follow", "since", "after"],
  history: [],
  show: ["diff"],
  undo: ["force"],
  why: [],
  "why-not": [],
  forget: ["yes"],
  pin: [],
  unpin: [],
  questions: [],
  answer: [],
  pause: [],
  resume: [],
  init: ["yes", "force", "dry-run"],
  publish: ["file", "create", "remove", "force", "dry-run"],
  config: [],
  daemon: [],
  doctor: ["repair", "probe"],
  service: ["dry-run", "node", "force", "purge", "yes", "lines", "follow"],
};
const COMMON = ["store", "memory", "sessions", "logs", "format", "json", "help"];
/** Works on the installation, not on stores. */
const STORELESS: Readonly<Record<string, readonly string[]>> = { service: ["json", "help"] };

describe("the command line", () => {
  it.each(Object.entries(CONTRACT))(
    "has memd %s with its flags, an example and its exit status",
    async (name, flags) => {
      const command = await COMMANDS.find((listed) => listed.name === name)?.load();
      const help = command ? helpText(command) : "";
      for (const flag of [...flags, ...(STORELESS[name] ?? COMMON)])
        expect(help).toMatch(new RegExp(`^  --${flag}(?: [A-Z]+)? {2,}\\S`, "m"));
      expect(command?.example).toMatch(new RegExp(`^memd ${name}\\b`));
      expect(command?.exits.map(([code]) => code)).toEqual(
        command?.exits.map(([code]) => code).toSorted((a, b) => a - b),
      );
      expect(help).toContain("Exit status:");
    },
  );

  it("says of every listed command the name under which it is listed", async () => {
    for (const { name, load } of COMMANDS) expect((await load()).name).toBe(name);
  });
});
