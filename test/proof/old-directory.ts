/**
 * A memory directory as three years of agents and people leave it: flat and nested types, unquoted colons, broken and missing front
 * matter, CRLF, a byte order mark, other languages; an index with headings, tables, prose, dead pointers, double pointers, and topics it never names.
 */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { START } from "../support/home.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { DAY } from "./stage.ts";

const SUBJECTS = [
  "export",
  "invoices",
  "login",
  "search",
  "reports",
  "billing",
  "import",
  "mailer",
  "cache",
  "gateway",
  "backup",
  "charts",
  "mobile",
  "audit",
  "roles",
  "webhooks",
  "themes",
  "calendar",
  "tags",
  "sync",
] as const;
const ASPECTS = [
  "limits",
  "deploys",
  "naming",
  "owners",
  "tests",
  "history",
  "hosts",
  "errors",
  "style",
  "contacts",
] as const;
const TYPES = ["user", "feedback", "project", "reference"] as const;

const NAMES = ["alpha", "bravo", "cedar", "delta", "ember", "falcon", "garnet", "harbor", "indigo"] as const;

/** Steps, code and table lines repeat from block to block, as they do; facts are told apart by a name. */
const BLOCKS: readonly ((subject: string, n: string, chance: Chance) => string)[] = [
  (s, n, c) => `- The ${s} ${n} limit is ${c.below(900) + 100} per minute.`,
  (s, n, c) => `- ${s} ${n} runs on host h${c.below(99)}.example.test, port ${c.below(60_000) + 1_024}.`,
  (s, n) => `- Ask Dana before changing part ${n} of ${s}; see [the runbook](https://wiki.example.test/${s}).`,
  (s, n) => `* **${s} ${n}**: tests first, then code.\n  - one case per rule\n  - no sleeps`,
  (s, n) => `\n${s} ${n} was rewritten in spring; the old one stays until the autumn.\nNobody uses the export of it.\n`,
  (s, n) => `- ${s} 的第${n}部分每周五发布，先通知值班。`,
  (s, n) => `- ${s} ${n} 배포는 금요일에 한다.`,
  (s, n, c) => `- We chose SQLite for ${s} ${n} because it needs no server. (2025-0${c.below(8) + 1}-1${c.below(9)})`,
  (s, n) => `> ${s} ${n}: quoted by somebody, and kept.`,
  (s) => `1. Open ${s}\n2. Press the button\n3. Wait`,
  (s) => `\`\`\`sh\nmake ${s}\n\`\`\``,
  (s) => `## In production\n\n- The ${s} host is eu-1.\n\n## In staging\n\n- The ${s} host is eu-1.`,
  (s) => `| ${s} | value |\n|---|---|\n| a | 1 |`,
];

function frontOf(slug: string, subject: string, chance: Chance): string {
  const type = chance.pick(TYPES);
  const roll = chance.below(100);
  if (roll < 9) return `---\nname: ${slug}\ndescription: ${subject}: what to know: and when\ntype: ${type}\n---\n`;
  if (roll < 11) return "";
  if (roll < 13) return `---\nname: ${slug}\ndescription: [open\n---\n`;
  if (roll < 50)
    return `---\nname: ${slug}\ndescription: ${subject} and what goes with it # not a note\ntype: ${type}\n---\n`;
  const extra = chance.is(0.7) ? `  originSessionId: 3f0c${chance.below(9_999)}\n` : "";
  const modified = chance.is(0.4) ? "  modified: 2026-03-01T09:30:00.000Z\n" : "";
  const long = chance.is(0.25) ? `, ${"and much more of the same ".repeat(6)}` : "";
  return `---\nname: ${slug}\ndescription: "About ${subject}${long}"\nmetadata:\n  node_type: memory\n  type: ${type}\n${extra}${modified}tags: [old, "${subject}"]\n# kept by hand\n---\n`;
}

function topicText(slug: string, subject: string, chance: Chance): string {
  const body = Array.from({ length: chance.below(9) + 1 }, (_, i) =>
    chance.pick(BLOCKS)(subject, `${slug.replace(/^.*-/, "")} ${NAMES[i]}`, chance),
  );
  const heading = chance.is(0.5) ? `# ${subject}\n\n` : "";
  const text = `${frontOf(slug, subject, chance)}\n${heading}${body.join(chance.is(0.6) ? "\n" : "\n\n")}${chance.is(0.9) ? "\n" : ""}`;
  const shaped = chance.is(0.05) ? text.replaceAll("\n", "\r\n") : text;
  return chance.is(0.03) ? `\uFEFF${shaped}` : shaped;
}

function indexText(slugs: readonly string[], chance: Chance): string {
  const lines = ["# Memory", "", "Kept by hand since 2023. Please keep the order.", ""];
  const named = slugs.filter(() => chance.is(0.62));
  for (const [i, slug] of named.entries()) {
    if (i % 12 === 0) lines.push("", `## Part ${i / 12 + 1}`, "");
    if (i % 30 === 10) lines.push("| file | about |", "|---|---|", `| ${slug}.md | in a table |`, "");
    else if (chance.is(0.1)) lines.push(`See ${slug}.md for the details of it.`);
    else
      lines.push(
        `- [${slug}](${slug}.md)${chance.pick([" — ", " - ", ": "])}${chance.pick(["a better hook than any machine writes", "见文件", "notes", "x".repeat(160)])}`,
      );
    if (chance.is(0.05)) lines.push(`- [again](${slug}.md) — named twice`);
    if (chance.is(0.04)) lines.push("", "A paragraph that somebody wrote, and that matters to them.", "");
  }
  lines.push("- [gone](long-gone.md) — its file was deleted in 2024", "", "Last words of a person.");
  return `${lines.join("\n")}\n`;
}

export interface OldDirectory {
  /** Text by name, as written. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Writes the directory; every file's time lies in the past. */
export function writeOldDirectory(folder: string, seed: number): OldDirectory {
  const chance = chanceOf(seed);
  const all = SUBJECTS.flatMap((subject) => ASPECTS.map((aspect) => [`${subject}-${aspect}`, subject] as const));
  const chosen = chance.shuffled(all).slice(0, 130 + chance.below(66));
  const texts = new Map<string, string>(
    chosen.map(([slug, subject]) => [`${slug}.md`, topicText(slug, subject, chance)]),
  );
  texts.set(
    "MEMORY.md",
    indexText(
      chosen.map(([slug]) => slug),
      chance,
    ),
  );
  texts.set("2025-11-03.md", "- 09:00 A daily log that an agent keeps beside its topics.\n");
  mkdirSync(join(folder, "team"), { recursive: true });
  writeFileSync(join(folder, "team", "shared.md"), "- Theirs.\n");
  for (const [name, text] of texts) {
    writeFileSync(join(folder, name), text);
    const at = new Date(START - (30 + chance.below(900)) * DAY);
    utimesSync(join(folder, name), at, at);
  }
  return { texts };
}
