import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Log, openLog } from "../../src/base/log.ts";
import { isJournal, journal, LOG_FILE, logFile } from "../../src/base/log-file.ts";
import { peopleLine } from "../../src/base/log-line.ts";
import { DAY, manualClock } from "../support/home.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "memd-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MEGABYTE = 1_048_576;
const clock = manualClock();
const plain = (line: string) => line;
const fileTarget = (maxBytes = MEGABYTE, at = clock, maxDays = 30) =>
  logFile({ folder: join(folder, "logs"), clock: at, maxBytes, maxDays });
const open = (target = fileTarget(), redact = plain): Promise<Log> => openLog({ level: "info", clock, target, redact });
const names = () => readdirSync(join(folder, "logs")).sort();
const text = (name = LOG_FILE) => readFileSync(join(folder, "logs", name), "utf8");
const lines = (name = LOG_FILE) =>
  text(name)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("a line of the log", () => {
  it("is on the disk before the call returns, as one JSON document with time, level and message", async () => {
    const log = await open();
    log.info("dreamt", { store: "app", took: 3, none: null });
    expect(lines()).toEqual([
      { level: "info", at: "2026-11-30T08:00:00.000Z", store: "app", took: 3, none: null, msg: "dreamt" },
    ]);
  });

  it("is left out below the level that was asked for", async () => {
    const log = await open();
    log.debug("how it goes");
    log.warn("look at this");
    expect(lines().map(({ msg }) => msg)).toEqual(["look at this"]);
  });

  it("stays one line, moves no cursor and hides nothing, whatever it tells of", async () => {
    const log = await open();
    log.info('two\nlines \u001B[2J\u009B2J \u202Etxt.exe \u2028 {"level":"error"}', { file: "a\r\nb\u200B" });
    expect(text().match(/\n/g)).toHaveLength(1);
    expect(text()).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E]/);
    expect(lines()[0].msg).toContain("two\nlines");
    expect(peopleLine(text())).toBe(
      '2026-11-30T08:00:00.000Z info  two\\u000alines \\u001b[2J\\u009b2J \\u202etxt.exe \\u2028 {"level":"error"} file="a\\r\\nb\\u200b"',
    );
  });

  it("tells people nothing of what is not known; programs get every field", async () => {
    const log = await open();
    log.info("dream done", { store: "app", reason: null, code: "", took: 0 });
    expect(peopleLine(text())).toBe("2026-11-30T08:00:00.000Z info  dream done store=app took=0");
    expect(lines()[0]).toMatchObject({ reason: null, code: "" });
  });

  it("is cut where it is huge, and is a whole document still", async () => {
    const log = await open();
    log.info("x".repeat(10 * MEGABYTE), { detail: "\u{1F600}".repeat(MEGABYTE) });
    expect(text().length).toBeLessThan(40_000);
    expect(lines()[0].detail).toMatch(/^(?:\u{1F600})+…$/u);
  });

  it("holds no secret that whoever opened the log knows of, in a message or beside it", async () => {
    const log = await open(fileTarget(), (line) => line.replaceAll("hunter2hunter2", "[redacted]"));
    log.error("the key hunter2hunter2 was refused", { url: "https://x/?key=hunter2hunter2" });
    expect(text()).not.toContain("hunter2");
    expect(lines()[0]).toMatchObject({ msg: "the key [redacted] was refused", url: "https://x/?key=[redacted]" });
  });

  it("keeps time, level and message, also where something beside it has their names", async () => {
    const log = await open();
    log.info("true", { msg: "false", level: "fatal", at: "never" });
    expect(lines()).toEqual([{ level: "info", at: "2026-11-30T08:00:00.000Z", msg: "true" }]);
  });
});

