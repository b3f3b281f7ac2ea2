import { basename, dirname, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { isCleanPath, lastPart, parentPath } from "../../src/base/child-path.ts";

const PATHS = ["/", "/a", "/a/b", "/a/.b/c.d", "/a/..b/c...", "/a b/ü"];
const OTHERS = ["", "a", "~/a", "./a", "/a/", "//a", "/a//b", "/a/./b", "/a/../b", "/a/.", "/a/..", "/.", "/.."];

describe("a clean path", () => {
  it.each(PATHS)("%s is one, and has the parts that node:path finds", (path) => {
    expect(isCleanPath(path)).toBe(true);
    expect([resolve(path), dirname(path), basename(path)]).toEqual([path, parentPath(path), lastPart(path)]);
  });

  it.each(OTHERS)("%j is none", (path) => {
    expect(isCleanPath(path)).toBe(false);
  });
});
