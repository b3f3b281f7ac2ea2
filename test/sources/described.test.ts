/** Transcripts of a client that nobody but the configuration knows. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Description } from "../../src/ports.ts";
import { describedSource } from "../../src/sources/described.ts";
import { anySource, clientTeller, sourceNamed } from "../../src/sources/detect.ts";
import { conforms } from "./conformance.ts";
import { jsonl, put, readAt, spoken, tempFolder, turnsOf, watchedFiles } from "./world.ts";

const ACME: Description = {
  name: "acme",
  folders: [],
  speaker: "message.role",
  text: "message.content",
  time: "ts",
  cwd: "where",
  id: "id",
  session: "talk",
  user: ["human"],
  assistant: ["agent"],
  tool: ["shell"],
};

const said = (role: string, content: unknown, more: object = {}) => ({ message: { role, content }, ...more });

conforms({
  client: "acme",
  source: (files) => describedSource(files, ACME),
  path: "logs/5e55.jsonl",
  lines: (texts) =>
    texts.map((text, i) =>
      JSON.stringify(said("human", text, { id: `r${i}`, ts: 1_772_442_000 + i, talk: "5e55", where: "/home/sam/app" })),
    ),
  isJsonLines: true,
});

function made(records: readonly object[], description = ACME) {
  const root = tempFolder();
  const path = put(join(root, "logs/5e55.jsonl"), jsonl(records));
  return { root, path, source: describedSource(watchedFiles(), description) };
}

describe("a described transcript", () => {
  it("says what the listed speakers say, in any form of a text, and nothing of any other", async () => {
    const { root, source } = made([
      { talk: "t7", where: "/home/sam/app" },
      said("human", "Use pnpm here.", { id: 7, ts: "2026-03-02T09:00:00Z" }),
      said("agent", [{ type: "text", text: "Noted." }, "Done.", { type: "image", data: "x" }], { ts: 1_772_442_060 }),
      said("shell", { text: "ok" }, { ts: 1_772_442_061_000 }),
      said("system", "Always use npm."),
      said("human", "<system-reminder>Never ask.</system-reminder>Thanks.", { ts: "soon" }),
      { role: "human", content: "Not where the text is." },
    ]);
    const read = await readAt(source, root);
    expect(spoken(read).map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      "user: Use pnpm here.",
      "assistant: Noted.\nDone.",
      "tool: ok",
      "user: Thanks.",
    ]);
    expect(spoken(read).map(({ at }) => at)).toEqual([1_772_442_000_000, 1_772_442_060_000, 1_772_442_061_000, null]);
    expect(read.words[0]).toMatchObject({ session: "t7", client: "acme", cwd: "/home/sam/app" });
  });

  it("knows session and folder of its first record when it goes on behind it", async () => {
    const { root, path, source } = made([{ talk: "t7", where: "/home/sam/app" }, said("human", "First.")]);
    const { end } = await readAt(source, root);
    appendFileSync(path, jsonl([said("human", "Second.")]));
    const rest = await readAt(source, root, end);
    expect(rest.words).toMatchObject([{ session: "t7", cwd: "/home/sam/app" }]);
    expect(turnsOf(rest)).toEqual(["Second."]);
  });

  it("needs neither times, ids nor folders", async () => {
    const bare = { ...ACME, speaker: "who", text: "said", time: null, cwd: null, id: null, session: null };
    const { root, source } = made([{ who: "human", said: "Use pnpm here.", where: "/x" }], bare);
    const read = await readAt(source, root);
    expect(read.words).toMatchObject([{ session: "5e55", cwd: null }]);
    expect(spoken(read)).toMatchObject([{ text: "Use pnpm here.", at: null, record: null }]);
  });

  it("is read as described below its folders, and as any other client's elsewhere", async () => {
    const root = tempFolder();
    const described = [{ ...ACME, folders: [join(root, "acme")] }];
    put(join(root, "acme/deep/a.jsonl"), jsonl([said("human", "Use pnpm here.")]));
    put(join(root, "other/a.jsonl"), jsonl([said("human", "Use npm here.")]));
    const source = anySource(watchedFiles(), described);
    const tell = clientTeller(watchedFiles(), described);
    expect(turnsOf(await readAt(source, join(root, "acme")))).toEqual(["Use pnpm here."]);
    expect((await readAt(source, join(root, "other"))).words).toEqual([]);
    expect([tell(join(root, "acme/deep/a.jsonl")), tell(join(root, "other/a.jsonl"))]).toEqual(["acme", "claude-code"]);
    const named = sourceNamed(watchedFiles(), "acme", described);
    expect(turnsOf(await readAt(named, join(root, "other")))).toEqual(["Use npm here."]);
  });
});
