import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { readStamp, STAMP_FILE, type StampCache } from "../../src/lock/stamp.ts";
import { counted, DEAD, HOUR, LIVE, NOW, OTHER_USER, processes, scratch } from "./world.ts";

const MTIME = NOW - 30 * HOUR;
const LINE = NOW - 2 * HOUR;
const stampWorld = () => ({ files: nodeFiles, processes: processes() });

function write(dir: string, body: string, mtime: number): void {
  const path = join(dir, STAMP_FILE);
  writeFileSync(path, body);
  utimesSync(path, new Date(mtime), new Date(mtime));
}

function read(body: string, mtime = MTIME) {
  const dir = scratch();
  write(dir, body, mtime);
  return readStamp(stampWorld(), dir, NOW);
}

describe("the stamp is read as Claude Code writes it", () => {
  it.each([
    ["an empty body", "", MTIME, null],
    ["a pid alone", `${DEAD}`, MTIME, { pid: DEAD, since: MTIME }],
    ["a pid and a time", `${DEAD}\n${LINE}`, LINE, { pid: DEAD, since: LINE }],
    ["a time alone", `\n${LINE}`, LINE, null],
    ["a line end after the time", `\n${LINE}\n`, LINE, null],
    ["CRLF line ends", `${DEAD}\r\n${LINE}\r\n`, LINE, { pid: DEAD, since: LINE }],
    ["a second line that is no number", `${DEAD}\nyesterday`, MTIME, { pid: DEAD, since: MTIME }],
    ["a pid with letters after it", `${DEAD}abc\n${LINE}`, LINE, null],
    ["a negative pid", `-1\n${LINE}`, LINE, null],
    ["a time of zero", "\n0", 0, null],
  ])("%s", (_, body, stamp, holder) => {
    expect(read(body)).toMatchObject({ stamp, holder, held: false });
  });

  it.each([
    ["garbage", "not a pid\n\0\0"],
    ["NUL bytes", "\0\0\0\0"],
    ["a long binary file", "\x01".repeat(100_000)],
  ])("%s counts by its mtime and is reported once", (_, body) => {
    expect(read(body)).toMatchObject({ stamp: MTIME, holder: null, held: false, notice: { code: "stamp-garbage" } });
  });

  it("a missing file means never", () => {
    expect(readStamp(stampWorld(), scratch(), NOW)).toEqual({ stamp: 0, holder: null, held: false, notice: null });
    expect(readStamp(stampWorld(), "/nowhere/at/all", NOW).stamp).toBe(0);
  });

  it("a folder or a link at its place means never, and says so", () => {
    const [dir, linked] = [scratch(), scratch()];
    mkdirSync(join(dir, STAMP_FILE));
    symlinkSync("/etc/passwd", join(linked, STAMP_FILE));
    for (const place of [dir, linked]) {
      expect(readStamp(stampWorld(), place, NOW)).toMatchObject({ stamp: 0, notice: { code: "stamp-not-a-file" } });
    }
  });
});

describe("a stamp in the future", () => {
  it("is invalid when it is more than five minutes ahead, by its mtime or by its second line", () => {
    for (const stamp of [read("", NOW + 30 * 24 * HOUR), read(`${LIVE}\n${NOW + HOUR}`)]) {
      expect(stamp).toMatchObject({ stamp: 0, holder: null, held: false, notice: { code: "stamp-in-future" } });
    }
  });

  it("is believed when the clocks merely disagree by a few minutes", () => {
    expect(read(`\n${NOW + 240_000}`)).toMatchObject({ stamp: NOW + 240_000, notice: null });
  });
});

describe("a stamp is held", () => {
  it.each([
    ["by a live process for less than an hour", LIVE, NOW - HOUR + 1, true],
    ["no longer after an hour", LIVE, NOW - HOUR, false],
    ["not by a dead process", DEAD, NOW - 1, false],
    ["not by another user's process, which Claude Code takes for dead too", OTHER_USER, NOW - 1, false],
    ["not by pid 1", 1, NOW - 1, false],
    ["not by pid 0", 0, NOW - 1, false],
    ["by a live process whose clock is a minute ahead", LIVE, NOW + 60_000, true],
  ])("%s", (_, pid, since, held) => {
    expect(read(`${pid}\n${since}`).held).toBe(held);
    expect(read(`${pid}`, since).held).toBe(held);
  });
});

describe("looking again", () => {
  it("costs one stat when nothing changed", () => {
    const dir = scratch();
    write(dir, `${LIVE}\n${LINE}`, LINE);
    const calls: string[] = [];
    const seen: StampCache = new Map();
    const counting = { files: counted(calls), processes: processes(), seen };
    const first = readStamp(counting, dir, NOW);
    calls.length = 0;
    expect(readStamp(counting, dir, NOW)).toEqual(first);
    expect(calls).toEqual(["lstat"]);
  });

  it("reads a changed body, and judges the holder's age by the new time", () => {
    const dir = scratch();
    const seen: StampCache = new Map();
    write(dir, `${LIVE}\n${NOW - 1}`, NOW - 1);
    expect(readStamp({ ...stampWorld(), seen }, dir, NOW).held).toBe(true);
    expect(readStamp({ ...stampWorld(), seen }, dir, NOW + HOUR).held).toBe(false);
    write(dir, `\n${LINE}`, LINE);
    expect(readStamp({ ...stampWorld(), seen }, dir, NOW)).toMatchObject({ stamp: LINE, holder: null, held: false });
  });
});
