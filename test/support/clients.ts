/** One small session of every client that memd reads, told in each client's own form. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openclaw } from "../sources/openclaw-world.ts";
import { opencode } from "../sources/opencode-world.ts";
import { talk, transcript } from "./home.ts";

export interface Told {
  /** The user's home folder. */
  readonly home: string;
  /** Where the session worked. */
  readonly cwd: string;
  readonly texts: readonly string[];
  /** Epoch ms. */
  readonly at: number;
  /** One hexadecimal digit, for sessions beside others. */
  readonly tag?: string;
}

type Json = Record<string, unknown>;

function put(path: string, records: readonly Json[]): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return dirname(path);
}

const time = (at: number, minutes: number) => new Date(at + minutes * 60_000).toISOString();

function claudeCode({ home, cwd, texts, at, tag = "0" }: Told): string {
  const folder = join(home, ".claude/projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${tag}c1a0de0-1111.jsonl`), transcript(`claude${tag}`, talk(texts, at), cwd));
  return folder;
}

function codex({ home, cwd, texts, at, tag = "0" }: Told): string {
  const record = (minutes: number, type: string, payload: Json) => ({ timestamp: time(at, minutes), type, payload });
  const item = (minutes: number, body: Json) => record(minutes, "event_msg", { type: "item_completed", item: body });
  return put(join(home, `.codex/sessions/2026/11/24/rollout-2026-11-24T09-00-00-${tag}c0d.jsonl`), [
    record(0, "session_meta", { id: `${tag}c0d`, cwd, source: "cli", thread_source: "user" }),
    ...texts.flatMap((text, i) => [
      item(i, { type: "UserMessage", id: `u${tag}${i}`, content: [{ type: "text", text }] }),
      item(i, { type: "AgentMessage", id: `a${tag}${i}`, content: [{ type: "Text", text: "Understood." }] }),
    ]),
  ]);
}

function geminiCli({ home, cwd, texts, at, tag = "0" }: Told): string {
  const folder = join(home, `.gemini/tmp/app${tag}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".project_root"), cwd);
  const projectHash = createHash("sha256").update(cwd).digest("hex");
  return put(join(folder, `chats/session-2026-11-24T09-00-${tag}e314111.jsonl`), [
    { sessionId: `${tag}e314111-full`, projectHash, kind: "main" },
    ...texts.flatMap((text, i) => [
      { id: `u${tag}${i}`, timestamp: time(at, i), type: "user", content: [{ text }] },
      { id: `g${tag}${i}`, timestamp: time(at, i), type: "gemini", content: "Understood." },
    ]),
  ]);
}

function qwenCode({ home, cwd, texts, at, tag = "0" }: Told): string {
  const folder = join(home, ".qwen/projects", cwd.replace(/[^A-Za-z0-9]/g, "-"), "chats");
  const record = (i: number, who: "user" | "assistant", text: string) => ({
    uuid: `${tag}${who}${i}`,
    parentUuid: who === "assistant" ? `${tag}user${i}` : i === 0 ? null : `${tag}assistant${i - 1}`,
    sessionId: `${tag}e1e`,
    timestamp: time(at, i),
    type: who,
    provenance: who === "user" ? "real_user" : "assistant_output",
    cwd,
    version: "0.24.4",
    message: { role: who === "user" ? "user" : "model", parts: [{ text }] },
  });
  return put(
    join(folder, `${tag}e1e.jsonl`),
    texts.flatMap((text, i) => [record(i, "user", text), record(i, "assistant", "Understood.")]),
  );
}

function pi({ home, cwd, texts, at, tag = "0" }: Told): string {
  const entry = (i: number, role: "user" | "assistant", text: string) => ({
    type: "message",
    id: `${tag}${role}${i}`,
    parentId: role === "assistant" ? `${tag}user${i}` : i === 0 ? null : `${tag}assistant${i - 1}`,
    timestamp: time(at, i),
    message: { role, content: [{ type: "text", text }] },
  });
  return put(
    join(home, ".pi/agent/sessions", `-${cwd.replaceAll("/", "-")}--`, `2026-11-24T09-00-00-000Z_${tag}b1e1011.jsonl`),
    [
      { type: "session", version: 3, id: `${tag}b1e`, cwd },
      ...texts.flatMap((text, i) => [entry(i, "user", text), entry(i, "assistant", "Understood.")]),
    ],
  );
}

function openCode({ home, cwd, texts, tag = "0" }: Told): string {
  const path = join(home, ".local/share/opencode/opencode.db");
  const client = opencode(path);
  client.talk(texts, client.session({ id: `ses_${tag}`, directory: cwd }));
  client.close();
  return dirname(path);
}

function openClaw({ home, cwd, texts, tag = "0" }: Told): string {
  const path = join(home, ".openclaw/agents/main/agent/openclaw-agent.sqlite");
  const client = openclaw(path);
  client.talk(texts, client.window({ id: `win_${tag}`, key: `agent:main:${tag}`, cwd }));
  client.close();
  return dirname(path);
}

/** A client that only the configuration knows: `formats: [ACME]`. */
export const ACME = { name: "acme", speaker: "who", text: "said", time: "ts", cwd: "where", id: "n" };

export function acme({ home, cwd, texts, at, tag = "0" }: Told): string {
  return put(
    join(home, `acme/${tag}ac3.jsonl`),
    texts.map((said, n) => ({
      who: "user",
      said,
      n: `${tag}${n}`,
      ts: at + n * 60_000,
      ...(n === 0 ? { where: cwd } : {}),
    })),
  );
}

/** Writes the session and returns the folder it lies in. */
export const CLIENTS: Readonly<Record<string, (told: Told) => string>> = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  "qwen-code": qwenCode,
  pi,
  opencode: openCode,
  openclaw: openClaw,
};
