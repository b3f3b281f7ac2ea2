import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isMemdError } from "../../src/base/errors.ts";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "memd-start-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const env = () => ({ PATH: process.env.PATH ?? "", HOME: home, TZ: "UTC" });
const memd = (...args: string[]) =>
  spawnSync(process.execPath, [MEMD, ...args], { env: env(), cwd: home, encoding: "utf8" });

function configure(text: string): void {
  mkdirSync(join(home, ".config", "memd"), { recursive: true });
  writeFileSync(join(home, ".config", "memd", "config.yaml"), text);
}

describe("memd, which starts from one small file and loads the rest when it is used,", () => {
  it("knows an error that was made in a part loaded later", () => {
    const known = Object.assign(new Error("made elsewhere"), { [Symbol.for("memd.error")]: true });
    expect([isMemdError(known), isMemdError(new Error("plain")), isMemdError(null)]).toEqual([true, false, false]);
  });

  it.each([
    { args: ["undo", "nothing-of-that-id"], status: 2 },
    { args: ["show", "nothing-of-that-id"], status: 2 },
    { args: ["dream", "--now", "--distiller", "oracle"], status: 2 },
    { args: ["dream", "--now"], status: 78 },
  ])("ends $args with $status and a hint, not as a bug", ({ args, status }) => {
    const ended = memd(...args);
    expect(ended.status).toBe(status);
    expect(ended.stderr).toMatch(/^memd: .+\n {2}\S/);
    expect(ended.stderr).not.toContain("bug");
  });

  it("tells what is wrong with a configuration that it only reads when it has changed", () => {
    configure("gates: {minHours: 3}\n");
    expect(memd("status").status).toBe(0);
    expect(memd("status").status).toBe(0);
    configure("gates: {minHours: nine}\n");
    const refused = memd("status");
    expect(refused.status).toBe(78);
    expect(refused.stderr).toContain("gates.minHours");
  });

  it("makes nothing on the disk by looking at a store", () => {
    expect(memd("status", "--memory", "memory").status).toBe(0);
    expect(readdirSync(home)).toEqual([]);
  });

  it("prints all of a long page into a file and into a pipe, and is quiet when the reader leaves", () => {
    const stores = Array.from({ length: 300 }, (_, i) => `  - {name: store${i}, memory: ~/m${i}, sessions: [~/s${i}]}`);
    configure(`discover: false\nstores:\n${stores.join("\n")}\n`);
    const piped = memd("status");
    const file = openSync(join(home, "page"), "w");
    spawnSync(process.execPath, [MEMD, "status"], { env: env(), stdio: ["ignore", file, "inherit"] });
    closeSync(file);
    expect(piped.stdout).toContain("store299");
    expect(readFileSync(join(home, "page"), "utf8")).toBe(piped.stdout);
    const left = spawnSync("/bin/sh", ["-c", `"$0" "$1" status | head -1`, process.execPath, MEMD], {
      env: env(),
      encoding: "utf8",
    });
    expect(left.stdout.split("\n")).toHaveLength(2);
    expect(left.stderr).toBe("");
  });
});
