import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { dailyLogSource } from "../../src/sources/daily-log.ts";
import { conforms } from "./conformance.ts";
import { put, readAt, spoken, tempFolder, turnsOf } from "./world.ts";

const localNoon = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day, 12);
const source = dailyLogSource(nodeFiles, { localNoon });

conforms({
  client: "daily-log",
  source: (files) => dailyLogSource(files, { localNoon }),
  path: "2026-03-08.md",
  isJsonLines: false,
  lines: (texts) => texts.map((text) => `- ${text}`),
});

describe("daily logs", () => {
  it("are found in the layouts that agents use, and nothing else is", () => {
    const root = tempFolder();
    for (const path of [
      "2026-03-01.md",
      "logs/2026/03/2026-03-02.md",
      "memory/2026-03-03.md",
      "daily/2026-03-04.md",
      "memory/MEMORY.md",
      "memory/user-role.md",
      "memory/2026-13-40.md",
      "memory/2026-02-30.md",
      "memory/2026-03-03-notes.md",
      "memory/2026-03-03 (conflicted copy).md",
      "src/2026-03-05.md",
      "node_modules/logs/2026-03-06.md",
    ])
      put(join(root, path), "- x\n");
    const days = (folder: string) => [...source.list(folder)].map(({ session }) => session).sort();
    expect(days(root)).toEqual(["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"]);
    expect(days(join(root, "logs"))).toEqual(["2026-03-02"]);
    expect(days(join(root, "logs", "2026"))).toEqual(["2026-03-02"]);
    expect(days(join(root, "memory"))).toEqual(["2026-03-03"]);
  });

  const read = async (content: string) => {
    const root = tempFolder();
    put(join(root, "2026-03-08.md"), content);
    return readAt(source, root);
  };

  it("give each item and paragraph as one utterance of that day", async () => {
    const result = await read(
      "---\ntitle: x\n---\n# 2026-03-08\n\n- Yesterday we froze\n  the schema.\n  - The audit is next Friday.\n1. First.\n\nA paragraph\nof two lines.\n\n---\n<!-- hidden\nnote -->\n```sh\nrm -rf /\n```\n* 下周一上线。\n",
    );
    expect(spoken(result).map(({ text, line }) => [line, text])).toEqual([
      [6, "Yesterday we froze\nthe schema."],
      [8, "The audit is next Friday."],
      [9, "First."],
      [11, "A paragraph\nof two lines."],
      [20, "下周一上线。"],
    ]);
    expect(spoken(result)[0]).toMatchObject({
      speaker: "log",
      trust: "log",
      at: Date.UTC(2026, 2, 8, 12),
      record: null,
    });
    expect(result.words[0]).toMatchObject({ session: "2026-03-08", client: "daily-log", cwd: null, headless: false });
  });

  it("take a last line without a newline as whole, and then only what follows it", async () => {
    const root = tempFolder();
    const path = put(join(root, "2026-03-08.md"), "- one\n- two");
    const first = await readAt(source, root);
    expect(turnsOf(first)).toEqual(["one", "two"]);
    appendFileSync(path, "\n- three\n");
    const second = await readAt(source, root, first.end);
    expect(spoken(second).map(({ text, line }) => [line, text])).toEqual([[3, "three"]]);
  });

  it("lose no words to a rule at the top, and wait for the end of code that is still being written", async () => {
    expect(turnsOf(await read("---\n\n- one\n---\n- two\n"))).toEqual(["one", "two"]);
    const root = tempFolder();
    const path = put(join(root, "2026-03-08.md"), "- one\n```sh\nnpm i\n");
    const first = await readAt(source, root);
    appendFileSync(path, "npm t\n```\n- two\n");
    const second = await readAt(source, root, first.end);
    expect([turnsOf(first), spoken(second).map(({ text, line }) => [line, text])]).toEqual([["one"], [[6, "two"]]]);
  });
});
