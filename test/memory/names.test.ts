import { describe, expect, it } from "vitest";
import { collisions, copyOf, judgeSlug, nameKind } from "../../src/memory/names.ts";

describe("a name for a new topic is refused with a reason", () => {
  it.each([
    ["", "empty"],
    ["CON", "device-name"],
    ["aux", "device-name"],
    ["com1", "device-name"],
    ["lpt9.notes", "device-name"],
    ["trailing-dot.", "bad-characters"],
    ["topic ", "bad-characters"],
    ["two words", "bad-characters"],
    ["名".repeat(100), "too-long"],
    ["名名", "bad-characters"],
    ["a".repeat(81), "too-long"],
    ["-rf", "starts-with-dash"],
    ["--help", "starts-with-dash"],
    ["a\\b", "path-part"],
    ["a/b", "path-part"],
    ["..", "path-part"],
    ["../x", "path-part"],
    ["/etc/passwd", "path-part"],
    ["C:evil", "upper-case"],
    ["tab\tname", "bad-characters"],
    ["new\nline", "bad-characters"],
    ["new%0Aline", "upper-case"],
    ["nul\0byte", "invisible-characters"],
    [".hidden", "hidden"],
    ["MEMORY", "reserved"],
    ["memory", "reserved"],
    ["Memory.md", "reserved"],
    ["team", "reserved"],
    ["logs", "reserved"],
    ["sessions", "reserved"],
    ["proposals", "reserved"],
    ["more-topics", "reserved"],
    ["2026-03-02", "daily-log"],
    ["2026-03-02-standup", "daily-log"],
    ["🧠", "bad-characters"],
    ["\u202Egnp", "invisible-characters"],
    ["a\u200Bb", "invisible-characters"],
    ["Upper", "upper-case"],
    ["snake_case", "bad-characters"],
    ["double--dash", "bad-characters"],
    ["ends-", "bad-characters"],
    ["foo-v2", "versioned"],
    ["2026-03-notes", "versioned"],
    ["plans-q3", "versioned"],
    ["release-1-2-3", "versioned"],
    ["sprint-12", "versioned"],
    ["notes (conflicted copy)", "conflict-copy"],
    ["x.sync-conflict-20260101", "conflict-copy"],
  ])("%j: %s", (slug, reason) => {
    expect(judgeSlug(slug)).toBe(reason);
  });

  it.each([
    "limits",
    "upload-limits",
    "http2",
    "port-8443",
    "issue-12",
    "log4j",
    "utf-8",
    "a".repeat(80),
    "confidence",
    "console",
  ])("%s is fine", (slug) => {
    expect(judgeSlug(slug)).toBeNull();
  });
});

describe("what a name in the directory stands for", () => {
  it.each([
    ["MEMORY.md", "index"],
    ["memory.md", "reserved"],
    ["MEMORY.MD", "reserved"],
    ["limits.md", "topic"],
    ["Testing.md", "topic"],
    ["主题.md", "topic"],
    ["topic with blanks.md", "topic"],
    ["foo-v2.md", "topic"],
    ["2026-03-02.md", "daily-log"],
    ["2026-03-02-standup.md", "daily-log"],
    ["2026-03-notes.md", "topic"],
    [".hidden.md", "hidden"],
    [".memd", "hidden"],
    [".consolidate-lock", "hidden"],
    ["team", "reserved"],
    ["logs", "reserved"],
    ["notes.txt", "other"],
    ["x (conflicted copy).md", "conflict-copy"],
    ["x (Ana's conflicted copy 2026-03-02).md", "conflict-copy"],
    ["x.sync-conflict-20260302-101010-ABCDEFG.md", "conflict-copy"],
    ["x~.md", "conflict-copy"],
    ["x.md~", "conflict-copy"],
    ["x 2.md", "topic"],
    ["x (1).md", "topic"],
    ["x copy.md", "topic"],
    ["x_conflict-2.md", "conflict-copy"],
    ["x.md.orig", "conflict-copy"],
    ["MEMORY (conflicted copy).md", "conflict-copy"],
    ["merge-conflicts.md", "topic"],
    ["conflict-copy-rules.md", "topic"],
  ])("%s: %s", (name, kind) => {
    expect(nameKind(name)).toBe(kind);
  });
});

describe("names that are one file on another system", () => {
  it("are found by case and by Unicode form", () => {
    const names = ["Testing.md", "testing.md", "caf\u00e9.md", "cafe\u0301.md", "other.md"];
    expect(collisions(names)).toEqual([
      ["Testing.md", "testing.md"],
      ["caf\u00e9.md", "cafe\u0301.md"],
    ]);
  });
});

describe("copies that only their neighbour gives away", () => {
  it.each([
    ["x 2.md", "x.md"],
    ["x (1).md", "x.md"],
    ["x copy.md", "x.md"],
    ["主题 副本.md", "主题.md"],
    ["phase-2.md", null],
    ["x.md", null],
  ])("%s", (name, original) => {
    expect(copyOf(name)).toBe(original);
  });
});
