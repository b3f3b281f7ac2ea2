/** A hint that names a key sends people to the configuration: the key must be there. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { KEYS } from "../../src/config/keys.ts";

const SRC = resolve(import.meta.dirname, "../../src");
const paths = KEYS.map(({ path }) => path);
const groups = [...new Set(paths.filter((path) => path.includes(".")).map((path) => path.split(".")[0]))];

/** Texts between quotes, with what a template puts into them left out. */
const TEXTS = /"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
const NAMED = new RegExp(`(?<![\\w./$-])(?:${groups.join("|")})(?:\\.[a-z]\\w*)+…?`, "g");
/** Modules and files are no keys. */
const FILE = /\.(ts|mjs|js|jsonl?|md|yaml|yml|log|sock)$/;

/** A template may end a name: `budget.max…`. */
const isKey = (name: string) =>
  paths.some((path) =>
    name.endsWith("…") ? path.startsWith(name.slice(0, -1)) : path === name || path.startsWith(`${name}.`),
  );

function namedIn(file: string): string[] {
  const source = readFileSync(join(SRC, file), "utf8").replace(/^import .*$/gm, "");
  const texts = [...source.matchAll(TEXTS)].map(([, plain, template]) => plain ?? template ?? "");
  return texts
    .map((text) => text.replace(/\$\{[^}]*\}/g, "…"))
    .flatMap((text) => [...text.matchAll(NAMED)].map(([name]) => name))
    .filter((name) => !FILE.test(name));
}

describe("what memd says of its configuration", () => {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const named = files.flatMap((file) => namedIn(file).map((name) => ({ file, name })));

  it("names keys that are there", () => {
    expect(named.filter(({ name }) => !isKey(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(40);
  });
});
