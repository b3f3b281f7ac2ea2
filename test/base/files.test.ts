import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "memd-files-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("making a folder", () => {
  it("makes those above it, private, and is content with what is there", () => {
    const path = join(root, "a", "b", "c");
    nodeFiles.mkdir(path, 0o700);
    nodeFiles.mkdir(path, 0o700);
    expect([path, join(root, "a")].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o700]);
  });

  it("goes through links to folders", () => {
    mkdirSync(join(root, "real"));
    symlinkSync(join(root, "real"), join(root, "link"));
    nodeFiles.mkdir(join(root, "link"), 0o700);
    nodeFiles.mkdir(join(root, "link", "inner"), 0o700);
    expect(existsSync(join(root, "real", "inner"))).toBe(true);
  });

  it.each([
    ["below a file", "file/inner/deep", "ENOTDIR"],
    ["where a file is", "file", "EEXIST"],
    ["where a link leads nowhere", "dangling", "EEXIST"],
  ])("fails %s", (_, path, code) => {
    writeFileSync(join(root, "file"), "");
    symlinkSync(join(root, "nothing"), join(root, "dangling"));
    expect(() => nodeFiles.mkdir(join(root, path), 0o700)).toThrow(expect.objectContaining({ code }));
  });

  it.skipIf(!existsSync("/proc/self"))("fails, and ends, where a folder that is there says it is not", () => {
    expect(() => nodeFiles.mkdir("/proc/self/memd/state", 0o700)).toThrow(expect.objectContaining({ code: "ENOENT" }));
  });
});
