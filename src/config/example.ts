/** The example file: every key with its default and the reason for it, made from the key table. */
import { FORMAT_KEYS } from "./formats.ts";
import { KEYS, type Key, STORE_KEYS } from "./keys.ts";

const HEAD = `# yaml-language-server: $schema=./memd.schema.json
# Every key of memd's configuration with its default. Copy what you change to ~/.config/memd/config.yaml (on macOS to
# ~/Library/Application Support/memd/config.yaml), or name a file in MEMD_CONFIG. Without a file these defaults hold.
# Paths are absolute or start with ~/. \`memd config\` shows the values in effect, \`memd config check\` what is wrong.
# Made by \`npm run generate\`; do not edit.
`;

const WIDTH = 116;

/** The text as comment lines that fit the page. */
function comment(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent.length + line.length + word.length + 3 > WIDTH) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((part) => `${indent}# ${part}`);
}

/** The bounds of a key in words. */
function boundsOf(key: Key): string | null {
  switch (key.kind) {
    case "number":
      return `${key.min} to ${key.max}`;
    case "choice":
      return key.choices.length > 1 ? key.choices.join(" | ") : null;
    case "path":
      return "a path";
    case "paths":
      return "a list of paths";
    case "texts":
      return "a list of texts";
    case "boolean":
    case "text":
      return null;
  }
}

function keyLines(key: Key, name: string, indent: string): string[] {
  const bounds = boundsOf(key);
  return [
    ...comment(`${key.reason}${bounds === null ? "" : ` (${bounds})`}`, indent),
    `${indent}${name}: ${JSON.stringify(key.default)}`,
  ];
}

/** Groups in the order of the table; a group's keys stand together there. */
function body(): string[] {
  const open: string[] = [];
  return KEYS.flatMap((key) => {
    const parts = key.path.split(".");
    const groups = parts.slice(0, -1);
    const shared = groups.findIndex((group, i) => open[i] !== group);
    const from = shared === -1 ? groups.length : shared;
    open.splice(from);
    const heads = groups.slice(from).map((group, i) => `${"  ".repeat(from + i)}${group}:`);
    open.push(...groups.slice(from));
    return [
      ...(groups.length === 0 || from === 0 ? [""] : []),
      ...heads,
      ...keyLines(key, parts.at(-1) ?? key.path, "  ".repeat(groups.length)),
    ];
  });
}

const EXAMPLE_STORE: Readonly<Record<string, unknown>> = {
  name: "notes",
  memory: "~/notes/memory",
  sessions: ["~/notes/sessions"],
  logs: ["~/notes/logs"],
  project: "~/code/notes",
};

const EXAMPLE_FORMAT: Readonly<Record<string, unknown>> = {
  name: "acme",
  folders: ["~/.acme/sessions"],
  speaker: "message.role",
  text: "message.content",
  time: "ts",
  session: "sessionId",
};

/** Commented out: an example would be a real one. */
function items(
  name: string,
  head: string,
  { known, example }: { known: readonly Key[]; example: Readonly<Record<string, unknown>> },
): string[] {
  const lines = known.flatMap((key, i) => {
    const value = example[key.path] ?? key.default;
    return [...comment(key.reason, "#   "), `# ${i === 0 ? "-" : " "} ${key.path}: ${JSON.stringify(value)}`];
  });
  return ["", head, ...lines, `${name}: []`];
}

const STORES = "# Stores besides those that are found by themselves; one item each:";
const FORMATS = "# Formats of transcripts that memd does not know, one JSON record per line; one item each:";

/** Text of config/memd.example.yaml. */
export function exampleConfig(): string {
  return [
    HEAD.trimEnd(),
    ...body(),
    ...items("stores", STORES, { known: STORE_KEYS, example: EXAMPLE_STORE }),
    ...items("formats", FORMATS, { known: FORMAT_KEYS, example: EXAMPLE_FORMAT }),
    "",
  ].join("\n");
}
