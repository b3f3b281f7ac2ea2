/** A machine on which SQLite's native part does not load: sessions in databases stay unread, and that is said. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { put } from "./world.ts";

/** Far from any better-sqlite3. */
const folder = mkdtempSync(join(tmpdir(), "memd-no-sqlite-"));
const script = join(folder, "list.mjs");

const LIST = `
  import { nodeFiles } from "../../src/base/files.ts";
  import { anySource } from "../../src/sources/detect.ts";
  console.log(JSON.stringify([...anySource(nodeFiles).list(process.argv[2])]));`;

beforeAll(async () => {
  await build({
    stdin: { contents: LIST, resolveDir: import.meta.dirname, loader: "ts" },
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["better-sqlite3"],
    logLevel: "error",
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("without SQLite", () => {
  it.each([".local/share/opencode/opencode.db", ".openclaw/agents/main/agent/openclaw-agent.sqlite"])(
    "%s is dropped with a reason, and files beside it are listed",
    (name) => {
      const root = mkdtempSync(join(folder, "home-"));
      const path = put(join(root, name), "whatever stands in it");
      put(join(root, "projects/-home-sam-app/5e55.jsonl"), "{}\n");
      const child = spawnSync(process.execPath, [script, root], { encoding: "utf8" });
      expect(child.stderr).toBe("");
      const files = JSON.parse(child.stdout);
      expect(files).toMatchObject([
        {
          path,
          drop: "no-sqlite",
          trouble: {
            code: "no-sqlite",
            message: expect.stringContaining(path),
            hint: expect.stringContaining("npm rebuild better-sqlite3"),
          },
        },
        { session: "5e55", drop: null },
      ]);
    },
  );
});
