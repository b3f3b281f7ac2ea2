import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { sha256 } from "../../src/base/ids.ts";
import { MAX_TOPICS_READ, readMemory } from "../../src/store/read.ts";
import { faultyFiles, systemError } from "../support/faulty-files.ts";
import { applyRun, BEFORE, changesetOf, makeWorld, OLD_TIME, removeWorlds } from "./world.ts";

afterEach(removeWorlds);

/** Links of every kind that lead out of the memory or nowhere, and a pipe that nobody writes to. */
function trap() {
  const world = makeWorld({
    "MEMORY.md": "# Memory\n\n- [Link](link.md) - link\n",
    "real.md": BEFORE["quiet.md"] ?? "",
  });
  mkdirSync(join(world.root, "outside"));
  writeFileSync(join(world.root, "outside", "secret.md"), "outside secret\n");
  symlinkSync("../outside/secret.md", join(world.memory, "link.md"));
  symlinkSync("../outside/new-file.md", join(world.memory, "dangling.md"));
  symlinkSync("../outside", join(world.memory, "sub"));
  symlinkSync("loop.md", join(world.memory, "loop.md"));
  execFileSync("mkfifo", [join(world.memory, "pipe.md")]);
  return world;
}

describe("reading a memory directory", () => {
  it("gives topics, index, hashes and times of what stands there", () => {
    const world = makeWorld();
    const { tree, hashes, stats, notices, directory } = readMemory(nodeFiles, world.memory);
    expect(directory).toBe(world.memory);
    expect(tree.topics.map((topic) => topic.file)).toEqual(["limits.md", "old.md", "quiet.md"]);
    expect(tree.index).toBe(BEFORE["MEMORY.md"]);
    expect(Object.fromEntries(hashes)).toEqual(
      Object.fromEntries(Object.entries(BEFORE).map(([name, text]) => [name, sha256(text)])),
    );
    expect(stats.get("old.md")).toMatchObject({ mtime: OLD_TIME, mode: 0o640 });
    expect(notices).toEqual([]);
  });

  it("takes a missing directory for an empty memory, and makes nothing", () => {
    const world = makeWorld();
    const snapshot = readMemory(nodeFiles, join(world.root, "none"));
    expect(snapshot.tree).toEqual({ topics: [], index: null, others: [] });
    expect(existsSync(join(world.root, "none"))).toBe(false);
  });

  it("resolves a memory directory that is itself a link, once", () => {
    const world = makeWorld();
    symlinkSync(world.memory, join(world.root, "alias"));
    expect(readMemory(nodeFiles, join(world.root, "alias")).directory).toBe(world.memory);
  });

  it("reads only top-level Markdown files as topics", () => {
    const world = makeWorld();
    for (const name of ["team", "logs", "nested", ".memd"]) {
      mkdirSync(join(world.memory, name));
      writeFileSync(join(world.memory, name, "inside.md"), "inside");
    }
    for (const name of ["2026-01-02.md", "notes.txt", ".hidden.md", ".consolidate-lock"]) {
      writeFileSync(join(world.memory, name), "x");
    }
    const { tree, hashes } = readMemory(nodeFiles, world.memory);
    expect(tree.topics.map((topic) => topic.file)).toEqual(["limits.md", "old.md", "quiet.md"]);
    expect(tree.others).toEqual(
      [".consolidate-lock", ".hidden.md", ".memd", "2026-01-02.md", "logs", "nested", "notes.txt", "team"].sort(),
    );
    expect([...hashes.keys()].sort()).toEqual(Object.keys(BEFORE).sort());
  });

  it("lists a file beyond a megabyte, and does not read it", () => {
    const world = makeWorld();
    truncateSync(join(world.memory, "limits.md"), 2_000_000);
    const files = faultyFiles(nodeFiles);
    const { tree, hashes, notices } = readMemory(files, world.memory);
    expect(hashes.has("limits.md")).toBe(false);
    expect(tree.topics.find((topic) => topic.file === "limits.md")?.locked).toBe("unreadable");
    expect(notices.map(({ code }) => code)).toContain("too-large");
    expect(files.calls.some(({ verb, path }) => verb === "read" && path.endsWith("limits.md"))).toBe(false);
  });

  it("stops reading somewhere, and says so", () => {
    const world = makeWorld({});
    const list = () =>
      Array.from({ length: MAX_TOPICS_READ + 5 }, (_, i) => ({ name: `t${i}.md`, kind: "file" as const }));
    const stat = { kind: "file" as const, size: 1, mtime: 1, ino: 1, dev: 1, mode: 0o600, links: 1 };
    let reads = 0;
    const read = () => {
      reads++;
      return Buffer.from("x");
    };
    const lstat = () => stat;
    const { notices } = readMemory({ ...nodeFiles, list, lstat, read }, world.memory);
    expect(reads).toBe(MAX_TOPICS_READ);
    expect(notices.map(({ code }) => code)).toContain("too-many-files");
  });
});

