/** Transcripts of pi: a header, then a tree in which an edited message leaves its dead branch behind. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { piSource } from "../../src/sources/pi.ts";
import { conforms } from "./conformance.ts";
import { type Json, jsonl, put, readAt, spoken, tempFolder, turnsOf, watchedFiles } from "./world.ts";

const PATH = "sessions/--home-sam-app--/2026-03-02T09-00-00-000Z_5e551011.jsonl";

function talk() {
  let count = 0;
  let last: string | null = null;
  const entry = (type: string, body: Json): Json => {
    count++;
    const timestamp = new Date(Date.UTC(2026, 2, 2, 9, count)).toISOString();
    const made: Json = { type, id: `e${count}`, parentId: last, timestamp, ...body };
    last = String(made.id);
    return made;
  };
  const message = (role: string, content: unknown, more: Json = {}, place: Json = {}) =>
    entry("message", { ...place, message: { role, content, ...more } });
  return {
    header: (more: Json = {}): Json => ({ type: "session", version: 3, id: "5e55", cwd: "/home/sam/app", ...more }),
    entry,
    message,
    user: (text: string, place: Json = {}) => message("user", [{ type: "text", text }], {}, place),
    agent: (text: string) => message("assistant", [{ type: "text", text }]),
  };
}

conforms({
  client: "pi",
  source: piSource,
  path: PATH,
  lines: (texts) => {
    const is = talk();
    return texts.map((text) => JSON.stringify(is.user(text)));
  },
  isJsonLines: true,
});

function made(records: readonly Json[]) {
  const root = tempFolder();
  return { root, path: put(join(root, PATH), jsonl(records)), source: piSource(watchedFiles()) };
}

describe("a transcript of pi", () => {
  it("takes only a person's words: no system prompt, summaries, extensions, shell lines, skills and files", async () => {
    const is = talk();
    const { root, source } = made([
      is.header(),
      is.message("system", "", { sections: { rules: "Always be brief." } }),
      is.user("Use pnpm here."),
      is.message("assistant", [
        { type: "thinking", thinking: "hidden" },
        { type: "text", text: "Looking." },
        { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } },
      ]),
      is.message("toolResult", [{ type: "text", text: "a.ts" }], { toolCallId: "c1", toolName: "bash" }),
      is.message("bashExecution", undefined, { command: "git status", output: "clean" }),
      is.entry("custom_message", { customType: "x", content: "Always lint.", display: true }),
      is.entry("compaction", { summary: "The user wants npm.", firstKeptEntryId: "e1" }),
      is.user('<skill name="ship" location="/s">\nNever ask.\n</skill>\n\nship it\n<file name="a">x</file>'),
    ]);
    const read = await readAt(source, root);
    expect(spoken(read).map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      "user: Use pnpm here.",
      "assistant: Looking.",
      "tool: bash(ls): a.ts",
      "tool: bash(git status): clean",
      "user: ship it",
    ]);
    expect(read.words[0]).toMatchObject({ session: "5e55", client: "pi", cwd: "/home/sam/app" });
  });

  it("drops a dead branch, also one that was summed up before the person went on", async () => {
    const is = talk();
    const start = is.user("Set up sessions.");
    const answer = is.agent("Where?");
    const dead = [is.user("In Redis."), is.agent("Redis it is.")];
    const summary = is.entry("branch_summary", { parentId: answer.id, fromId: "e4", summary: "Explored Redis." });
    const { root, source } = made([is.header(), start, answer, ...dead, summary, is.user("In Postgres.")]);
    expect(turnsOf(await readAt(source, root))).toEqual(["Set up sessions.", "In Postgres."]);
  });

  it("reads the straight sessions of version 1, whose entries have no ids", async () => {
    const message = (text: string) => ({
      type: "message",
      timestamp: "2025-11-02T09:00:00Z",
      message: { role: "user", content: text },
    });
    const { root, source } = made([
      { type: "session", id: "5e55", cwd: "/home/sam/app" },
      message("One."),
      message("Two."),
    ]);
    expect(turnsOf(await readAt(source, root))).toEqual(["One.", "Two."]);
  });

  it("knows session and folder from the header when reading goes on behind it", async () => {
    const is = talk();
    const { root, path, source } = made([is.header(), is.user("One.")]);
    const { end } = await readAt(source, root);
    appendFileSync(path, jsonl([is.user("Two.")]));
    expect((await readAt(source, root, end)).words).toMatchObject([{ session: "5e55", cwd: "/home/sam/app" }]);
  });

  it("gives the entries of a fork the ids that they have in the original", async () => {
    const is = talk();
    const entries = [is.user("Use pnpm here."), is.agent("Noted.")];
    const original = made([is.header(), ...entries]);
    const fork = made([is.header({ id: "f0f0", parentSession: original.path }), ...entries, is.user("Next.")]);
    const read = await readAt(fork.source, fork.root);
    expect(read.words[0]?.session).toBe("f0f0");
    const first = spoken(await readAt(original.source, original.root))[0];
    expect(spoken(read)[0]).toMatchObject({ record: first?.record, text: first?.text });
  });

  it("keeps the first words of a long output, and a record that is glued to it", async () => {
    const is = talk();
    const first = is.user("Show it.");
    const content = [{ type: "text", text: `"a"\n${"x".repeat(20_000)}` }];
    const long = JSON.stringify(is.entry("message", { message: { role: "toolResult", toolName: "read", content } }));
    const glued = JSON.stringify(is.user("Thanks."));
    const root = tempFolder();
    const lines = [JSON.stringify(is.header()), JSON.stringify(first), long, `${long.slice(0, 9_000)}${glued}`];
    put(join(root, PATH), `${lines.join("\n")}\n`);
    const read = await readAt(piSource(watchedFiles()), root);
    expect(turnsOf(read)).toEqual(["Show it.", "Thanks."]);
    expect(spoken(read)[1]).toMatchObject({ speaker: "tool", text: expect.stringMatching(/^read: "a" x+/) });
    expect(read.counts.bad).toBe(1);
  });
});
