import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkConfig } from "../../src/config/check.ts";
import { configOf } from "../../src/config/config.ts";
import { DEFAULTS } from "../../src/config/defaults.ts";
import { KEYS, STORE_KEYS } from "../../src/config/keys.ts";
import { configSchema, type Schema } from "../../src/config/schema.ts";

const said = (value: unknown) =>
  checkConfig(value, "/home/ana").problems.map(({ path, message }) => `${path}: ${message}`);

describe("a configuration that says", () => {
  it.each([
    ["nothing", null, []],
    ["a group whose keys are all commented out", { gates: null }, []],
    ["an absent time zone", { dream: { timeZone: null } }, []],
    ["a misspelt key", { gates: { minHour: 3 } }, ["gates.minHour: unknown key; did you mean gates.minHours?"]],
    ["a key outside of its group", { minHours: 3 }, ["minHours: unknown key; did you mean gates.minHours?"]],
    [
      "a key in the wrong group",
      { budget: { scanMinutes: 3 } },
      ["budget.scanMinutes: unknown key; did you mean gates.scanMinutes?"],
    ],
    [
      "a key joined by dots",
      { "gates.minHours": 3 },
      ["gates.minHours: write the groups as groups: one key per level, not joined by dots"],
    ],
    ["a misspelt group", { gate: { minHours: 3 } }, ["gate: unknown key; did you mean gates?"]],
    ["a number for a group", { gates: 5 }, ["gates: must be a group of keys, not a number"]],
    [
      "a number in quotes",
      { gates: { minHours: "24" } },
      ["gates.minHours: must be a number from 0 to 8760, without quotes"],
    ],
    [
      "a word for a number",
      { gates: { minHours: "often" } },
      ["gates.minHours: must be a number from 0 to 8760, not a text"],
    ],
    ["a negative number", { gates: { minHours: -1 } }, ["gates.minHours: must be a number from 0 to 8760, not -1"]],
    ["no number", { gates: { minHours: Number.NaN } }, ["gates.minHours: must be a number from 0 to 8760, not NaN"]],
    [
      "no end",
      { gates: { minHours: Number.POSITIVE_INFINITY } },
      ["gates.minHours: must be a number from 0 to 8760, not Infinity"],
    ],
    [
      "a key without its value",
      { gates: { minHours: null } },
      ["gates.minHours: has no value; remove the line for the default (24)"],
    ],
    ["yes for true", { discover: "yes" }, ["discover: must be true or false, not a text"]],
    [
      "an unknown choice",
      { sources: { headless: "always" } },
      ["sources.headless: must be one of auto, include, ignore"],
    ],
    [
      "a text for a list",
      { sources: { ignore: { sessions: "x" } } },
      ["sources.ignore.sessions: must be a list, not a text: write [it]"],
    ],
    [
      "a number in a list of texts",
      { sources: { ignore: { sessions: [7] } } },
      ["sources.ignore.sessions[0]: must be a text, not a number: put it in quotes"],
    ],
    [
      "a pattern that would hide everything",
      { sources: { ignore: { text: [""] } } },
      ["sources.ignore.text[0]: must not be empty"],
    ],
    [
      "a pattern that does not compile",
      { sources: { ignore: { text: ["ok", "("] } } },
      ["sources.ignore.text[1]: is not a regular expression"],
    ],
    [
      "a zone that is none",
      { dream: { timeZone: "Mars/Base" } },
      ["dream.timeZone: must be an IANA time zone, for example Europe/Zurich"],
    ],
    ["a list", [1], [": the file must hold a group of keys, not a list"]],
    [
      "a store without a memory",
      { stores: [{ sessions: ["~/s"] }] },
      ["stores[0].memory: is required: the memory directory of this store"],
    ],
    [
      "a relative path",
      { stores: [{ memory: "memory" }] },
      ["stores[0].memory: must be absolute or start with ~/ (a relative path would depend on where memd is started)"],
    ],
    [
      "somebody else's home",
      { stores: [{ memory: "~bob/memory" }] },
      ["stores[0].memory: names another user's home; write the absolute path"],
    ],
    [
      "a pattern for a path",
      { stores: [{ memory: "/m", sessions: ["~/.claude/projects/**/*.jsonl"] }] },
      ["stores[0].sessions[0]: is a pattern; name the folder above it, memd looks below it by itself"],
    ],
    [
      "one memory for two stores, written in two ways",
      { stores: [{ memory: "~/m" }, { memory: "/home/ana/x/../m/" }] },
      ["stores[1].memory: is the memory directory of stores[0] already"],
    ],
    [
      "one name for two stores",
      {
        stores: [
          { name: "a", memory: "/a" },
          { name: "a", memory: "/b" },
        ],
      },
      ["stores[1].name: is the name of stores[0] already"],
    ],
    [
      "a name that no flag can name",
      { stores: [{ name: "-x", memory: "/a" }] },
      ["stores[0].name: must be up to 64 letters, digits, blanks or ._@+- and begin with a letter or digit"],
    ],
    [
      "sessions that are the memory",
      { stores: [{ memory: "~/m", sessions: ["~/m/"] }] },
      [
        "stores[0].sessions[0]: is the memory directory itself; name the folder in which the agent keeps its transcripts",
      ],
    ],
    [
      "logs that are the memory",
      { stores: [{ memory: "~/m", logs: ["~/m"] }] },
      [
        "stores[0].logs[0]: is the memory directory itself; daily logs that lie there are read anyway, remove this line",
      ],
    ],
    [
      "a memory below its sessions, where Claude Code keeps it",
      { stores: [{ memory: "~/s/memory", sessions: ["~/s"] }] },
      [],
    ],
    [
      "sessions below the memory, as agents with a workspace keep them",
      { stores: [{ memory: "~/m", sessions: ["~/m/sessions"], logs: ["~/m/logs"] }] },
      [],
    ],
    ["a store that is a text", { stores: ["~/m"] }, ["stores[0]: must be a group of keys, not a text"]],
    [
      "formats with misspelt keys, taken names, and speakers that are two",
      {
        formats: [
          { name: "acme", speeker: "role" },
          { name: "codex" },
          { name: "acme", folders: ["~/a"], user: ["u", "a"], assistant: ["a"] },
          { folders: ["~/a/"], text: "a..b", user: [] },
          { name: "Own One", folders: ["~/a/"], user: [] },
        ],
      },
      [
        "formats[0].speeker: unknown key; did you mean speaker?",
        "formats[1].name: is the name of a client that memd knows (codex)",
        "formats[2].assistant[0]: stands for another speaker already",
        "formats[3].name: is required: the name for --format",
        "formats[4].name: must be up to 40 lower-case letters, digits or dashes and begin with no dash",
        "formats[4].user: must name at least one value: nobody would speak",
        "formats[2].name: is the name of formats[0] already",
        "formats[4].folders[0]: is a folder of formats[2] already",
      ],
    ],
    [
      "a field that is no path into a record",
      { formats: [{ name: "acme", text: "a..b", time: "a b" }] },
      [
        "formats[0].text: must be a field's name, or names joined by dots, as message.role",
        "formats[0].time: must be a field's name, or names joined by dots, as message.role",
      ],
    ],
    [
      "a store of a format that is none",
      {
        formats: [{ name: "acme" }],
        stores: [
          { memory: "/a", format: "amce" },
          { memory: "/b", format: "acme" },
        ],
      },
      ["stores[0].format: is no format; did you mean acme?"],
    ],
    ["stores as a group", { stores: { memory: "~/m" } }, ["stores: must be a list, not a group of keys"]],
  ])("%s", (_, value, problems) => {
    expect(said(value)).toEqual(problems);
  });

  it("a secret is told where secrets belong, and does not see it printed", () => {
    const text = said({
      anthropic: { apiKey: "sk-ant-0123456789" },
      apiKey: "sk-ant-0123456789",
      dream: { timeZone: "sk-ant-0123456789" },
    }).join("\n");
    expect(text).toContain("ANTHROPIC_API_KEY");
    expect(text).not.toContain("0123456789");
  });

  it("a home folder by ~ means it, everywhere", () => {
    const { values, problems } = checkConfig(
      {
        sources: { ignore: { projects: ["~/secret"], paths: ["~"] } },
        stores: [{ memory: "~/m", sessions: ["/s"], project: "~/code" }],
      },
      "/home/ana",
    );
    expect(problems).toEqual([]);
    expect(configOf(values)).toMatchObject({
      sources: { ignore: { projects: ["/home/ana/secret"], paths: ["/home/ana"] } },
      stores: [{ memory: "/home/ana/m", sessions: ["/s"], project: "/home/ana/code" }],
    });
  });
});

