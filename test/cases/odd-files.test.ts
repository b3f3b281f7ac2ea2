import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { parseProposal } from "../../src/memory/schema.ts";
import { type Distiller, NO_USAGE } from "../../src/ports.ts";
import { DAY, HOUR, type Home, makeHome, START, talk } from "../support/home.ts";

const homes: Home[] = [];
afterEach(() => {
  for (const made of homes.splice(0)) made.remove();
});

const OLD = "The queue limit is 300 jobs.";
const NEW = "The queue limit is 500 jobs now, not 300 jobs.";

/** Revises the entry about the queue in every topic that has one. */
const reviser: Distiller = {
  name: "extractive",
  distill: async ({ brief }) => {
    const said = brief.digest.sessions.flatMap(({ utterances }) => utterances);
    const label = said.find(({ text }) => text === NEW)?.label ?? "S9:9";
    const operations = brief.memory.topics.flatMap((topic) =>
      topic.entries
        .filter(({ statement }) => statement.includes("queue"))
        .map(({ id }) => ({
          op: "revise",
          topic: topic.slug,
          entry: id,
          text: NEW,
          cites: [{ utterance: label, quote: NEW }],
        })),
    );
    const parsed = parseProposal({ operations });
    if (!("proposal" in parsed)) throw new Error(parsed.malformed);
    return { ...parsed, usage: NO_USAGE, fence: "none" };
  },
};

const front = (lines: string, body = `- ${OLD}\n`) => `---\n${lines}\n---\n\n${body}`;

/** A dream in which the user's newer words revise the entry of one odd file. @returns the file before and after, as bytes */
async function revised(text: string | Buffer, name = "odd.md") {
  const at = makeHome();
  homes.push(at);
  at.topic("other.md", front("name: other\ndescription: x\ntype: project", "- The worker pool has twelve members.\n"));
  const path = at.topic(name, "");
  writeFileSync(path, text);
  const old = new Date(START - 30 * DAY);
  utimesSync(path, old, old);
  at.session("s", talk([NEW], START - HOUR));
  const { report } = await at.dream({}, { distiller: reviser });
  const after = readFileSync(path);
  at.clock.move(2 * DAY);
  const again = await at.dream({}, { distiller: reviser });
  return { before: Buffer.from(text), after, report, at, again: again.report, later: readFileSync(path) };
}

/** What stands in the file besides the entry and the keys that memd keeps about a topic. */
function rest(bytes: Buffer): string {
  return bytes
    .toString("latin1")
    .replace(/- The queue limit is [^\r\n]*/, "- ENTRY")
    .replace(/^[ \t]*(?:modified|created):[^\n]*\n/gm, "");
}

const ODD: readonly (readonly [string, string | Buffer])[] = [
  ["an unquoted colon in the description", front("name: a\ndescription: Re: plan: see thread\ntype: project")],
  [
    "an unquoted colon and a nested type",
    front("name: a\ndescription: Note: x: y\nmetadata:\n  node_type: memory\n  type: project"),
  ],
  ["a description that begins with an at sign", front("name: a\ndescription: @scope/pkg is internal\ntype: reference")],
  ["a description that begins with a bracket", front("name: a\ndescription: [wip] half done\ntype: project")],
  ["a description that begins with a star", front("name: a\ndescription: *always* squash\ntype: project")],
  ["a description that begins with a backtick", front("name: a\ndescription: `npm ci` first\ntype: project")],
  ["a description that begins with a percent sign", front("name: a\ndescription: %TEMP% is wiped\ntype: project")],
  ["a description that begins with an exclamation mark", front("name: a\ndescription: !important rule\ntype: project")],
  ["a description that begins with an ampersand", front("name: a\ndescription: & so on\ntype: project")],
  ["a hash in the description", front("name: a\ndescription: fix for issue #12 and later #40\ntype: project")],
  [
    "values that YAML 1.1 would change",
    front(
      "name: 0123\ndescription: 1.10\ntype: project\nstandup: 14:30\nsha: 1e10\nactive: yes\nowner: null\nday: 2026-01-15\noct: 0o17\nsex: 190:20:30",
    ),
  ],
  [
    "unknown keys, tags and comments",
    front(
      'name: a\ndescription: x\ntype: project\ntags: [infra, "c#"]\nx-team: {lead: ana, size: 4}\n# a comment a person wrote\nz:   spaced   ',
    ),
  ],
  ["a folded description", front("name: a\ndescription: >-\n  words over\n  two lines\ntype: project")],
  [
    "a literal block of an unknown key",
    front("name: a\ndescription: x\ntype: project\nnotes: |\n  one\n\n  two: three\n  ---- not the end"),
  ],
  ["an anchor and an alias", front("name: a\ndescription: &d x\ntype: project\nsame: *d")],
  ["tabs as indentation", front("name: a\ndescription: x\nmetadata:\n\ttype: project")],
  [
    "a trailing blank behind metadata",
    front(
      'name: a\ndescription: "x"\nmetadata: \n  node_type: memory\n  type: project\n  originSessionId: 69f9343d\n  modified: 2026-08-04T16:04:24.602Z',
    ),
  ],
  ["a duplicate key", front("name: a\nname: b\ndescription: two names\ntype: project")],
  ["blanks behind the fences", `---  \nname: a\ndescription: x\ntype: project\n---\t\n\n- ${OLD}\n`],
  ["no newline at the end", front("name: a\ndescription: x\ntype: project", `- ${OLD}`)],
  ["no front matter", `# Limits\n\n- ${OLD}\n`],
  ["an empty front matter", `---\n---\n\n- ${OLD}\n`],
  ["no blank line behind the front matter", `---\nname: a\ndescription: x\ntype: project\n---\n- ${OLD}\n`],
  ["a byte order mark", `\uFEFF${front("name: a\ndescription: x\ntype: project")}`],
  ["CRLF", front("name: a\ndescription: x\ntype: project").replaceAll("\n", "\r\n")],
  ["a byte order mark and CRLF", `\uFEFF${front("name: a\ndescription: x\ntype: project").replaceAll("\n", "\r\n")}`],
  ["mixed line ends", `---\r\nname: a\ndescription: x\r\ntype: project\n---\r\n\n- ${OLD}\r\n- Other fact stays.\n`],
  [
    "a second block in the body",
    front("name: a\ndescription: x\ntype: project", `---\nname: inner\n---\n\n- ${OLD}\n`),
  ],
  [
    "a code block with bullets",
    front(
      "name: a\ndescription: x\ntype: project",
      `\`\`\`yaml\n- not: an entry\n\`\`\`\n\n- ${OLD}\n\n| a | b |\n|---|---|\n`,
    ),
  ],
  [
    "trailing blanks and tabs",
    front("name: a\ndescription: x\ntype: project", `*\tStar item  \n\n- ${OLD}\n\n\n\n1) numbered\t\n`),
  ],
  [
    "wide characters",
    front("name: 名\ndescription: 名字\u3000全角\ntype: project", `- 一行中文。\n- ${OLD}\n- 🧭 e\u0301\n`),
  ],
];

