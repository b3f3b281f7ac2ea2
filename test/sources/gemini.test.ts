/** Chats of Gemini CLI: messages that are written again, lists that replace each other, stubs that each resume leaves. */

import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { geminiSource } from "../../src/sources/gemini.ts";
import { conforms } from "./conformance.ts";
import { type Json, jsonl, put, readAt, spoken, tempFolder, turnsOf, watchedFiles } from "./world.ts";

const PATH = "tmp/app/chats/session-2026-03-02T09-00-5e551011.jsonl";
const PREAMBLE =
  "<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - /home/sam/app\n</session_context>";

function chat() {
  let count = 0;
  const message = (type: string, content: unknown, more: Json = {}): Json => {
    count++;
    const timestamp = new Date(Date.UTC(2026, 2, 2, 9, count)).toISOString();
    return { id: `m${count}`, timestamp, type, content, ...more };
  };
  return {
    header: (more: Json = {}): Json => ({ sessionId: "5e551011-full", projectHash: HASH, kind: "main", ...more }),
    user: (text: string, more: Json = {}) => message("user", [{ text }], more),
    parts: (content: readonly Json[], more: Json = {}) => message("user", content, more),
    agent: (content: unknown, more: Json = {}) => message("gemini", content, more),
    list: (messages: readonly Json[]): Json => ({ $set: { messages, lastUpdated: "2026-03-02T09:00:00Z" } }),
  };
}

const HASH = createHash("sha256").update("/home/sam/app").digest("hex");

conforms({
  client: "gemini-cli",
  source: geminiSource,
  path: PATH,
  lines: (texts) => {
    const is = chat();
    return texts.map((text) => JSON.stringify(is.user(text)));
  },
  isJsonLines: true,
});

function made(records: readonly Json[], path = PATH) {
  const root = tempFolder();
  return { root, path: put(join(root, path), jsonl(records)), source: geminiSource(watchedFiles()) };
}

