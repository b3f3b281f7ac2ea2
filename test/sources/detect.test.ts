/** Folders in which transcripts of several clients lie, each told by its path or by what stands in it. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clientNamed } from "../../src/digest/clients.ts";
import { anySource, clientTeller, sourceNamed } from "../../src/sources/detect.ts";
import { conforms } from "./conformance.ts";
import { conversation, type Json, jsonl, live, put, tempFolder, turnsOf, watchedFiles } from "./world.ts";

const at = "2026-03-02T09:00:00.000Z";
const claude = (text: string): Json[] => [conversation().user(text)];
const codex = (text: string): Json[] => [
  { timestamp: at, type: "session_meta", payload: { id: "c0", cwd: "/home/sam/app", source: "cli" } },
  { timestamp: at, type: "event_msg", payload: { type: "user_message", message: text } },
];
const gemini = (text: string): Json[] => [
  { sessionId: "ge", projectHash: "0", kind: "main" },
  { id: "m1", timestamp: at, type: "user", content: [{ text }] },
];
const qwen = (text: string): Json[] => [
  {
    uuid: "q1",
    parentUuid: null,
    sessionId: "qw",
    timestamp: at,
    type: "user",
    provenance: "real_user",
    message: { role: "user", parts: [{ text }] },
  },
];
const pi = (text: string): Json[] => [
  { type: "session", version: 3, id: "pi", cwd: "/home/sam/app" },
  { type: "message", id: "e1", parentId: null, timestamp: at, message: { role: "user", content: text } },
];

conforms({
  client: "any",
  source: anySource,
  path: "flat/0c1d.jsonl",
  isJsonLines: true,
  lines: (texts) => {
    const talk = conversation();
    return texts.map((text) => JSON.stringify(talk.user(text)));
  },
});

/** What each client is heard to say below a root. */
async function heard(root: string): Promise<string[]> {
  const source = anySource(watchedFiles());
  const lines: string[] = [];
  for (const file of source.list(root)) {
    const read = file.drop === null ? await source.read(file, null, live()) : null;
    for (const { client } of read?.words ?? []) lines.push(`${client}: ${read ? turnsOf(read).join() : ""}`);
    if (file.drop ?? read?.drop) lines.push(`${file.drop ?? read?.drop}`);
  }
  return lines.sort();
}

const ALL = ["claude-code: Hi.", "codex: Hi.", "gemini-cli: Hi.", "pi: Hi.", "qwen-code: Hi."];

describe("transcripts of several clients in one folder", () => {
  it("are each read once, where their clients put them below a home folder", async () => {
    const home = tempFolder();
    put(join(home, ".claude/projects/-home-sam-app/11.jsonl"), jsonl(claude("Hi.")));
    put(join(home, ".claude/history.jsonl"), "");
    put(join(home, ".codex/sessions/2026/03/02/rollout-2026-03-02T09-00-00-c0.jsonl"), jsonl(codex("Hi.")));
    put(join(home, ".codex/history.jsonl"), '{"session_id":"c0","text":"Always."}\n');
    put(join(home, ".gemini/tmp/app/chats/session-2026-03-02T09-00-ge.jsonl"), jsonl(gemini("Hi.")));
    put(join(home, ".qwen/projects/-home-sam-app/chats/22.jsonl"), jsonl(qwen("Hi.")));
    put(join(home, ".qwen/usage_record.jsonl"), "{}\n");
    put(join(home, ".pi/agent/sessions/--home-sam-app--/2026-03-02T09-00-00-000Z_5e551011.jsonl"), jsonl(pi("Hi.")));
    expect(await heard(home)).toEqual([...ALL, "no-user-words"].sort());
  });

  it("are told by what stands in them where a person renamed them", async () => {
    const root = tempFolder();
    for (const [i, made] of [claude, codex, gemini, qwen, pi].entries())
      put(join(root, `session-${i}.jsonl`), jsonl(made("Hi.")));
    expect(await heard(root)).toEqual(ALL);
  });

  it("are told by the first whole record where the start is damaged", async () => {
    const root = tempFolder();
    put(join(root, "a.jsonl"), `{"id":"m0","ti\n${"\0".repeat(64)}\n${jsonl(gemini("Hi."))}`);
    expect(await heard(root)).toEqual(["gemini-cli: Hi."]);
  });

  it("are told by a first record that is longer than a first look", async () => {
    const root = tempFolder();
    const [meta, ...rest] = codex("Hi.");
    const long = { ...meta, payload: { ...(meta?.payload as Json), base_instructions: "Always. ".repeat(5_000) } };
    put(join(root, "a.jsonl"), jsonl([long, ...rest]));
    expect(await heard(root)).toEqual(["codex: Hi."]);
  });

  it("are told anew when one client's file takes the place of another's", async () => {
    const root = tempFolder();
    const path = put(join(root, "a.jsonl"), jsonl(qwen("Hi.")));
    const source = anySource(watchedFiles());
    const [before] = source.list(root);
    const read = before && (await source.read(before, null, live()));
    put(path, jsonl(pi("Hello there, this is another file.")));
    const [after] = source.list(root);
    const again = after && (await source.read(after, read?.end ?? null, live()));
    expect([read?.words[0]?.client, again?.words[0]?.client]).toEqual(["qwen-code", "pi"]);
  });

  it("say so where the format is none that is known", async () => {
    const root = tempFolder();
    put(join(root, "chat.jsonl"), '{"role":"user","content":"Hi."}\n');
    expect(await heard(root)).toEqual(["unknown-format"]);
  });

  it("open nothing of Claude Code's own folder but what is read", async () => {
    const home = tempFolder();
    put(join(home, ".claude/projects/-home-sam-app/11.jsonl"), jsonl(claude("Hi.")));
    const files = watchedFiles();
    const source = anySource(files);
    for (const file of source.list(home)) await source.read(file, null, live());
    expect(files.opened).toHaveLength(1);
    expect(clientTeller(files)(join(home, ".claude/projects/-home-sam-app/11.jsonl"))).toBe("claude-code");
    expect(files.opened).toHaveLength(1);
  });
});

describe("a client that is named", () => {
  it("has a full name and a short one", () => {
    expect(["codex", "gemini", "gemini-cli", "claude", "qwen", "cursor", "cod"].map(clientNamed)).toEqual([
      "codex",
      "gemini-cli",
      "gemini-cli",
      "claude-code",
      "qwen-code",
      null,
      null,
    ]);
  });

  it("takes every transcript for its own", async () => {
    const root = tempFolder();
    put(join(root, "anything.jsonl"), jsonl(codex("Hi.")));
    const source = sourceNamed(watchedFiles(), "codex");
    const [file] = source.list(root);
    const read = file && (await source.read(file, null, live()));
    expect(read && turnsOf(read)).toEqual(["Hi."]);
  });
});