describe("an odd file whose entry a newer word revises", () => {
  it.each(ODD)("keeps all its other bytes: %s", async (_name, text) => {
    const { before, after, report, later, again } = await revised(text);
    expect(report.operations).toMatchObject({ accepted: 1, rejected: [] });
    expect(after.toString("utf8")).toContain("The queue limit is 500 jobs now");
    expect(after.toString("utf8")).not.toContain(`- ${OLD}`);
    expect(rest(after)).toBe(rest(before));
    expect(later).toEqual(after);
    expect(again.outcome).toBe("unchanged");
  });
});

describe("a file that memd cannot take apart", () => {
  const utf16 = (text: string, big: boolean) => {
    const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
    return big ? bytes.swap16() : bytes;
  };
  it.each([
    ["UTF-16, little end first", utf16(front("name: a"), false)],
    ["UTF-16, big end first", utf16(front("name: a"), true)],
    ["UTF-16 without a mark", Buffer.from(front("name: a"), "utf16le")],
    ["bytes that are no UTF-8", Buffer.concat([Buffer.from(front("name: a")), Buffer.from([0xff, 0xe9, 0x0a])])],
    ["NUL bytes", Buffer.concat([Buffer.from(front("name: a")), Buffer.alloc(512)])],
    ["code in the front matter", Buffer.from(`---js\n{ name: (globalThis.__ran = 1, "a") }\n---\n\n- ${OLD}\n`)],
    ["JSON in the front matter", Buffer.from(`---json\n{ "name": "a" }\n---\n\n- ${OLD}\n`)],
    ["CoffeeScript in the front matter", Buffer.from(`---coffee\nname: globalThis.__ran = 1\n---\n\n- ${OLD}\n`)],
    ["code behind a blank", Buffer.from(`--- javascript\n{ name: (globalThis.__ran = 1, "a") }\n---\n\n- ${OLD}\n`)],
    [
      "code behind a byte order mark",
      Buffer.from(`\uFEFF---js\n{ name: (globalThis.__ran = 1, "a") }\n---\n\n- ${OLD}\n`),
    ],
    ["a list as front matter", Buffer.from(`---\n- not\n- a map\n---\n\n- ${OLD}\n`)],
    ["a front matter that ends with dots", Buffer.from(`---\nname: a\ndescription: x\n...\n\n- ${OLD}\n`)],
    ["a front matter without an end", Buffer.from(`---\nname: a\ndescription: x\n\n- ${OLD}\n`)],
  ] as const)("is reported and left as it is: %s", async (_name, bytes) => {
    const { after, at } = await revised(bytes);
    expect(after).toEqual(bytes);
    expect("__ran" in globalThis).toBe(false);
    const state = JSON.parse(readFileSync(join(at.state, "state.json"), "utf8"));
    expect(JSON.stringify(state.conditions)).toContain("odd.md");
  });
});
