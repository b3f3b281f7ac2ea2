import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { headAndTail, headOf, tailOf } from "../../src/digest/clip.ts";
import { type Digest, findUtterance } from "../../src/digest/digest.ts";
import { makeDigest } from "../../src/digest/make.ts";
import { createRedactor, type Redactor } from "../../src/digest/redact.ts";
import type { SessionWords, Speaker, Utterance } from "../../src/digest/utterance.ts";

const AT = Date.parse("2026-03-08T12:00:00Z");
const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

let redactor: Redactor;
beforeAll(async () => {
  redactor = await createRedactor();
});

type Line = readonly [speaker: Speaker, text: string];

/** A session whose line i starts at byte 100 * i, unless `lines` says otherwise. */
function session(
  file: string,
  said: readonly Line[],
  lines: readonly number[] = said.map((_, i) => i + 1),
): SessionWords {
  const utterances: Utterance[] = said.map(([speaker, text], i) => {
    const line = lines[i] ?? 0;
    return { speaker, trust: speaker, text, at: AT, line, offset: (line - 1) * 100, record: `r${line}` };
  });
  return { session: file, client: "claude-code", file, cwd: "/home/a/x", headless: false, utterances };
}

const make = (words: readonly SessionWords[], tokens = 100_000) =>
  makeDigest(words, { tokens, timeZone: "UTC", redactor });
const said = (digest: Digest) =>
  digest.sessions.flatMap((s) => s.utterances.map((u) => `${u.label} ${u.speaker}: ${u.text}`));

describe("the digest", () => {
  it("numbers sessions and utterances and dates them", async () => {
    const digest = await make([
      session("a", [
        ["user", "Yesterday we froze it."],
        ["assistant", "ok"],
      ]),
      session("b", [["log", "- The audit is next Friday."]]),
    ]);
    expect(said(digest)).toEqual([
      "S1:1 user: Yesterday we froze it.",
      "S1:2 assistant: ok",
      "S2:1 log: - The audit is next Friday.",
    ]);
    expect(digest.sessions[1]?.utterances[0]?.dates).toEqual([
      { phrase: "next Friday", index: 15, date: "2026-03-13" },
    ]);
    expect(digest.taken).toEqual([
      { file: "a", until: "all" },
      { file: "b", until: "all" },
    ]);
    expect(findUtterance(digest, "S2:1")?.utterance.line).toBe(1);
  });

  it("joins what the assistant said in a row and keeps the last of a tool's output short", async () => {
    const digest = await make([
      session("a", [
        ["user", "go"],
        ["tool", "first"],
        ["tool", "second"],
        ["tool", "x".repeat(5_000)],
        ["assistant", "one"],
        ["assistant", "two"],
        ["user", "yes, exactly"],
      ]),
    ]);
    expect(said(digest).map((s) => s.slice(0, 30))).toEqual([
      "S1:1 user: go",
      "S1:2 tool: second",
      `S1:3 tool: ${"x".repeat(19)}`,
      "S1:4 assistant: one\ntwo",
      "S1:5 user: yes, exactly",
    ]);
    expect(digest.sessions[0]?.utterances[2]?.text.length).toBe(160);
  });

  it("keeps a person's words in full", async () => {
    const text = "remember this. ".repeat(500).trim();
    expect(said(await make([session("a", [["user", text]])]))).toEqual([`S1:1 user: ${text}`]);
  });

  it("redacts before it clips, and counts by rule", async () => {
    const key = `gh${"p"}_${"F4KE".repeat(9)}`;
    const digest = await make([
      session("a", [
        ["assistant", `${"a".repeat(380)} ${key} ${"b".repeat(800)}`],
        ["user", `token ${key.slice(0, 8)}\u200b${key.slice(8)}`],
      ]),
    ]);
    expect(JSON.stringify(digest)).not.toContain("F4KE");
    expect(digest.redacted).toEqual({ github: 2 });
  });

  it("counts a session without anyone's words as taken, and says nothing of it", async () => {
    const digest = await make([
      session("a", [
        ["assistant", "hi"],
        ["tool", "x"],
      ]),
      session("b", [["user", "  "]]),
    ]);
    expect(digest.sessions).toEqual([]);
    expect(digest.taken).toEqual([
      { file: "a", until: "all" },
      { file: "b", until: "all" },
    ]);
  });

  it("takes one turn even when it is larger than the budget", async () => {
    const digest = await make(
      [
        session("a", [
          ["user", "long ".repeat(100)],
          ["user", "second"],
        ]),
      ],
      1,
    );
    expect(said(digest)).toHaveLength(1);
    expect(digest.taken).toEqual([{ file: "a", until: 100, line: 2 }]);
  });

  it("cuts before the context of the first turn that is left out", async () => {
    const digest = await make(
      [
        session("a", [
          ["user", "one"],
          ["assistant", "shall I?"],
          ["user", "yes"],
        ]),
      ],
      10,
    );
    expect(said(digest)).toEqual(["S1:1 user: one"]);
    expect(digest.taken).toEqual([{ file: "a", until: 100, line: 2 }]);
  });

  it("leaves later files unread once the budget has ended", async () => {
    const digest = await make(
      [
        session("a", [
          ["user", "one"],
          ["user", "x".repeat(200)],
        ]),
        session("b", [["user", "y"]]),
        session("c", [["tool", "z"]]),
      ],
      10,
    );
    expect(digest.taken).toEqual([
      { file: "a", until: 100, line: 2 },
      { file: "b", until: 0, line: 1 },
      { file: "c", until: "all" },
    ]);
  });
});

