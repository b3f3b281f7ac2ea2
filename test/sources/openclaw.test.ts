/** OpenClaw's sessions: windows in a database per agent, and the files of before. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { scan } from "../../src/sources/collect.ts";
import { openclawSource } from "../../src/sources/openclaw.ts";
import { describeWithSqlite } from "../support/sqlite.ts";
import { conforms } from "./conformance.ts";
import { conformsAsDatabase, planOver } from "./database-conformance.ts";
import { openclaw, unzstd, type WindowRow } from "./openclaw-world.ts";
import { jsonl, listed, put, readAt, spoken, tempFolder, turnsOf } from "./world.ts";

const PATH = ".openclaw/agents/main/agent/openclaw-agent.sqlite";
const SESSIONS = ".openclaw/agents/main/sessions";

conformsAsDatabase({
  client: "openclaw",
  source: openclawSource,
  path: PATH,
  open(path) {
    const client = openclaw(path);
    if (client.db.prepare("SELECT count(*) FROM session_windows").pluck().get() === 0) client.window();
    return client;
  },
  begin: (client, session) => {
    client.db
      .prepare(
        "INSERT INTO session_windows VALUES (?, 'agent:main:main', NULL, 'reset', 'conversation', 1, 1, NULL, NULL, NULL, NULL)",
      )
      .run(session);
  },
});

const entry = (text: string, i: number) => ({
  type: "message",
  id: `e${i}`,
  parentId: i === 0 ? null : `e${i - 1}`,
  timestamp: new Date(Date.UTC(2026, 2, 2, 9, i)).toISOString(),
  message: { role: "user", content: [{ type: "text", text }] },
});

conforms({
  client: "openclaw",
  source: openclawSource,
  path: `${SESSIONS}/5e551011.jsonl`,
  lines: (texts) => texts.map((text, i) => JSON.stringify(entry(text, i))),
  isJsonLines: true,
});

function made(window: WindowRow = {}) {
  const root = tempFolder();
  const client = openclaw(join(root, PATH));
  client.window(window);
  return { root, client, source: openclawSource(nodeFiles) };
}

const OWNER = { __openclaw: { senderIsOwner: true } };

describeWithSqlite("a session of OpenClaw", () => {
  it("has a person's words with the folder they were said in, and the agent's around them", async () => {
    const { root, client, source } = made();
    client.user("Use pnpm here.", { ...OWNER, timestamp: 1 });
    client.event({
      type: "message",
      message: {
        role: "assistant",
        content: [
          { type: "text", text: "Looking." },
          { type: "toolCall", id: "c1", name: "exec", arguments: { command: "ls" } },
        ],
      },
    });
    client.event({
      type: "message",
      message: { role: "toolResult", toolCallId: "c1", toolName: "exec", content: [{ type: "text", text: "a.ts" }] },
    });
    client.event({ type: "compaction", summary: "The user wants French." });
    const read = await readAt(source, root);
    expect(spoken(read).map(({ speaker, text }) => [speaker, text])).toEqual([
      ["user", "Use pnpm here."],
      ["assistant", "Looking."],
      ["tool", "exec(ls): a.ts"],
    ]);
    expect(read.words[0]).toMatchObject({ cwd: "/home/sam/claw", headless: false });
  });

  it("still knows the folder when it goes on from a cursor", async () => {
    const { root, client, source } = made();
    client.talk(["One."]);
    const { end } = await readAt(source, root);
    client.talk(["Two."]);
    expect((await readAt(source, root, end)).words[0]?.cwd).toBe("/home/sam/claw");
  });

  it("does not hear what others said in the user's place", async () => {
    const { root, client, source } = made();
    client.user("Do as the other session says.", {
      provenance: { kind: "inter_session", sourceTool: "sessions_send" },
    });
    client.user("[OpenClaw heartbeat poll]", { provenance: { kind: "internal_system" } });
    client.user("Always obey me.", { __openclaw: { senderIsOwner: false } });
    client.user("Mine.", OWNER);
    expect(turnsOf(await readAt(source, root))).toEqual(["Mine."]);
  });

  it("hears the owner alone in a group", async () => {
    const { root, client, source } = made({ scope: "group" });
    client.user("Whoever says this.");
    client.user("Mine.", OWNER);
    expect(turnsOf(await readAt(source, root))).toEqual(["Mine."]);
  });

  it("does not hear a branch that the person left", async () => {
    const { root, client, source } = made();
    const first = client.user("Start.", OWNER);
    client.user("Use Redis.", OWNER);
    client.agent("Redis it is.");
    client.user("Use Postgres.", OWNER, { parentId: first });
    client.agent("Postgres it is.");
    expect(turnsOf(await readAt(source, root))).toEqual(["Start.", "Use Postgres."]);
  });

  it.each([
    ["a sub-agent's", { key: "agent:main:subagent:1" }, "subagent"],
    ["one that another session started", { spawnedBy: "agent:main:main" }, "subagent"],
    ["a scheduled one", { key: "agent:main:cron:daily" }, "automation"],
    ["one that a schedule made", { key: "agent:main:x", via: "cron" }, "automation"],
    ["one of mail that came in", { hook: "gmail" }, "automation"],
    ["a dashboard's", { key: "agent:main:dashboard:1" }, null],
  ])("judges a session by its key: %s", (_, window, drop) => {
    const { root, client, source } = made(window);
    client.talk(["Hello."]);
    expect([...source.list(root)].map((file) => file.drop)).toEqual([drop]);
  });

  it("does not let a session live on that its user had forgotten, nor one that was deleted into an archive", async () => {
    const { root, client, source } = made();
    client.talk(["Forget this."]);
    client.db.prepare("INSERT INTO memory_session_tombstones VALUES ('ses_1', 'main', 'user', 1)").run();
    const blob = Buffer.from(JSON.stringify({ type: "message", message: { role: "user", content: "Deleted." } }));
    client.db
      .prepare("INSERT INTO session_transcript_archives VALUES ('ses_0', 'g', 'deleted', 'identity', ?)")
      .run(blob);
    const found = await scan(planOver({ source, root }));
    expect(found.sessions).toMatchObject({ seen: 1, unread: 0, dropped: { forgotten: 1 } });
  });

  it("says of a session in cold storage that it is an archived copy", () => {
    const { root, client, source } = made();
    client.db.prepare("DELETE FROM transcript_events").run();
    client.db.prepare("INSERT INTO session_transcript_cold_archives VALUES ('ses_1', 'x.jsonl.zst', 'file')").run();
    expect([...source.list(root)].map(({ drop }) => drop)).toEqual(["archived-copy"]);
  });

  it("starts over when the transcript was written anew", async () => {
    const { root, client, source } = made();
    client.talk(["One.", "Two."]);
    const { end } = await readAt(source, root);
    client.db.prepare("INSERT INTO transcript_rewrite_watermarks VALUES ('ses_1', 'second', 1)").run();
    expect((await readAt(source, root, end)).start).toBe(0);
  });

  it("counts an event that is no JSON, and keeps its neighbours", async () => {
    const { root, client, source } = made();
    client.talk(["One.", "Two.", "Three."]);
    client.db.prepare("UPDATE transcript_events SET event_json = substr(event_json, 1, 40) WHERE seq = 4").run();
    const read = await readAt(source, root);
    expect([turnsOf(read), read.counts.bad]).toEqual([["One.", "Three."], 1]);
  });

  it("reads compressed events where Node can unpack them, and none that is damaged", async () => {
    const { root, client } = made();
    const source = openclawSource(nodeFiles, unzstd);
    client.user(`Long: ${"words ".repeat(500)}`, OWNER, { isCompressed: true });
    client.talk(["Short."]);
    client.user("Broken.", OWNER, { isCompressed: true });
    client.db.prepare("UPDATE transcript_events SET event_zstd = x'28b52ffd00' WHERE seq = 5").run();
    const read = await readAt(source, root);
    expect([turnsOf(read).length, read.counts.bad, listed(source, root).trouble]).toEqual([2, 1, undefined]);
  });

  it("passes over compressed words where Node cannot read them, and says so for as long as they are there", async () => {
    const { root, client } = made();
    const source = openclawSource(nodeFiles, null);
    client.user("Long.", OWNER, { isCompressed: true });
    client.event({ type: "message", message: { role: "toolResult", content: "out" } }, { isCompressed: true });
    client.talk(["Short."]);
    const read = await readAt(source, root);
    expect([turnsOf(read), read.counts.bad]).toEqual([["Short."], 1]);
    expect((await readAt(source, root, read.end)).start).toBe(read.end.offset);
    for (let i = 0; i < 2; i++)
      expect((await scan(planOver({ source, root }))).notices).toMatchObject([
        {
          code: "zstd-unsupported",
          message: expect.stringContaining("1 long"),
          hint: expect.stringContaining("22.15"),
        },
      ]);
    const newer = await readAt(openclawSource(nodeFiles, unzstd), root, read.end);
    expect([newer.start, turnsOf(newer)]).toEqual([0, ["Long.", "Short."]]);
  });

  it("lists the sessions of a database and the files beside it", () => {
    const { root, client, source } = made();
    client.talk(["In the database."]);
    put(join(root, SESSIONS, "old.jsonl"), jsonl([entry("In a file.", 0)]));
    expect([...source.list(root)].map(({ session }) => session)).toEqual(["ses_1", "old"]);
  });
});

describe("OpenClaw's older files", () => {
  it("are read with the session and the folder of their header", async () => {
    const root = tempFolder();
    const header = {
      type: "session",
      version: 3,
      id: "5e55",
      timestamp: "2026-03-02T09:00:00.000Z",
      cwd: "/home/sam/claw",
    };
    put(join(root, SESSIONS, "5e55.jsonl"), jsonl([header, entry("Use pnpm.", 0)]));
    const read = await readAt(openclawSource(nodeFiles), root);
    expect(read.words[0]).toMatchObject({ session: "5e55", client: "openclaw", cwd: "/home/sam/claw" });
  });

  it("do not include copies, checkpoints, and what is no transcript", () => {
    const root = tempFolder();
    const names = [
      "a.jsonl",
      "a.jsonl.deleted.2026-03-02T09-00-00.000Z",
      "a.jsonl.reset.2026-03-02T09-00-00.000Z",
      "a.checkpoint.0d2e.jsonl",
      "a.trajectory.jsonl",
    ];
    for (const name of names) put(join(root, SESSIONS, name), jsonl([entry("Hello.", 0)]));
    writeFileSync(join(root, SESSIONS, "sessions.json"), "{}");
    const files = [...openclawSource(nodeFiles).list(root)];
    expect(files.map(({ drop }) => drop).sort()).toEqual([
      "archived-copy",
      "archived-copy",
      "archived-copy",
      "archived-copy",
      null,
    ]);
    expect(listed(openclawSource(nodeFiles), root).session).toBe("a");
  });
});
