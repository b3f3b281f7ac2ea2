/** Texts as nobody should write them: pieces of every format that memd reads, glued together at random, and plain noise. */
import fc from "fast-check";

const PIECES = [
  "---\n",
  "---\r\n",
  "--- ",
  "name: x\n",
  "name: a: b\n",
  'description: "q\n',
  "description: >-\n  folded\n",
  "type: user\n",
  "metadata:\n",
  "  type: project\n",
  "  node_type: memory\n",
  'tags: [a, "b"]\n',
  "? {a: b}\n",
  "&a *a\n",
  "!!js/function 'x'\n",
  "modified: 2026-01-01\n",
  "pinned: true\n",
  '"__proto__": 1\n',
  "constructor: x\n",
  "- a fact\n",
  "* another\n",
  "1. step\n",
  "  - child\n",
  "\t- tab\n",
  "- \n",
  "-\n",
  "- x [created: 2026-01-15, updated: 2026-03-10]\n",
  "- y [pinned]\n",
  "- z [unconfirmed]\n",
  "  Why: because\n",
  "**Why:** w\n",
  "How to apply: h\n",
  "# Heading\n",
  "## 标题\n",
  "```sh\n",
  "```\n",
  "~~~\n",
  "> quote\n",
  "| a | b |\n",
  "|---|---|\n",
  "<!-- c\n",
  "-->\n",
  "***\n",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  "- [Topic](topic.md) — hook\n",
  "- [Gone](gone.md) - h\n",
  "- [[wiki]]\n",
  "see topic.md and ./topic.md\n",
  "| topic.md | x |\n",
  "[a](<b c.md>)\n",
  "[x]: topic.md\n",
  "https://x.example.test/a.md\n",
  "[t](../t.md)\n",
  "[t](TOPIC.MD)\n",
  "\uFEFF",
  "\u0000",
  "\u202E",
  "\u200B",
  "\uD83D",
  "\uDE00",
  "😀",
  "中文句子。",
  "한국어",
  "e\u0301",
  "\u2028",
  "\u0085",
  "x".repeat(300),
  "[".repeat(80),
  "{".repeat(80),
  " ".repeat(40),
  "`",
  "\\",
  "%",
  "'",
  '"',
  "plain words",
  "The limit is 300 jobs.",
  "Never push to main.",
  "…",
  ";",
] as const;

export const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((parts) => parts.join(""));

/** Mostly pieces, some noise, and a piece with noise in the middle. */
export const strangeText = fc.oneof(
  { weight: 6, arbitrary: pieces },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 200 }) },
  {
    weight: 2,
    arbitrary: fc.tuple(pieces, fc.string({ unit: "binary", maxLength: 20 }), pieces).map((parts) => parts.join("")),
  },
);

/** Bytes that need not be UTF-8. */
export const strangeBytes = fc.oneof(
  { weight: 3, arbitrary: strangeText.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: strangeText.map((text) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")])),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(strangeText, fc.uint8Array({ maxLength: 8 }))
      .map(([text, bytes]) => Buffer.concat([Buffer.from(text), Buffer.from(bytes)])),
  },
);

/** A topic that has a front matter in most cases. */
export const strangeTopic = fc.oneof(
  { weight: 1, arbitrary: strangeText },
  {
    weight: 2,
    arbitrary: fc.tuple(pieces, pieces).map(([front, body]) => `---\n${front.replaceAll("---", "")}\n---\n${body}`),
  },
  {
    weight: 2,
    arbitrary: pieces.map(
      (body) => `---\nname: topic\ndescription: "d"\nmetadata:\n  node_type: memory\n  type: project\n---\n\n${body}`,
    ),
  },
);
