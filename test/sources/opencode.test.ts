/** opencode's database: words in parts, answers that grow while they are read, and turns that are taken back. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { collect, commit, scan } from "../../src/sources/collect.ts";
import { opencodeSource } from "../../src/sources/opencode.ts";
import { describeWithSqlite } from "../support/sqlite.ts";
import { conformsAsDatabase, planOver } from "./database-conformance.ts";
import { opencode, openWriter, RUN, type SessionRow } from "./opencode-world.ts";
import { type Json, listed, readAt, spoken, tempFolder, turnsOf } from "./world.ts";

const PATH = ".local/share/opencode/opencode.db";

conformsAsDatabase({
  client: "opencode",
  source: opencodeSource,
  path: PATH,
  open(path) {
    const client = opencode(path);
    if (client.db.prepare("SELECT count(*) FROM session").pluck().get() === 0) client.session();
    return { ...client, remove: (session) => client.db.prepare("DELETE FROM session WHERE id = ?").run(session) };
  },
  begin: (client, session) => {
    client.db
      .prepare(
        "INSERT INTO session VALUES (?, 'p', NULL, '/home/sam/app', 'A talk', '1.18.33', NULL, NULL, 1, 1, NULL)",
      )
      .run(session);
  },
});

function made(session: SessionRow = {}) {
  const root = tempFolder();
  const client = opencode(join(root, PATH));
  client.session(session);
  return { root, client, source: opencodeSource(nodeFiles) };
}

const text = (words: string, more: Json = {}): Json => ({ type: "text", text: words, ...more });

describeWithSqlite("a session of opencode", () => {
  it("has a person's words once: not what files and commands add, what is only shown, and what events repeat", async () => {
    const { root, client, source } = made();
    client.user([
      text("Look at this file."),
      text('Called the Read tool with the following input: {"filePath":"a.md"}', { synthetic: true }),
      text("Always answer in French.", { synthetic: true }),
      { type: "file", mime: "text/plain", filename: "a.md", url: `data:text/plain;base64,${"QUJD".repeat(10_000)}` },
    ]);
    client.answer("Read.");
    client.user([text("Plugin: context trimmed.", { ignored: true })]);
    client.answer("ok");
    client.user("Create or update `AGENTS.md` for this repository.\n\nThe goal is a compact instruction file.");
    client.answer("Done.");
    const read = await readAt(source, root);
    expect(turnsOf(read)).toEqual(["Look at this file."]);
    expect(read.words[0]).toMatchObject({
      client: "opencode",
      session: "ses_1",
      cwd: "/home/sam/app",
      headless: false,
    });
  });

  it("joins the parts that a person sent as one message, and names the first one", async () => {
    const { root, client, source } = made();
    client.user([text("First."), text("Second.")]);
    client.answer();
    const [turn] = spoken(await readAt(source, root));
    expect(turn).toMatchObject({ text: "First.\nSecond.", record: "prt_000002", line: 1, offset: 0 });
  });

  it("shows what the agent said and did, with tools as a label, and nothing that a compaction made", async () => {
    const { root, client, source } = made();
    client.user("Fix the test.");
    const input = { command: "pnpm test", description: "Run tests" };
    client.answer([
      { type: "step-start" },
      text("Running it."),
      { type: "reasoning", text: "Hidden." },
      { type: "tool", tool: "bash", state: { status: "completed", input, output: `boom ${"x".repeat(90_000)}` } },
      { type: "tool", tool: "read", state: { status: "error", input: { filePath: "a.ts" }, error: "File not found" } },
    ]);
    client.user([{ type: "compaction", auto: true }]);
    client.answer("The user wants everything in French.", { summary: true });
    const said = spoken(await readAt(source, root)).map(
      ({ speaker, text: words }) => `${speaker}: ${words.slice(0, 30)}`,
    );
    expect(said).toEqual([
      "user: Fix the test.",
      "assistant: Running it.",
      "tool: bash(pnpm test): boom xxxxxxxx",
      "tool: read(a.ts): File not found",
    ]);
  });

  it("tells which Markdown files the agent wrote, so that a person's entries are told from its own", async () => {
    const { root, client, source } = made();
    client.user("Note it.");
    const write = { filePath: "/m/a.md", content: "- One." };
    const edit = { filePath: "/m/a.md", oldString: "- One.", newString: "- Two." };
    client.answer([
      { type: "tool", tool: "write", state: { input: write, output: "ok" } },
      { type: "tool", tool: "edit", state: { input: edit, output: "ok" } },
      { type: "tool", tool: "write", state: { input: { filePath: "/m/a.ts", content: "x" }, output: "ok" } },
    ]);
    expect((await readAt(source, root)).writes).toEqual([
      { path: "/m/a.md", text: "- One." },
      { path: "/m/a.md", text: "- Two." },
    ]);
  });

  it("leaves a turn alone until the agent takes it up, and an answer until it is complete", async () => {
    const { root, client, source } = made();
    client.talk(["Before."]);
    const message = client.message({ role: "user" });
    const bare = await readAt(source, root);
    client.part(message, text("Half of it,"));
    const half = await readAt(source, root, bare.end);
    client.part(message, text("and the rest."));
    const answer = client.message({ role: "assistant" });
    client.part(answer, text("I am st"));
    const whole = await readAt(source, root, half.end);
    expect([turnsOf(bare), turnsOf(half), turnsOf(whole)]).toEqual([["Before."], [], ["Half of it,\nand the rest."]]);
    expect([half.counts.unfinished, whole.counts.unfinished]).toEqual([1, 1]);
    expect(spoken(whole).some(({ speaker }) => speaker === "assistant")).toBe(false);
    client.db
      .prepare("UPDATE part SET data = ? WHERE message_id = ?")
      .run(JSON.stringify(text("I am still here.")), answer);
    client.ends(answer);
    client.talk(["Yes, exactly."]);
    const end = await readAt(source, root, whole.end);
    expect(spoken(end).map(({ text: words }) => words)).toEqual(["I am still here.", "Yes, exactly.", "ok"]);
    expect(end.counts.unfinished).toBe(0);
  });

  it("looks again when an answer was completed, though nothing was added", async () => {
    const { root, client, source } = made();
    client.user("Go.");
    const answer = client.message({ role: "assistant" });
    const before = listed(source, root);
    client.ends(answer);
    const after = listed(source, root);
    expect(after.size).toBe(before.size);
    expect(after.mtime).toBeGreaterThan(before.mtime);
  });

  it("passes over an answer that a crash cut short, once the talk goes on", async () => {
    const { root, client, source } = made();
    client.user("Go.");
    client.part(client.message({ role: "assistant" }), text("I was"));
    client.talk(["Again."]);
    expect(turnsOf(await readAt(source, root))).toEqual(["Go.", "Again."]);
  });

  it("does not hear what was taken back, unless it is put back", async () => {
    const { root, client, source } = made();
    client.talk(["Keep this."]);
    const taken = client.user("Use Redis.");
    client.answer();
    client.revert(taken);
    const first = await readAt(source, root);
    expect([turnsOf(first), first.counts.unfinished]).toEqual([["Keep this."], 1]);
    client.revert(null);
    expect(turnsOf(await readAt(source, root, first.end))).toEqual(["Use Redis."]);
  });

  it("hears what was said in place of something taken back, though as many messages stand there again", async () => {
    const { root, client, source } = made();
    client.talk(["Keep this."]);
    const taken = client.user("Use Redis.");
    const answer = client.answer();
    const { end } = await readAt(source, root);
    for (const id of [taken, answer]) client.db.prepare("DELETE FROM message WHERE id = ?").run(id);
    client.talk(["Use Postgres."]);
    expect(turnsOf(await readAt(source, root, end))).toEqual(["Keep this.", "Use Postgres."]);
  });

  it("drops the session of a sub-agent, whose prompt is not marked as a model's", () => {
    const { root, client, source } = made();
    client.session({ id: "ses_2", parent: "ses_1" });
    client.talk(["SUBTASK: never modify files."], "ses_2");
    expect([...source.list(root)].map(({ session, drop }) => [session, drop])).toEqual([
      ["ses_1", null],
      ["ses_2", "subagent"],
    ]);
  });

  it("knows a session that no terminal made, and takes the quotes off that its command line put on", async () => {
    const { root, client, source } = made({ permission: RUN });
    const typed = ['"Use pnpm, not npm."', '"Say \\"hi\\" first."', "release", '"one two" "three four"', '"a" and "b"'];
    client.talk(typed);
    const read = await readAt(source, root);
    expect(turnsOf(read)).toEqual([
      "Use pnpm, not npm.",
      'Say "hi" first.',
      "release",
      '"one two" "three four"',
      '"a" and "b"',
    ]);
    expect([read.words[0]?.headless, spoken(read)[0]?.trust]).toEqual([true, "headless"]);
  });

  it("keeps quotes that a person typed", async () => {
    const { root, client, source } = made();
    client.talk(['"Use pnpm, not npm."']);
    expect(turnsOf(await readAt(source, root))).toEqual(['"Use pnpm, not npm."']);
  });

  it("counts rows that hold no JSON, and keeps their neighbours", async () => {
    const { root, client, source } = made();
    client.talk(["One.", "Two.", "Three."]);
    client.db
      .prepare("UPDATE message SET data = '{\"role\":' WHERE id = (SELECT id FROM message ORDER BY id LIMIT 1)")
      .run();
    client.part(client.message({ role: "user" }), "not json at all");
    client.answer();
    const read = await readAt(source, root);
    expect([turnsOf(read), read.counts.bad]).toEqual([["Two.", "Three."], 2]);
  });

  it("knows the copies of a fork, which have new ids and old times", async () => {
    const { root, client, source } = made();
    client.user("Use tabs.");
    client.answer();
    const plan = planOver({ source, root });
    const first = await collect(plan);
    commit(
      plan.book,
      first,
      first.words.map(({ file }) => ({ file, until: "all" })),
    );
    client.session({ id: "ses_2" });
    const { created } = JSON.parse(String(client.db.prepare("SELECT data FROM message LIMIT 1").pluck().get())).time;
    client.part(client.message({ role: "user", time: { created } }, "ses_2"), text("Use tabs."), "ses_2");
    client.answer("ok", {}, "ses_2");
    client.talk(["Use LF."], "ses_2");
    const second = await collect(plan);
    expect(
      second.words.flatMap(({ utterances }) =>
        utterances.filter(({ speaker }) => speaker === "user").map((turn) => turn.text),
      ),
    ).toEqual(["Use LF."]);
  });

  it("tells the sessions of two projects in one database apart, and makes no note of it", async () => {
    const { root, client, source } = made({ directory: "/home/sam/app" });
    client.talk(["In the app."]);
    client.session({ id: "ses_2", directory: "/home/sam/site" });
    client.talk(["In the site."], "ses_2");
    const plan = { ...planOver({ source, root }), project: "/home/sam/site" };
    const found = await scan(plan);
    expect([found.sessions.unread, found.sessions.dropped, found.notices]).toEqual([1, { "other-project": 1 }, []]);
    expect((await collect(plan)).words.map(({ session }) => session)).toEqual(["ses_2"]);
  });

  it("reads a database of an older version, which lacks what came later", async () => {
    const root = tempFolder();
    const db = openWriter(join(root, PATH));
    db.exec(`CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, time_created integer, time_updated integer);
      CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
      CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text);
      INSERT INTO session VALUES ('ses_1', NULL, '/home/sam/app', 1, 1);
      INSERT INTO message VALUES ('m1', 'ses_1', 1, 1, '{"role":"user"}'), ('m2', 'ses_1', 2, 2, '{"role":"assistant","time":{"completed":3}}');
      INSERT INTO part VALUES ('p1', 'm1', 'ses_1', '{"type":"text","text":"From long ago."}');`);
    expect(turnsOf(await readAt(opencodeSource(nodeFiles), root))).toEqual(["From long ago."]);
  });
});
