import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, makeHome, START, talk } from "../support/home.ts";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "memd-pause-"));
  for (const folder of ["a", "b", "c"]) mkdirSync(join(home, folder));
  configure("");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function configure(more: string): void {
  mkdirSync(join(home, ".config", "memd"), { recursive: true });
  writeFileSync(
    join(home, ".config", "memd", "config.yaml"),
    `discover: false\nstores:\n  - {name: a, memory: ~/a/memory, sessions: [~/a]${more}}\n  - {name: b, memory: ~/b/memory, sessions: [~/b]}\n`,
  );
}

function memd(...args: string[]) {
  return spawnSync(process.execPath, [MEMD, ...args], {
    env: { PATH: process.env["PATH"] ?? "", HOME: home, TZ: "UTC" },
    cwd: home,
    encoding: "utf8",
  });
}
const json = (...args: string[]) => JSON.parse(memd(...args, "--json").stdout);
const paused = () =>
  json("status").stores.map(({ name, paused: rests }: { name: string; paused: boolean }) => `${name}:${rests}`);

describe("memd pause", () => {
  it("stops the dreams of all stores until memd resume, also those asked for by hand", () => {
    expect(memd("pause")).toMatchObject({ status: 0, stdout: expect.stringContaining("paused with all stores") });
    expect(paused()).toEqual(["a:true", "b:true"]);
    const dream = memd("dream", "--now", "--json");
    expect(dream.status).toBe(3);
    for (const run of JSON.parse(dream.stdout).runs)
      expect(run).toMatchObject({ outcome: "skipped", reason: "paused", hint: expect.stringContaining("memd resume") });
    expect(memd("status").stdout).toContain("memd resume ends it");
    expect(memd("resume")).toMatchObject({ status: 0, stdout: expect.stringContaining("dreams when its gates open") });
    expect(paused()).toEqual(["a:false", "b:false"]);
    expect(memd("dream", "--now").status).toBe(0);
  });

  it("stops one store alone", () => {
    json("pause", "--store", "a");
    expect(paused()).toEqual(["a:true", "b:false"]);
    const { runs } = json("dream", "--now");
    expect(runs.map(({ reason }: { reason: string }) => reason)).toEqual(["paused", "nothing-new"]);
    expect(memd("resume", "--store", "b").status).toBe(0);
    expect(paused()).toEqual(["a:true", "b:false"]);
    json("resume", "--store", "a");
    expect(paused()).toEqual(["a:false", "b:false"]);
  });

  it("keeps a store asleep that the pause of all still holds, and says so", () => {
    json("pause", "--store", "a");
    json("pause");
    expect(json("resume", "--store", "a").stores).toEqual([
      expect.objectContaining({ name: "a", paused: true, by: ["all"] }),
    ]);
    json("pause", "--store", "b");
    expect(json("resume")).toMatchObject({ all: false, stores: [{ paused: false }, { paused: false }] });
  });

  it("leaves the configuration alone: what it pauses, memd resume names and does not end", () => {
    configure(", paused: true");
    const config = join(home, ".config", "memd", "config.yaml");
    const before = readFileSync(config, "utf8");
    const { stdout, status } = memd("resume");
    expect(status).toBe(0);
    expect(stdout).toContain("a: paused by the configuration (Set paused: false for this store in the configuration.)");
    expect(paused()).toEqual(["a:true", "b:false"]);
    expect(readFileSync(config, "utf8")).toBe(before);
  });

  it("keeps the time of a pause that stands, and finds a store that only flags named", () => {
    const named = ["--memory", join(home, "c", "memory"), "--sessions", join(home, "c")];
    const first = json("pause", ...named).stores[0];
    expect(json("pause", ...named).stores[0]).toEqual(first);
    expect(memd("dream", "--now", ...named).status).toBe(3);
    memd("resume");
    expect(memd("dream", "--now", ...named).status).toBe(0);
  });

  it("refuses a store that is not there", () => {
    expect(memd("pause", "--store", "aa")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Did you mean --store a?"),
    });
    expect(paused()).toEqual(["a:false", "b:false"]);
  });
});

describe("a pause", () => {
  it("counts whatever its file holds, for a process that was there before it as well", async () => {
    const own = makeHome();
    own.session("one", talk(["Always run the linter before you commit."], START - DAY));
    const file = join(own.root, "state", "memd", "paused.json");
    mkdirSync(join(own.root, "state", "memd"), { recursive: true });
    for (const content of ["", "{", "[1]", '{"since":"soon"}']) {
      writeFileSync(file, content);
      expect((await own.dream()).report).toMatchObject({ outcome: "skipped", reason: "paused" });
    }
    const world = own.world();
    rmSync(file);
    expect(world.pauses()).toEqual([]);
    writeFileSync(file, "");
    expect(world.pauses()).toEqual([{ by: "all", since: null, hint: expect.any(String) }]);
    own.remove();
  });
});
