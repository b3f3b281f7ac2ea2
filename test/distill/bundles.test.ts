import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildAll } from "../../scripts/build.mjs";

let dist: string;
let files: readonly string[];
beforeAll(async () => {
  dist = realpathSync(mkdtempSync(join(tmpdir(), "memd-dist-")));
  files = await buildAll(dist);
});
afterAll(() => rmSync(dist, { recursive: true, force: true }));

const read = (name: string) => readFileSync(join(dist, name), "utf8");

describe("the bundles", () => {
  it("hold a child for the built-in rules that can talk to nobody", () => {
    expect(files).toEqual(expect.arrayContaining(["distiller-child.mjs", "anthropic-child.mjs"]));
    expect(read("distiller-child.mjs")).not.toMatch(/node:https?"|\bfetch\(|anthropic-version/);
    expect(read("anthropic-child.mjs")).toContain("anthropic-version");
  });

  it("bring the licence of every package in them", () => {
    const text = read("THIRD-PARTY.txt");
    for (const name of ["@anthropic-ai/sdk", "chrono-node"]) expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
    expect(text).toContain("Apache License");
    expect(text).toContain("Permission is hereby granted");
  });
});