describe("a cut", () => {
  const line = fc.tuple(
    fc.constantFrom<Speaker>("user", "assistant", "tool", "log"),
    fc.constantFrom("a", "words 😀", "", "x".repeat(300)),
  );
  /** Up to four parts over two files; lines rise within a file, parts interleave, one line may hold two utterances. */
  const input = fc
    .array(fc.record({ part: fc.nat(3), said: line, same: fc.boolean() }), { maxLength: 40 })
    .map((steps) => {
      const parts = [0, 1, 2, 3].map(() => ({ said: [] as Line[], lines: [] as number[] }));
      const at = [0, 0];
      for (const step of steps) {
        const file = step.part % 2;
        at[file] = (at[file] ?? 0) + (step.same && (at[file] ?? 0) > 0 ? 0 : 1);
        parts[step.part]?.said.push(step.said);
        parts[step.part]?.lines.push(at[file] ?? 0);
      }
      return parts.map((p, i) => session(`file${i % 2}`, p.said, p.lines));
    });

  it("loses nothing and reads nothing twice, whatever the budget", async () => {
    await fc.assert(
      fc.asyncProperty(input, fc.integer({ min: 1, max: 400 }), async (words, tokens) => {
        const evidence = (list: readonly SessionWords[]) =>
          list.flatMap((w) =>
            w.utterances
              .filter((u) => u.text.trim() !== "" && (u.speaker === "user" || u.speaker === "log"))
              .map((u) => `${w.file}:${u.line}`),
          );
        let left = words;
        const seen: string[] = [];
        for (let runs = 0; evidence(left).length > 0; runs++) {
          expect(runs).toBeLessThan(60);
          const digest = await make(left, tokens);
          const taken = digest.sessions.flatMap((s) =>
            s.utterances.filter((u) => u.speaker === "user" || u.speaker === "log").map((u) => `${s.file}:${u.line}`),
          );
          expect(taken.length).toBeGreaterThan(0);
          seen.push(...taken);
          left = left.map((w) => {
            const until = digest.taken.find((t) => t.file === w.file)?.until ?? "all";
            return { ...w, utterances: until === "all" ? [] : w.utterances.filter((u) => u.offset >= until) };
          });
        }
        expect(seen.sort()).toEqual(evidence(words).sort());
      }),
      { numRuns: 150 },
    );
  });

  it("exceeds the budget only by what must be taken first", async () => {
    await fc.assert(
      fc.asyncProperty(input, fc.integer({ min: 10, max: 400 }), async (words, tokens) => {
        const digest = await make(words, tokens);
        if (digest.tokens > tokens) expect(digest).toEqual(await make(words, 1));
      }),
      { numRuns: 50 },
    );
  });

  it("leaves text well formed at every length", () => {
    const text = `a${"😀".repeat(20)}b[redacted:github]c${"😀é".repeat(10)}`;
    for (let max = 0; max <= text.length; max++) {
      for (const cut of [headOf(text, max), tailOf(text, max), headAndTail(text, max)]) {
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(LONE.test(cut)).toBe(false);
      }
      expect(headAndTail(text, max).replace("[redacted:github]", "")).not.toMatch(/[[\]:]|red|hub/);
    }
  });
});