/** As much of JSON Schema as the generated one uses. */
function fits(value: unknown, schema: Schema): boolean {
  const kinds = [schema["type"] ?? []].flat();
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  if (kinds.length > 0 && !kinds.includes(kind)) return false;
  if (Array.isArray(schema["enum"]) && !schema["enum"].includes(value)) return false;
  if (typeof value === "number")
    return Number.isFinite(value) && value >= Number(schema["minimum"]) && value <= Number(schema["maximum"]);
  if (typeof value === "string" && schema["pattern"] !== undefined)
    return new RegExp(String(schema["pattern"]), "u").test(value) && value.length <= Number(schema["maxLength"]);
  if (Array.isArray(value)) return value.every((item) => fits(item, schema["items"] as Schema));
  if (kind !== "object" || schema["properties"] === undefined) return true;
  const properties = schema["properties"] as Readonly<Record<string, Schema>>;
  const required = (schema["required"] ?? []) as readonly string[];
  const known = Object.entries(value as object).every(
    ([name, inner]) => Object.hasOwn(properties, name) && fits(inner, properties[name] ?? {}),
  );
  return known && required.every((name) => Object.hasOwn(value as object, name));
}

const names = [...KEYS, ...STORE_KEYS].flatMap(({ path }) => path.split("."));
const word = fc.oneof(fc.constantFrom("auto", "extractive", "info", "/m", "~/m", "~", "rel", "a*", ""), fc.string());
const leaf = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.double(),
  fc.integer({ min: -5, max: 100 }),
  word,
  fc.array(word, { maxLength: 3 }),
);
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...names, "stores") },
  { weight: 1, arbitrary: fc.string() },
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.dictionary(name, tie("tree"), { maxKeys: 5 }),
    fc.array(tie("tree"), { maxLength: 3 }),
  ),
}));
/** One right key with one value: most random trees are refused for many reasons at once. */
const single = fc
  .tuple(fc.constantFrom(...KEYS), leaf)
  .map(([{ path }, value]) => path.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), value));

