/** The page that tells how to add a client, held to what it says: its code is run as it stands there. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { conforms } from "./conformance.ts";
import { live, put, tempFolder, turnsOf, watchedFiles } from "./world.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "src/sources/README.md"), "utf8");
const [SOURCE = "", TEST = ""] = [...PAGE.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? "");

const scratch = mkdtempSync(join(tmpdir(), "memd-page-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The page's code in a folder of its own; what it imports stays where it is. */
function onDisk(name: string, code: string, from: string): string {
  const path = join(scratch, name);
  mkdirSync(scratch, { recursive: true });
  writeFileSync(
    path,
    code.replace(/from "(\.[^"]+)"/g, (_, to: string) => `from ${JSON.stringify(resolve(ROOT, from, to))}`),
  );
  return path;
}

const made = await import(pathToFileURL(onDisk("acorn.ts", SOURCE, "src/sources")).href);

// The call of the page's own test, with the source that was made of the page.
const call = new Function("conforms", "acornSource", TEST.replace(/^import .*$/gm, ""));
call(conforms, made.acornSource);

describe("the page about adding a client", () => {
  it("tells a person's words from what the client says in their name", async () => {
    const root = tempFolder();
    const record = (id: string, more: object) =>
      `${JSON.stringify({ id, role: "human", text: `said ${id}`, at: 1, cwd: "/home/sam/app", ...more })}\n`;
    put(
      join(root, ".acorn/chats/a.jsonl"),
      [
        record("1", {}),
        record("2", { auto: true }),
        record("3", { role: "acorn" }),
        record("4", { role: "system" }),
      ].join(""),
    );
    put(join(root, ".acorn/chats/a.jsonl.bak"), record("5", {}));
    const source = made.acornSource(watchedFiles());
    const listed = [...source.list(root)];
    expect(listed.map(({ drop }) => drop).sort()).toEqual(["archived-copy", null]);
    const read = await source.read(
      listed.find(({ drop }) => drop === null),
      null,
      live(),
    );
    expect(turnsOf(read)).toEqual(["said 1"]);
  });

  it("names files, and things in them, that are there", () => {
    const named = [...PAGE.matchAll(/`((?:src|test|config)\/[\w./-]+)`/g)].map((match) => match[1] ?? "");
    expect(named.filter((path) => !/acorn/.test(path) && !existsSync(join(ROOT, path)))).toEqual([]);
    for (const path of ["claude-code/tree.ts", "jsonl/source.ts", "database/source.ts"]) {
      expect(PAGE).toContain(`\`${path}\``);
      expect(existsSync(join(ROOT, "src/sources", path))).toBe(true);
    }
    const holds = (path: string, word: string) => expect(readFileSync(join(ROOT, path), "utf8")).toContain(word);
    holds("src/digest/clients.ts", "CLIENT_NAMES");
    holds("src/sources/detect.ts", "function otherClients");
    holds("src/config/paths.ts", "others:");
    holds("test/support/clients.ts", "export const CLIENTS");
    holds("test/dream/everyone.test.ts", "CLIENTS");
    holds("test/bench/client-files.ts", "export const CLIENT_FILES");
    holds("src/sources/other-stores.ts", "function learn");
    holds("test/sources/database-conformance.ts", "export function conformsAsDatabase");
  });

  it("fits on a page", () => {
    expect(PAGE.split("\n").length).toBeLessThanOrEqual(125);
  });
});
