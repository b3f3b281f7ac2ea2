import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemdError } from "../../src/base/errors.ts";
import { nodeFiles } from "../../src/base/files.ts";
import { readYamlFile } from "../../src/base/yaml.ts";
import { checkConfig } from "../../src/config/check.ts";
import { loadConfig } from "../../src/config/config.ts";
import { exampleConfig } from "../../src/config/example.ts";
import { KEYS } from "../../src/config/keys.ts";
import { platformPaths } from "../../src/config/paths.ts";
import { readConfig } from "../../src/config/read.ts";
import { configSchema } from "../../src/config/schema.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "memd-config-"));
  mkdirSync(join(home, ".config", "memd"), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const file = () => join(home, ".config", "memd", "config.yaml");
const paths = (env: Record<string, string> = {}) => platformPaths(env, "linux", home);
const write = (text: string | Uint8Array) => writeFileSync(file(), text);
const problems = () =>
  readConfig(nodeFiles, paths()).problems.map(({ line, path, message }) => `${line ?? "-"} ${path} ${message}`);
const minHours = async () => (await loadConfig(nodeFiles, paths())).config.gates.minHours;

async function refusal(env: Record<string, string> = {}): Promise<MemdError> {
  try {
    await loadConfig(nodeFiles, paths(env));
  } catch (error) {
    if (error instanceof MemdError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("the configuration file", () => {
  it("is not needed", async () => {
    expect(await minHours()).toBe(24);
  });

  it.each([
    ["an empty one", "", 24],
    ["one of comments", "# gates:\n#   minHours: 3\n", 24],
    ["CRLF", "gates:\r\n  minHours: 3\r\n", 3],
    ["a BOM", "\uFEFFgates:\n  minHours: 3\n", 3],
    ["a group left empty", "gates:\nbudget:\n", 24],
    ["a number in hex", "gates: {minHours: 0x10}", 16],
  ])("may be %s", async (_, text, hours) => {
    write(text);
    expect(await minHours()).toBe(hours);
    // The second time the parsed file comes from the cache.
    expect(await minHours()).toBe(hours);
  });

  it.each([
    [
      "a syntax error",
      "gates: [1\nbudget: 2\n",
      ["2  Flow sequence in block collection must be sufficiently indented and end with a ]"],
    ],
    ["a tab", "gates:\n\tminHours: 3\n", ["2  Tabs are not allowed as indentation"]],
    ["a key twice", "discover: true\ndiscover: false\n", ["2  this key stands twice in its group"]],
    ["an alias", "gates: &g\n  minHours: 3\nbudget: *g\n", ["3  an alias (*name) is not read: write its value out"]],
    ["a merge key", "gates:\n  <<: {minHours: 3}\n", ["2 gates.<< unknown key"]],
    ["a tag", "discover: !!js/function 'x'\n", ["1  a tag (!name) is not read: remove it"]],
    [
      "a second document",
      "discover: true\n---\ndiscover: false\n",
      ["2  a second document begins here (---): only one is read"],
    ],
    ["a prototype", "__proto__: {discover: false}\n", ["1 __proto__ unknown key"]],
    ["no number", "gates:\n  minHours: .nan\n", ["2 gates.minHours must be a number from 0 to 8760, not NaN"]],
    [
      "wrong values on several lines",
      "gates:\n  minHours: x\n  minSessions: 0\nlogs: 3\n",
      [
        "2 gates.minHours must be a number from 0 to 8760, not a text",
        "3 gates.minSessions must be a number from 1 to 10000, not 0",
        "4 logs unknown key; did you mean log?",
      ],
    ],
    [
      "a wrong item in a list",
      "stores:\n  - memory: /a\n  - memory: /b\n    sesions: [/s]\n",
      ["4 stores[1].sesions unknown key; did you mean sessions?"],
    ],
    ["brackets without end", "[".repeat(10_000), ["-  nested deeper than 64 levels"]],
  ])("with %s is refused at its line", async (_, text, expected) => {
    write(text);
    expect(problems()).toEqual(expected);
    expect(await refusal()).toMatchObject({ code: "bad-config", family: "misconfigured" });
    // A file that was refused once is refused again.
    expect(await refusal()).toMatchObject({ code: "bad-config" });
  });

  it("keeps its words to itself when it cannot be read", async () => {
    for (const text of [
      "apiKey: 'sk-ant-0123\n",
      'a: "sk-ant-0123\\q"\n',
      "- sk-ant-0123: [}\n",
      "x: sk-ant-0123: y\n",
      "{a: 1} sk-ant-0123\n",
    ]) {
      write(text);
      expect(JSON.stringify([problems(), (await refusal()).message])).not.toContain("0123");
    }
  });

  it("may be a link, as in a folder of dotfiles, and is read anew when its target changes", async () => {
    const target = join(home, "dotfiles.yaml");
    writeFileSync(target, "gates: {minHours: 3}\n");
    symlinkSync(target, file());
    expect(await minHours()).toBe(3);
    writeFileSync(target, "gates: {minHours: 41}\n");
    expect(await minHours()).toBe(41);
  });

  it("is refused as what it is: a folder, a dead link, a pipe, a huge file, another encoding", async () => {
    mkdirSync(file());
    expect((await refusal()).message).toContain("is a folder, not a file");
    rmSync(file(), { recursive: true });
    symlinkSync(join(home, "nowhere"), file());
    expect((await refusal()).message).toContain("is a link that leads nowhere");
    rmSync(file());
    execFileSync("mkfifo", [file()]);
    expect((await refusal()).message).toContain("is not a regular file");
    rmSync(file());
    write("");
    truncateSync(file(), 3_000_000_000);
    expect((await refusal()).message).toContain("is larger than 256 KB");
    rmSync(file());
    write(Buffer.from("gates:\n", "utf16le"));
    expect((await refusal()).message).toContain("save it as UTF-8");
    write(Buffer.from([0x67, 0xff, 0xfe, 0x3a]));
    expect((await refusal()).message).toContain("save it as UTF-8");
  });

  it.skipIf(process.getuid?.() === 0)("that may not be read says so", async () => {
    write("");
    chmodSync(file(), 0);
    expect((await refusal()).message).toContain("no permission");
  });

  it("must be there when MEMD_CONFIG names it", async () => {
    const named = join(home, "other.yaml");
    const error = await refusal({ MEMD_CONFIG: named });
    expect(error).toMatchObject({ code: "bad-config", family: "misconfigured" });
    expect(error.message).toContain("is not there");
    expect(error.hint).toContain("unset MEMD_CONFIG");
    writeFileSync(named, "gates: {minHours: 7}\n");
    expect((await loadConfig(nodeFiles, paths({ MEMD_CONFIG: "~/other.yaml" }))).config.gates.minHours).toBe(7);
    expect((await refusal({ MEMD_CONFIG: "x".repeat(5_000) })).message).toContain("ENAMETOOLONG");
  });

  it("does not need a state directory that can be written", async () => {
    write("gates: {minHours: 3}\n");
    mkdirSync(join(home, ".local"));
    writeFileSync(join(home, ".local", "state"), "a file in the way");
    expect(await minHours()).toBe(3);
  });

  it("is not believed from a cache that was tampered with or damaged", async () => {
    write("gates: {minHours: 3}\n");
    await minHours();
    const cache = join(home, ".local", "state", "memd", "config-cache.json");
    expect(existsSync(cache)).toBe(true);
    writeFileSync(cache, readFileSync(cache, "utf8").replace('minHours":3', 'minHours":"x"'));
    expect(await minHours()).toBe(3);
    writeFileSync(cache, "{");
    expect(await minHours()).toBe(3);
    rmSync(cache);
    mkdirSync(cache);
    expect(await minHours()).toBe(3);
  });

  it("never ends in anything but a MemdError, whatever it holds", async () => {
    const yaml = fc.array(
      fc.constantFrom(
        "gates:",
        "  minHours: ",
        "- ",
        "&a ",
        "*a",
        "!!x ",
        "{",
        "}",
        "[",
        "]",
        "'",
        '"',
        "\n",
        "\t",
        ": ",
        "? ",
        "---\n",
        "%YAML 9\n",
        "|\n",
        "stores:\n",
        "\u0000",
        "é",
      ),
      { maxLength: 40 },
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      yaml.map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, fc.uint8Array()), async (content) => {
        write(content);
        await loadConfig(nodeFiles, paths()).catch((error: unknown) => expect(error).toBeInstanceOf(MemdError));
      }),
      { numRuns: 300 },
    );
  });
});

describe("what is remembered of a file that was checked", () => {
  it("is written under a name of each process's own: none takes another's half-written file", async () => {
    write("gates:\n  minHours: 3\n");
    const made: string[] = [];
    const files = {
      ...nodeFiles,
      create: (path: string, data: string | Uint8Array, mode: number) => {
        made.push(path);
        nodeFiles.create(path, data, mode);
      },
    };
    for (const name of ["one", "two"]) {
      rmSync(join(paths().state, "config-cache.json"), { force: true });
      await loadConfig(files, paths(), () => name);
    }
    expect(made.map((path) => /-(one|two)-/.exec(path)?.[1])).toEqual(["one", "two"]);
  });
});

const shipped = (name: string) => readFileSync(join(import.meta.dirname, "../../config", name), "utf8");

describe("the files that ship with memd", () => {
  it("are what the program says; if not: npm run generate", () => {
    expect(shipped("memd.example.yaml")).toBe(exampleConfig());
    expect(JSON.parse(shipped("memd.schema.json"))).toEqual(configSchema());
  });

  it("the example is valid, names every key, and changes nothing", () => {
    const { value, faults } = readYamlFile(exampleConfig());
    expect(faults).toEqual([]);
    const { values, problems: wrong } = checkConfig(value);
    expect(wrong).toEqual([]);
    expect(values.keys).toEqual(new Map(KEYS.map((key) => [key.path, key.default])));
    const absent = KEYS.filter((key) => key.default === null).map(({ path }) => path);
    expect([...values.set, ...absent].sort()).toEqual(KEYS.map(({ path }) => path).sort());
    expect(values.stores).toEqual([]);
  });

  it("the example's store is a right one once its comment signs are gone", () => {
    const text = exampleConfig();
    const item = text.slice(text.indexOf("one item each:\n") + 15, text.indexOf("stores: []"));
    const { value, faults } = readYamlFile(`stores:\n${item.replace(/^# ?/gm, "")}`);
    expect(faults).toEqual([]);
    expect(checkConfig(value).problems).toEqual([]);
    expect(checkConfig(value).values.stores[0]).toMatchObject({ name: "notes", memory: "~/notes/memory" });
  });

  it("the example's format is a right one once its comment signs are gone", () => {
    const text = exampleConfig();
    const item = text.slice(text.lastIndexOf("one item each:\n") + 15, text.indexOf("formats: []"));
    const { value, faults } = readYamlFile(`formats:\n${item.replace(/^# ?/gm, "")}`);
    expect(faults).toEqual([]);
    expect(checkConfig(value).problems).toEqual([]);
    expect(checkConfig(value).values.formats[0]).toMatchObject({ name: "acme", speaker: "message.role" });
  });

  it("give a reason for every key, and a default within its bounds", () => {
    for (const key of KEYS) {
      expect(key.reason.length, key.path).toBeGreaterThan(20);
      if (key.kind === "number")
        expect(Number(key.default) >= key.min && Number(key.default) <= key.max, key.path).toBe(true);
    }
  });
});