describe("the check", () => {
  it("never throws, whatever was parsed, and leaves usable values", () => {
    fc.assert(
      fc.property(fc.oneof(tree, fc.anything()), (value) => {
        const { values, problems } = checkConfig(value, "/home/ana");
        expect([...values.keys.keys()]).toEqual(KEYS.map(({ path }) => path));
        expect(problems.length).toBeLessThanOrEqual(100);
      }),
    );
  });

  it("accepts nothing that the schema refuses, and names what it refuses itself", () => {
    fc.assert(
      fc.property(fc.oneof(tree, single), (value) => {
        const { problems } = checkConfig(value, "/home/ana");
        if (problems.length === 0 && value !== null) expect(fits(value, configSchema())).toBe(true);
      }),
    );
  });

  it("refuses a single value exactly where the schema does, but for what a schema cannot say", () => {
    fc.assert(
      fc.property(single, (value) => {
        const beyond = said(value).some((text) =>
          /regular expression|time zone|control characters|cron expression/.test(text),
        );
        if (!beyond) expect(said(value).length > 0).toBe(!fits(value, configSchema()));
      }),
    );
  });

  it("answers a file of nonsense at once", () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`nonsense-number-${i}`, i]));
    expect(checkConfig(many).problems).toHaveLength(100);
  });
});

describe("the defaults that a start reads", () => {
  it("are those of the key table: npm run generate makes them", () => {
    expect(DEFAULTS).toEqual(configOf(checkConfig(null).values));
  });
});
