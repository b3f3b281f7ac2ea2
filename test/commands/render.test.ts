/** What a run changed, as people read it. */
import { expect, it } from "vitest";
import type { Paint } from "../../src/commands/paint.ts";
import { renderChanges } from "../../src/commands/render-change.ts";
import { renderInit } from "../../src/commands/render-init.ts";
import type { Citation } from "../../src/memory/operation.ts";

const as = (text: string) => text;
const PLAIN: Paint = { good: as, bad: as, dim: as, strong: as };

const cite = (session: string, quote: string): Citation => ({
  session,
  client: "codex",
  file: "/s.jsonl",
  line: 7,
  record: null,
  speaker: "user",
  at: "2026-03-02T09:00:00Z",
  quote,
});

it("shows a quote that several sessions have once, and how many have it", () => {
  const citations = [
    cite("a1", "Use pnpm."),
    cite("a1", "It is faster."),
    cite("b2", "Use pnpm."),
    cite("c3", "Use pnpm."),
  ];
  const change = {
    operation: "add",
    topic: "tools",
    before: null,
    after: "- Use pnpm.",
    reason: "",
    citations,
  } as const;
  expect(renderChanges([change], PLAIN)).toEqual([
    "  + tools  Use pnpm.",
    "      “Use pnpm.”  user, 2026-03-02, a1:7, and 2 more",
    "      “It is faster.”  user, 2026-03-02, a1:7",
  ]);
});

it("keeps a first look short where much is wrong", () => {
  const problems = Array.from({ length: 30 }, (_, i) => ({
    code: "project-gone",
    message: `gone ${i}`,
    hint: "Look.",
  }));
  const config = { file: "/c.yaml", exists: true, text: "", diff: null, toWrite: false };
  const view = { agents: [], watched: [], problems, preview: null, config };
  const shown = renderInit(view, PLAIN, { now: 0, home: "/home/sam" });
  expect(shown.match(/problem gone/g)).toHaveLength(5);
  expect(shown).toContain("and 25 more: memd sources");
});
