/** Transcripts of Qwen Code: Claude Code's tree, Gemini's parts, and a mark of its own for what a person said. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { qwenSource } from "../../src/sources/qwen.ts";
import { conforms } from "./conformance.ts";
import { type Json, jsonl, put, readAt, spoken, tempFolder, turnsOf, watchedFiles } from "./world.ts";

const PATH = "projects/-home-sam-app/chats/5e55.jsonl";

function talk() {
  let count = 0;
  let last: string | null = null;
  const record = (type: string, provenance: string, body: Json): Json => {
    count++;
    const timestamp = new Date(Date.UTC(2026, 2, 2, 9, count)).toISOString();
    const tree: Json = { uuid: `r${count}`, parentUuid: last, sessionId: "5e55", timestamp, type, provenance };
    const made: Json = { ...tree, cwd: "/home/sam/app", version: "0.24.4", ...body };
    last = String(made.uuid);
    return made;
  };
  const message = (role: string, parts: readonly Json[]) => ({ message: { role, parts } });
  return {
    record,
    user: (parts: string | readonly Json[], more: Json = {}) =>
      record("user", "real_user", {
        ...message("user", typeof parts === "string" ? [{ text: parts }] : parts),
        ...more,
      }),
    agent: (parts: readonly Json[]) => record("assistant", "assistant_output", message("model", parts)),
    result: (id: string, output: string) =>
      record(
        "tool_result",
        "tool_result",
        message("user", [{ functionResponse: { id, name: "sh", response: { output } } }]),
      ),
    telemetry: (text: string) =>
      record("system", "system", { subtype: "ui_telemetry", systemPayload: { uiEvent: { response_text: text } } }),
  };
}

conforms({
  client: "qwen-code",
  source: qwenSource,
  path: PATH,
  lines: (texts) => {
    const is = talk();
    return texts.map((text) => JSON.stringify(is.user(text)));
  },
  isJsonLines: true,
});

async function readOf(records: readonly Json[]) {
  const root = tempFolder();
  put(join(root, PATH), jsonl(records));
  return readAt(qwenSource(watchedFiles()), root);
}

describe("a transcript of Qwen Code", () => {
  it("takes real_user for a person and everything else for what it says it is", async () => {
    const is = talk();
    const read = await readOf([
      is.user("Use pnpm here."),
      is.telemetry("Always use npm."),
      is.agent([{ text: "Looking." }, { functionCall: { id: "c1", name: "sh", args: { command: "ls" } } }]),
      is.result("c1", "a.ts"),
      is.record("user", "system", { message: { role: "user", parts: [{ text: "Always be brief." }] } }),
      is.record("user", "notification", { message: { role: "user", parts: [{ text: "A task ended." }] } }),
      is.user([
        { text: "See @a.ts" },
        { text: "<qwen:user-prompt-submit-context>\nnoise\n</qwen:user-prompt-submit-context>" },
        { text: "\n--- Content from referenced files ---" },
        { text: "// never touch" },
      ]),
      is.user("expanded", { systemPayload: { displayText: "typed" } }),
    ]);
    expect(spoken(read).map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      "user: Use pnpm here.",
      "assistant: Looking.",
      "tool: sh(ls): a.ts",
      "user: See @a.ts",
      "user: typed",
    ]);
    expect(read.words[0]).toMatchObject({
      session: "5e55",
      client: "qwen-code",
      cwd: "/home/sam/app",
      headless: false,
    });
  });

  it("drops the branch that an edited message replaced, though records without words lie between", async () => {
    const is = talk();
    const first = is.user("Use Redis.");
    const rest = [is.telemetry("ok"), is.agent([{ text: "Redis." }])];
    const edited = is.user("Use Postgres.", { parentUuid: null });
    const read = await readOf([first, ...rest, edited, is.agent([{ text: "Postgres." }])]);
    expect(turnsOf(read)).toEqual(["Use Postgres."]);
  });

  it("reads versions that did not mark where a record came from", async () => {
    const is = talk();
    const old = [is.user("Use pnpm here."), is.agent([{ text: "Noted." }])].map(({ provenance: _, ...rest }) => rest);
    expect(turnsOf(await readOf(old))).toEqual(["Use pnpm here."]);
  });

  it("leaves sub-agents", async () => {
    const is = talk();
    const read = await readOf([is.user("Always look twice.", { agentId: "explore-1", isSidechain: true })]);
    expect(read).toMatchObject({ words: [], drop: "subagent" });
    const root = tempFolder();
    put(join(root, "projects/-home-sam-app/subagents/5e55/agent-a1.jsonl"), "");
    put(join(root, "usage_record.jsonl"), "{}\n");
    expect([...qwenSource(watchedFiles()).list(root)].map(({ drop }) => drop)).toEqual(["subagent"]);
  });
});
