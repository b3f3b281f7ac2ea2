/** A client at work in a process of its own, as fast as it can, while memd reads what it writes. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import type { Cursor, TranscriptSource } from "../../src/ports.ts";
import { openclawSource } from "../../src/sources/openclaw.ts";
import { opencodeSource } from "../../src/sources/opencode.ts";
import { describeWithSqlite } from "../support/sqlite.ts";
import { openclaw } from "./openclaw-world.ts";
import { opencode } from "./opencode-world.ts";
import { listed, live, turnsOf } from "./world.ts";

const TURNS = 200;
const folder = mkdtempSync(join(tmpdir(), "memd-writer-"));
const script = join(folder, "writer.mjs");

/** Each turn is two halves in one transaction; a writer that has to wait for anybody throws. */
const WRITER = `
  import { openclaw } from "./openclaw-world.ts";
  import { opencode } from "./opencode-world.ts";
  const [, , kind, path] = process.argv;
  const client = kind === "opencode" ? opencode(path) : openclaw(path);
  for (let turn = 0; turn < ${TURNS}; turn++) {
    client.db.exec("BEGIN IMMEDIATE");
    const halves = [\`Turn \${turn} begins\`, \`and turn \${turn} ends.\`];
    client.user(halves.map((text) => ({ type: "text", text })), kind === "opencode" ? "ses_1" : { __openclaw: { senderIsOwner: true } });
    if (kind === "opencode") client.answer("ok"); else client.agent("ok");
    client.db.exec("COMMIT");
    if (turn % 50 === 49) client.db.pragma("wal_checkpoint(PASSIVE)");
  }
  client.close();`;

beforeAll(async () => {
  await build({
    stdin: { contents: WRITER, resolveDir: import.meta.dirname, loader: "ts" },
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    define: { "import.meta.url": JSON.stringify(import.meta.url) },
    logLevel: "error",
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CLIENTS: [kind: string, path: string, source: (files: Files) => TranscriptSource][] = [
  ["opencode", "opencode.db", opencodeSource],
  ["openclaw", "openclaw-agent.sqlite", openclawSource],
];

function begin(kind: string, path: string): void {
  const client = kind === "opencode" ? opencode(path) : openclaw(path);
  if ("session" in client) client.session();
  else client.window();
  client.close();
}

describeWithSqlite("a client that writes in a process of its own", () => {
  it.each(CLIENTS)("of %s never waits for memd, which never sees half a turn", async (kind, name, sourceOf) => {
    const root = mkdtempSync(join(folder, "home-"));
    const path = join(root, name);
    begin(kind, path);
    const source = sourceOf(nodeFiles);
    const child = spawn(process.execPath, [script, kind, path], { stdio: ["ignore", "ignore", "pipe"] });
    let complaint = "";
    child.stderr.on("data", (chunk) => (complaint += String(chunk)));
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    const turns: string[] = [];
    let cursor: Cursor | null = null;
    const readOn = async () => {
      const read = await source.read(listed(source, root), cursor, live());
      cursor = read?.end ?? cursor;
      if (read) turns.push(...turnsOf(read));
    };
    let passes = 0;
    while (child.exitCode === null) {
      await readOn();
      passes++;
    }
    expect([await ended, complaint]).toEqual([0, ""]);
    await readOn();
    expect(turns).toEqual(Array.from({ length: TURNS }, (_, n) => `Turn ${n} begins\nand turn ${n} ends.`));
    expect(passes).toBeGreaterThan(1);
  });
});