describe("the log's files", () => {
  it("are private", async () => {
    const log = await open();
    log.info("a");
    expect(statSync(join(folder, "logs")).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "logs", LOG_FILE)).mode & 0o777).toBe(0o600);
  });

  it("are made private where they were not", async () => {
    mkdirSync(join(folder, "logs"));
    writeFileSync(join(folder, "logs", LOG_FILE), "");
    chmodSync(join(folder, "logs", LOG_FILE), 0o644);
    (await open()).info("a");
    expect(statSync(join(folder, "logs", LOG_FILE)).mode & 0o777).toBe(0o600);
  });

  it("never take more than their cap together, while everything lately told is there", async () => {
    const log = await open(fileTarget(MEGABYTE));
    for (let i = 0; i < 5_000; i++) log.info(`line ${i}`, { detail: "y".repeat(1_000) });
    const sizes = names().map((name) => statSync(join(folder, "logs", name)).size);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MEGABYTE);
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(MEGABYTE / 2);
    const kept = names().flatMap((name) => (name === LOG_FILE ? [] : lines(name)));
    const told = [...kept, ...lines()].map(({ msg }) => Number(msg.slice(5)));
    expect(told).toEqual(Array.from(told, (_, i) => 5_000 - told.length + i));
  });

  it("begin anew at midnight, while the daemon runs on, and leave after their days", async () => {
    const at = manualClock(Date.now());
    const log = await openLog({ level: "info", clock: at, target: fileTarget(MEGABYTE, at, 3), redact: plain });
    log.info("monday");
    at.move(DAY);
    log.info("tuesday");
    expect(names()).toHaveLength(2);
    expect(lines().map(({ msg }) => msg)).toEqual(["tuesday"]);
    at.move(10 * DAY);
    log.info("a week later");
    expect(names()).toEqual([LOG_FILE]);
  });

  it("begin anew where somebody moved or removed them", async () => {
    const log = await open();
    log.info("one");
    rmSync(join(folder, "logs", LOG_FILE));
    log.info("two");
    expect(lines().map(({ msg }) => msg)).toEqual(["two"]);
  });

  it("are written by two processes at once without a torn line", async () => {
    const [one, two] = [await open(fileTarget(8 * MEGABYTE)), await open(fileTarget(8 * MEGABYTE))];
    for (let i = 0; i < 200; i++) [one, two][i % 2]?.info(`line ${i}`);
    expect(lines().map(({ msg }) => msg)).toEqual(Array.from({ length: 200 }, (_, i) => `line ${i}`));
  });
});

describe("a log that cannot be written", () => {
  it("stops nothing, and tells how much is missing as soon as it can be", async () => {
    mkdirSync(join(folder, "logs", LOG_FILE), { recursive: true });
    const log = await open();
    log.info("lost");
    log.info("lost too");
    rmSync(join(folder, "logs", LOG_FILE), { recursive: true });
    log.info("back");
    expect(text()).toContain('"msg":"2 lines of the log could not be written: EISDIR"');
    expect(text()).toContain('"msg":"back"');
  });

  it.runIf(process.platform === "linux")("stops nothing where the disk is full", async () => {
    const fd = openSync("/dev/full", "w");
    const log = await open(journal(fd));
    expect(() => log.error("no room")).not.toThrow();
    closeSync(fd);
    expect(() => log.error("nobody listens any more")).not.toThrow();
  });

  it("never follows a link out of its folder", async () => {
    mkdirSync(join(folder, "logs"));
    writeFileSync(join(folder, "precious"), "mine");
    symlinkSync(join(folder, "precious"), join(folder, "logs", LOG_FILE));
    (await open()).info("a");
    expect(readFileSync(join(folder, "precious"), "utf8")).toBe("mine");
  });
});

describe("under systemd", () => {
  it("each line has its priority first, as journald reads it, and a text for people", async () => {
    const path = join(folder, "stderr");
    const fd = openSync(path, "w");
    const log = await openLog({ level: "debug", clock, target: journal(fd), redact: plain });
    log.debug("d");
    log.info("dreamt", { store: "app", why: "two words" });
    log.warn("w");
    log.error("e\nforged");
    closeSync(fd);
    expect(readFileSync(path, "utf8")).toBe('<7>d\n<6>dreamt store=app why="two words"\n<4>w\n<3>e\\u000aforged\n');
  });

  it("the journal is known by device and inode, not by the variable alone", () => {
    const fd = openSync(join(folder, "stderr"), "w");
    const { dev, ino } = statSync(join(folder, "stderr"));
    expect([`${dev}:${ino}`, `${dev}:${ino + 1}`, "", undefined].map((stream) => isJournal(stream, fd))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    closeSync(fd);
    expect(isJournal(`${dev}:${ino}`, fd)).toBe(false);
  });
});

describe("the last line before the end", () => {
  const CHILD = resolve(import.meta.dirname, "log-child.ts");

  it.each(["exit", "throw", "reject", "SIGTERM", "SIGKILL"])("is there after %s", async (end) => {
    const outfile = join(import.meta.dirname, `../../node_modules/.memd-log-${process.pid}-${end}.mjs`);
    await build({ entryPoints: [CHILD], bundle: true, platform: "node", format: "esm", packages: "external", outfile });
    spawnSync(process.execPath, [outfile, join(folder, "logs"), end], { stdio: "ignore" });
    rmSync(outfile);
    expect(lines().map(({ msg }) => msg)).toEqual(Array.from({ length: 51 }, (_, i) => `line ${i}`));
  });
});
