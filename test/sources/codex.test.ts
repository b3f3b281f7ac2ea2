/** Rollouts of Codex: everything twice, and much of it in the user's name without being a person's. */

import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { codexSource } from "../../src/sources/codex.ts";
import { conforms } from "./conformance.ts";
import { type Json, jsonl, listed, live, put, readAt, spoken, tempFolder, turnsOf, watchedFiles } from "./world.ts";

const PATH = "sessions/2026/03/02/rollout-2026-03-02T09-00-00-0f5e.jsonl";

function rollout() {
  let count = 0;
  const record = (type: string, payload: Json): Json => {
    count++;
    const timestamp = new Date(Date.UTC(2026, 2, 2, 9, count)).toISOString();
    return { timestamp, ordinal: count, type, payload };
  };
  const event = (type: string, more: Json = {}) => record("event_msg", { type, ...more });
  const item = (type: string, more: Json) => event("item_completed", { thread_id: "0f5e", item: { type, ...more } });
  return {
    record,
    event,
    meta: (more: Json = {}) =>
      record("session_meta", { id: "0f5e", cwd: "/home/sam/app", source: "cli", thread_source: "user", ...more }),
    turn: (cwd: string) => record("turn_context", { turn_id: `t${count}`, cwd }),
    item: (role: string, text: string) =>
      record("response_item", { type: "message", id: `msg_${count}`, role, content: [{ type: "input_text", text }] }),
    said: (text: string, id = `u${count}`) => item("UserMessage", { id, content: [{ type: "text", text }] }),
    answered: (text: string) => item("AgentMessage", { id: `a${count}`, content: [{ type: "Text", text }] }),
    ran: (command: string, output: string) =>
      item("CommandExecution", { id: `c${count}`, command: ["/bin/bash", "-lc", command], aggregated_output: output }),
    typed: (message: string) => event("user_message", { message, images: [] }),
    replied: (message: string) => event("agent_message", { message }),
  };
}

conforms({
  client: "codex",
  source: (files) => codexSource(files, null),
  path: PATH,
  lines: (texts) => {
    const session = rollout();
    return texts.map((text) => JSON.stringify(session.said(text)));
  },
  isJsonLines: true,
});

async function readOf(records: readonly Json[], path = PATH) {
  const root = tempFolder();
  put(join(root, path), jsonl(records));
  return readAt(codexSource(watchedFiles(), null), root);
}