describe("a chat of Gemini CLI", () => {
  it("takes only a person's words: no preamble, tool results, hooks, thoughts and named files", async () => {
    const is = chat();
    const { root, source } = made([
      is.header(),
      is.list([is.user(PREAMBLE)]),
      is.parts([{ text: "Use pnpm here." }, { text: "<hook_context>Always lint.</hook_context>" }]),
      is.agent([{ text: "hidden", thought: true }, { text: "Looking." }], {
        toolCalls: [{ id: "c1", name: "run_shell_command", args: { command: "ls" } }],
      }),
      is.parts([{ functionResponse: { id: "c1", name: "run_shell_command", response: { output: "a.ts" } } }]),
      is.parts([
        { text: "Explain @a.ts" },
        { text: "\n--- Content from referenced files ---" },
        { text: "// never touch" },
      ]),
      is.parts([{ text: "sent" }], { displayContent: [{ text: "typed" }] }),
      is.parts([{ text: "@mock.png Keep it wide." }, { text: "\n--- Content from referenced files ---" }]),
      is.user("@sam asked for it."),
      { id: "i1", type: "info", content: "Request cancelled." },
    ]);
    const read = await readAt(source, root);
    expect(spoken(read).map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      "user: Use pnpm here.",
      "assistant: Looking.",
      "tool: run_shell_command(ls): a.ts",
      "user: Explain @a.ts",
      "user: typed",
      "user: Keep it wide.",
      "user: @sam asked for it.",
    ]);
    expect(read.words[0]).toMatchObject({ session: "5e551011-full", client: "gemini-cli" });
  });

  it("does not hear again what a rewritten list repeats, nor the summary of a compression", async () => {
    const is = chat();
    const [first, second] = [is.user("Use pnpm here."), is.user("And vitest.")];
    const copies = [first, second].map((message, i) => ({ ...message, id: `new-${i}` }));
    const { root, path, source } = made([is.header(), first, is.agent("Noted."), second]);
    const before = await readAt(source, root);
    appendFileSync(
      path,
      jsonl([
        { $set: { sessionId: "5e551011-full" } },
        is.list([is.user(PREAMBLE), first, second]),
        is.list([is.user("<state_snapshot>The user wants npm.</state_snapshot>"), ...copies]),
        is.user("Third."),
      ]),
    );
    expect(turnsOf(await readAt(source, root))).toEqual(["Use pnpm here.", "And vitest.", "Third."]);
    expect(turnsOf(await readAt(source, root, before.end))).toEqual(["Third."]);
  });

  it("hears a chat that was written over in whole, by the ids that its messages had before", async () => {
    const is = chat();
    const messages = [is.user(PREAMBLE), is.user("Use pnpm here."), is.agent("Noted.")];
    const { root, source } = made([is.header(), is.list(messages), is.user("Next.")]);
    const read = await readAt(source, root);
    expect(turnsOf(read)).toEqual(["Use pnpm here.", "Next."]);
    expect(spoken(read)[0]).toMatchObject({ record: "m2", line: 2 });
  });

  it("keeps the last text of an answer that was written again", async () => {
    const is = chat();
    const answer = is.agent("Look");
    const { root, source } = made([is.header(), is.user("Go."), answer, { ...answer, content: "Looked, done." }]);
    expect(spoken(await readAt(source, root)).map(({ text }) => text)).toEqual(["Go.", "Looked, done."]);
  });

  it("drops what was rewound, and nothing for an id that it does not know", async () => {
    const is = chat();
    const [kept, rewound] = [is.user("Kept."), is.user("Rewound.")];
    const { root, source } = made([
      is.header(),
      kept,
      rewound,
      is.agent("Yes."),
      { $rewindTo: rewound.id },
      { $rewindTo: "nobody" },
      is.user("After."),
    ]);
    expect(turnsOf(await readAt(source, root))).toEqual(["Kept.", "After."]);
  });

  it("knows the project by the file beside the chats, else by the preamble if the hash agrees", async () => {
    const is = chat();
    const records = [is.header(), is.list([is.user(PREAMBLE)]), is.user("Hello there.")];
    const { root, source } = made(records);
    expect((await readAt(source, root)).words[0]?.cwd).toBe("/home/sam/app");
    put(join(root, "tmp/app/.project_root"), "/srv/app\n");
    expect((await readAt(source, root)).words[0]?.cwd).toBe("/srv/app");
    const other = made([is.header({ projectHash: "0".repeat(64) }), ...records.slice(1)]);
    expect((await readAt(other.source, other.root)).words[0]?.cwd).toBeNull();
  });

  it("is found in a project of any name, also one that is called as a folder without chats is", async () => {
    const is = chat();
    for (const name of ["memory", "snapshot", "node_modules"]) {
      const { root, source } = made(
        [is.user("Use pnpm.")],
        `.gemini/tmp/${name}/chats/session-2026-03-02T09-00-5e551011.jsonl`,
      );
      expect(turnsOf(await readAt(source, join(root, ".gemini/tmp")))).toEqual(["Use pnpm."]);
    }
  });

  it("leaves stubs of resumes, sub-agents and whole-file chats of old versions, each with its reason", async () => {
    const is = chat();
    const stub = made([is.header(), is.list([is.user(PREAMBLE)])]);
    expect((await readAt(stub.source, stub.root)).drop).toBe("no-user-words");
    const agent = made([is.header({ kind: "subagent" }), is.user("Always look twice.")]);
    expect(await readAt(agent.source, agent.root)).toMatchObject({ words: [], drop: "subagent" });
    const { root, source } = made([], "tmp/app/chats/5e551011-full/a1b2.jsonl");
    put(join(root, "tmp/app/chats/session-2025-11-02T09-00-aaaa.json"), "{}");
    const drops = [...source.list(root)].map(({ drop }) => drop).sort();
    expect(drops).toEqual(["old-format", "subagent"]);
  });
});