describe("links and special files in a memory directory", () => {
  it("are named, never followed and never opened", () => {
    const world = trap();
    const files = faultyFiles(nodeFiles);
    const { tree, hashes, notices } = readMemory(files, world.memory);
    expect(tree.topics.map((topic) => topic.file)).toEqual(["real.md"]);
    expect(tree.others).toEqual(["dangling.md", "link.md", "loop.md", "pipe.md", "sub"]);
    expect([...hashes.keys()].sort()).toEqual(["MEMORY.md", "real.md"]);
    expect(notices.filter(({ code }) => code === "not-a-file").map(({ message }) => message.split(" ")[0])).toEqual([
      "dangling.md",
      "link.md",
      "loop.md",
      "pipe.md",
    ]);
    const opened = files.calls.filter(({ verb }) => verb === "read" || verb === "open").map(({ path }) => path);
    expect(opened.sort()).toEqual([join(world.memory, "MEMORY.md"), join(world.memory, "real.md")]);
  });

  it.each(["link.md", "dangling.md", "loop.md", "pipe.md"])("are never written through: %s", (name) => {
    const world = trap();
    const changeset = changesetOf({}, { [name]: "written by memd" });
    const result = applyRun(world, nodeFiles, { changeset, recompile: () => changeset });
    expect(result).toMatchObject({ outcome: "left", left: [name], written: [] });
    expect(readFileSync(join(world.root, "outside", "secret.md"), "utf8")).toBe("outside secret\n");
    expect(existsSync(join(world.root, "outside", "new-file.md"))).toBe(false);
  });

  it("make no way out of a `.memd` that is a link", () => {
    const world = trap();
    symlinkSync("../outside", join(world.memory, ".memd"));
    const changeset = changesetOf({}, { "new.md": "text" });
    expect(() => applyRun(world, nodeFiles, { changeset })).toThrow(expect.objectContaining({ code: "not-a-folder" }));
    expect(existsSync(join(world.root, "outside", "journal"))).toBe(false);
  });

  it("lock the index when it is one", () => {
    const world = makeWorld({ "real.md": BEFORE["quiet.md"] ?? "" });
    symlinkSync("real.md", join(world.memory, "MEMORY.md"));
    expect(readMemory(nodeFiles, world.memory).tree).toMatchObject({ index: null, indexLocked: "link" });
  });
});

describe("a memory directory that cannot be read", () => {
  it.each([
    ["EACCES", "no-permission", "misconfigured"],
    ["EPERM", "no-permission", "misconfigured"],
    ["EIO", "io-error", "unavailable"],
  ])("is an error with a name: %s", (code, name, family) => {
    const world = makeWorld();
    const list = () => {
      throw systemError(code, "scandir", world.memory);
    };
    expect(() => readMemory({ ...nodeFiles, list }, world.memory)).toThrow(
      expect.objectContaining({ code: name, family }),
    );
  });

  it("is told apart from one that is a file, and from a link to nowhere", () => {
    const world = makeWorld();
    symlinkSync("nowhere", join(world.root, "alias"));
    const read = (name: string) => () => readMemory(nodeFiles, join(world.root, name));
    expect(read("memory/limits.md")).toThrow(expect.objectContaining({ code: "not-a-folder" }));
    expect(read("alias")).toThrow(expect.objectContaining({ code: "dangling-link" }));
  });

  it("leaves out one file that may not be read, and names it", () => {
    const world = makeWorld();
    const read = (path: string) => {
      if (path.endsWith("old.md")) throw systemError("EACCES", "open", path);
      return nodeFiles.read(path);
    };
    const { tree, notices } = readMemory({ ...nodeFiles, read }, world.memory);
    expect(tree.topics.find((topic) => topic.file === "old.md")?.locked).toBe("unreadable");
    expect(notices.map(({ code }) => code)).toContain("no-permission");
  });

  it("does not mind a file that vanishes between listing and reading", () => {
    const world = makeWorld();
    const read = (path: string) => {
      if (path.endsWith("old.md")) throw systemError("ENOENT", "open", path);
      return nodeFiles.read(path);
    };
    expect(readMemory({ ...nodeFiles, read }, world.memory).tree.topics.map((topic) => topic.file)).toEqual([
      "limits.md",
      "quiet.md",
    ]);
  });
});