describe("a rollout of Codex", () => {
  it("counts what was said once, though every turn is an item and an event, and a compaction repeats them all", async () => {
    const is = rollout();
    const read = await readOf([
      is.meta({ base_instructions: { text: "Always answer in English." } }),
      is.item("developer", "<permissions instructions>Never ask.</permissions instructions>"),
      is.item("user", "<environment_context><cwd>/home/sam/app</cwd></environment_context>"),
      is.item("user", "Use pnpm here."),
      is.said("Use pnpm here."),
      is.answered("Noted."),
      is.item("assistant", "Noted."),
      is.ran("ls", "package.json"),
      is.record("compacted", { replacement_history: [{ type: "message", role: "user", content: "Use pnpm here." }] }),
    ]);
    expect(spoken(read).map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      "user: Use pnpm here.",
      "assistant: Noted.",
      "tool: shell(/bin/bash -lc ls): package.json",
    ]);
    expect(read.words[0]).toMatchObject({ session: "0f5e", client: "codex", cwd: "/home/sam/app", headless: false });
  });

  it("follows the folder of each turn, also when reading goes on behind it", async () => {
    const is = rollout();
    const root = tempFolder();
    const path = put(join(root, PATH), jsonl([is.meta(), is.said("First."), is.turn("/home/sam/lib")]));
    const source = codexSource(watchedFiles(), null);
    const first = await readAt(source, root);
    expect(first.words.map(({ cwd }) => cwd)).toEqual(["/home/sam/app"]);
    appendFileSync(path, jsonl([is.said("Second.")]));
    const second = await readAt(source, root, first.end);
    expect(second.words).toMatchObject([{ session: "0f5e", cwd: "/home/sam/lib" }]);
  });

  const drops: [name: string, meta: Json, drop: string | null][] = [
    ["a sub-agent that another session spawned", { source: { subagent: { thread_spawn: { depth: 1 } } } }, "subagent"],
    ["a review", { source: { subagent: "review" } }, "subagent"],
    ["the client's own consolidation of memories", { thread_source: "memory_consolidation" }, "subagent"],
    ["a session of a person", { source: "vscode" }, null],
  ];
  it.each(drops)("judges by its source: %s", async (_name, meta, drop) => {
    const is = rollout();
    const read = await readOf([is.meta(meta), is.said("Always do it.")]);
    expect(read.drop).toBe(drop);
    expect(turnsOf(read)).toEqual(drop === null ? ["Always do it."] : []);
  });

  it("marks what `codex exec` was given as headless", async () => {
    const is = rollout();
    const read = await readOf([is.meta({ source: "exec" }), is.said("Fix the build.")]);
    expect(read.words[0]?.headless).toBe(true);
    expect(spoken(read)[0]?.trust).toBe("headless");
  });

  it("reads rollouts of versions that knew user_message events only, and their commands' output", async () => {
    const is = rollout();
    const read = await readOf([
      is.meta(),
      is.item("user", "# AGENTS.md instructions for /home/sam/app\n\n<INSTRUCTIONS>Always use tabs.</INSTRUCTIONS>"),
      is.item("user", "Run the tests."),
      is.typed("Run the tests."),
      is.record("response_item", { type: "function_call_output", call_id: "c", output: "2 failed" }),
      is.item("assistant", "Two failed."),
      is.replied("Two failed."),
    ]);
    expect(spoken(read).map(({ text }) => text)).toEqual(["Run the tests.", "tool: 2 failed", "Two failed."]);
  });

  it("reads the bare items of the first versions, without rules and folders in the user's name", async () => {
    const message = (role: string, text: string) => ({
      type: "message",
      role,
      content: [{ type: "input_text", text }],
    });
    const read = await readOf([
      { id: "0f5e", timestamp: "2025-06-01T09:00:00Z", instructions: "Always be brief." },
      message("user", "<user_instructions>\nNever use any.\n</user_instructions>"),
      message("user", "Use Go here."),
    ]);
    expect(turnsOf(read)).toEqual(["Use Go here."]);
  });

  it("drops the turns that were rolled back", async () => {
    const is = rollout();
    const read = await readOf([
      is.meta(),
      is.said("Use Postgres."),
      is.item("user", "Use Redis."),
      is.said("Use Redis."),
      is.answered("Redis it is."),
      is.event("thread_rolled_back", { num_turns: 1 }),
      is.said("Use SQLite."),
    ]);
    expect(spoken(read).map(({ text }) => text)).toEqual(["Use Postgres.", "Use SQLite."]);
  });

  it("takes what the person wrote out of a prompt that an editor built", async () => {
    const is = rollout();
    const built = [
      "# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nRename it.",
      "# Files mentioned by the user:\n\n## a.png: /tmp/a.png\n\n## My request:\nMake it blue.\n<image name=[Image #1]>data</image>",
    ];
    const read = await readOf([is.meta(), ...built.map((text) => is.said(text))]);
    expect(turnsOf(read)).toEqual(["Rename it.", "Make it blue."]);
  });

  it("names a copied turn without an id by the answer to it", async () => {
    const answer = "The release goes out on Thursdays, after the smoke test has passed.";
    const original = rollout();
    const copy = rollout();
    const first = await readOf([original.meta(), original.typed("When do we release?"), original.replied(answer)]);
    const second = await readOf([
      copy.meta({ id: "fork", forked_from_id: "0f5e" }),
      original.meta(),
      copy.typed("When do we release?"),
      copy.replied(answer),
    ]);
    expect(second.words[0]?.session).toBe("fork");
    const names = (read: typeof first) => [...(read.aliases?.values() ?? [])];
    expect(names(first)).toHaveLength(1);
    expect(names(second)).toEqual(names(first));
  });

  it("knows its folder behind rules that are longer than what is read again", async () => {
    const is = rollout();
    const root = tempFolder();
    const rules = "Always test. ".repeat(40_000);
    const path = put(join(root, PATH), jsonl([is.meta({ instructions: rules }), is.said("One.")]));
    const source = codexSource(watchedFiles(), null);
    const { end } = await readAt(source, root);
    appendFileSync(path, jsonl([is.said("Two.")]));
    const read = await readAt(source, root, end);
    expect(read.words).toMatchObject([{ session: "0f5e", cwd: "/home/sam/app" }]);
    expect(turnsOf(read)).toEqual(["Two."]);
  });
});

describe("a packed rollout of Codex", () => {
  const packed = (records: readonly Json[]) => {
    const root = tempFolder();
    put(join(root, `${PATH}.zst`), gzipSync(jsonl(records)));
    return root;
  };
  const unpack = (bytes: Buffer, max: number) => gunzipSync(bytes, { maxOutputLength: max });

  it("is read like a plain one where Node can unpack it, from any of its cursors", async () => {
    const is = rollout();
    const root = packed([is.meta(), is.said("One."), is.said("Two.")]);
    const source = codexSource(watchedFiles(), unpack);
    const read = await readAt(source, root);
    expect(turnsOf(read)).toEqual(["One.", "Two."]);
    expect(turnsOf(await readAt(source, root, read.end))).toEqual([]);
    const last = spoken(read)[1];
    if (!last) throw new Error("no second turn");
    const cursor = source.cursorAt(listed(source, root), last.offset, last.line - 1);
    expect(turnsOf(await readAt(source, root, cursor))).toEqual(["Two."]);
  });

  it("is dropped with a reason and a hint, told once, where Node cannot", () => {
    const root = packed([]);
    put(join(root, "archived_sessions/rollout-2026-03-01T09-00-00-aaaa.jsonl.zst"), "");
    const files = [...codexSource(watchedFiles(), null).list(root)];
    expect(files.map(({ drop }) => drop)).toEqual(["zstd-unsupported", "zstd-unsupported"]);
    expect(files.map(({ trouble }) => trouble?.code)).toEqual(["zstd-unsupported", undefined]);
  });

  it("counts as damage where it cannot be unpacked", async () => {
    const root = tempFolder();
    put(join(root, `${PATH}.zst`), "no zstd at all");
    const source = codexSource(watchedFiles(), unpack);
    const read = await source.read(listed(source, root), null, live());
    expect(read?.counts.bad).toBe(1);
  });
});
