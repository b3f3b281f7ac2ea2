/** Whatever a transcript, a distiller, a configuration or a state file holds: read without an untyped throw, and no good line is lost to a bad one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemdError } from "../../../src/base/errors.ts";
import { type Files, nodeFiles } from "../../../src/base/files.ts";
import { wellFormed } from "../../../src/base/text.ts";
import { parseYaml } from "../../../src/base/yaml.ts";
import { checkConfig } from "../../../src/config/check.ts";
import { configOf } from "../../../src/config/config.ts";
import { loadStoreState } from "../../../src/ledger/store-state.ts";
import { readHolder } from "../../../src/lock/holder.ts";
import { parseProposal } from "../../../src/memory/schema.ts";
import { claudeCodeSource } from "../../../src/sources/claude-code.ts";
import { loadBook } from "../../../src/sources/cursors.ts";
import { readManifest, readUndoRecord } from "../../../src/store/manifest.ts";
import { START, talk, transcript } from "../../support/home.ts";
import { PATIENCE } from "../settings.ts";
import { holds } from "./holds.ts";
import { strangeBytes, strangeText } from "./texts.ts";

/** A disk that holds one file, in memory. */
function holding(bytes: Buffer): Files {
  const stat = { kind: "file" as const, size: bytes.length, mtime: START, ino: 1, dev: 1, mode: 0o600, links: 1 };
  return {
    ...nodeFiles,
    stat: () => stat,
    lstat: () => stat,
    open: () => 99,
    close: () => undefined,
    read: () => bytes,
    readText: () => bytes.toString("utf8"),
    readAt: (_fd, buffer, length, position) =>
      bytes.copy(buffer, 0, position, position + Math.min(length, buffer.length)),
  };
}

const signal = new AbortController().signal;

async function wordsIn(bytes: Buffer): Promise<string[]> {
  const file = { path: "/s/one.jsonl", session: "one", size: bytes.length, mtime: START, ino: 1, dev: 1, drop: null };
  const read = await claudeCodeSource(holding(bytes)).read(file, null, signal);
  expect(read?.end.offset).toBeLessThanOrEqual(bytes.length);
  return (read?.words ?? []).flatMap(({ utterances }) => utterances.map(({ text }) => text));
}

const SAID = ["The queue limit is 500 jobs now.", "Deploys run on Fridays.", "Never push to main."];
const LINES = transcript("one", talk(SAID, START)).trimEnd().split("\n");
const JSON_VALUE = fc.jsonValue({ maxDepth: 4 });

/** A record with one of its values replaced, or a key taken out, anywhere in it. */
const mutated = fc
  .tuple(fc.constantFrom(...LINES), fc.nat(60), fc.oneof(fc.constant(undefined), JSON_VALUE))
  .map(([line, pick, value]) => {
    let seen = 0;
    const change = (_key: string, old: unknown) => (seen++ === pick ? value : old);
    return JSON.stringify(JSON.parse(line), change) ?? "";
  });

const cut = fc.tuple(fc.constantFrom(...LINES), fc.nat(900)).map(([line, at]) => line.slice(0, at % line.length));
const garbage = fc.oneof(
  mutated.map((line) => Buffer.from(line)),
  cut.map((line) => Buffer.from(line)),
  strangeBytes.map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10))),
  JSON_VALUE.map((value) => Buffer.from(JSON.stringify(value))),
);

describe("a transcript of any bytes", { timeout: PATIENCE }, () => {
  it("is read without a throw, and every good line of it is used", async () => {
    await holds(
      fc.asyncProperty(
        fc.array(garbage, { maxLength: 6 }),
        fc.array(garbage, { maxLength: 4 }),
        async (before, between) => {
          const [first = "", ...rest] = LINES;
          const lines = [...before, Buffer.from(first), ...between, ...rest.map((line) => Buffer.from(line))];
          const words = await wordsIn(Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")])));
          for (const text of words) expect(wellFormed(text)).toBe(text);
          // A mutated copy of a record may stand for it; what was said is there all the same, unless a record says it was withdrawn.
          if (between.length + before.length === 0) for (const said of SAID) expect(words).toContain(said);
        },
      ),
      8_000,
    );
  });

  it("between lines that are no records at all loses not one word", async () => {
    const noise = strangeBytes.map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10 && byte !== 123)));
    await holds(
      fc.asyncProperty(fc.array(noise, { minLength: LINES.length, maxLength: LINES.length }), async (lines) => {
        const all = LINES.flatMap((line, i) => [lines[i] ?? Buffer.alloc(0), Buffer.from(line)]);
        const words = await wordsIn(Buffer.concat(all.flatMap((line) => [line, Buffer.from("\n")])));
        for (const said of SAID) expect(words).toContain(said);
      }),
      5_000,
    );
  });
});

const KEYS = [
  "op",
  "topic",
  "text",
  "cites",
  "utterance",
  "quote",
  "entry",
  "entries",
  "why",
  "how",
  "reason",
  "to",
  "type",
  "title",
  "description",
  "name",
  "steps",
  "operations",
  "__proto__",
  "constructor",
] as const;
const OPS = [
  "add",
  "revise",
  "merge",
  "retire",
  "move",
  "create-topic",
  "describe-topic",
  "ask",
  "draft-skill",
  "drop",
] as const;
const field = fc.oneof(
  strangeText,
  fc.constantFrom(...OPS),
  fc.constantFrom("user", "project", "S1:1"),
  JSON_VALUE,
  fc.array(strangeText, { maxLength: 3 }),
  fc.array(fc.record({ utterance: strangeText, quote: strangeText }), { maxLength: 2 }),
);
const operation = fc.oneof(
  fc.dictionary(fc.constantFrom(...KEYS), field, { maxKeys: 10 }),
  fc.record({
    op: fc.constantFrom(...OPS),
    topic: strangeText,
    text: strangeText,
    cites: fc.array(fc.record({ utterance: strangeText, quote: strangeText }), { maxLength: 3 }),
  }),
  fc.anything(),
);

describe("a proposal of any shape", { timeout: PATIENCE }, () => {
  it("is read without a throw, and what is read reads the same again", async () => {
    await holds(
      fc.property(
        fc.oneof(fc.record({ operations: fc.array(operation, { maxLength: 5 }) }), fc.anything()),
        (value) => {
          const read = parseProposal(value);
          if (!("proposal" in read)) return;
          const again = parseProposal(JSON.parse(JSON.stringify(read.proposal)));
          expect(again).toEqual({ proposal: JSON.parse(JSON.stringify(read.proposal)), refused: [] });
          expect(Object.keys(Object.prototype)).toEqual([]);
        },
      ),
      10_000,
    );
  });
});

const CONFIG_WORDS = [
  "dream",
  "gates",
  "minHours",
  "minSessions",
  "stores",
  "memory",
  "sessions",
  "budget",
  "maxDayUsd",
  "sources",
  "ignore",
  "text",
  "timeZone",
  "retention",
  "(a+)+$",
  "24",
  "0",
  "-1",
  "1e9",
  "true",
  "[]",
  "~/x",
] as const;
const yamlText = fc
  .array(
    fc.tuple(
      fc.constantFrom("", "  ", "    ", "- "),
      fc.constantFrom(...CONFIG_WORDS),
      fc.constantFrom(": ", ":\n", "\n", ": [", ": {"),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.map(([indent, word, end]) => `${indent}${word}${end}`).join(""));

describe("a configuration of any text", { timeout: PATIENCE }, () => {
  it("is either right or says what is wrong, each time in words", async () => {
    await holds(
      fc.property(fc.oneof(yamlText, strangeText), (text) => {
        const { value, problem } = parseYaml(text);
        if (problem !== null) return;
        const { values, problems } = checkConfig(value);
        for (const { message } of problems) expect(message).toMatch(/\S/);
        if (problems.length === 0) configOf(values);
      }),
      4_000,
    );
  });

  it("of any value is judged without a throw", async () => {
    await holds(
      fc.property(
        fc.oneof(
          JSON_VALUE,
          fc.dictionary(
            fc.constantFrom(...CONFIG_WORDS),
            fc.oneof(JSON_VALUE, fc.dictionary(fc.constantFrom(...CONFIG_WORDS), JSON_VALUE)),
          ),
        ),
        (value) => {
          checkConfig(value);
        },
      ),
      3_000,
    );
  });
});

describe("a state file of any bytes", { timeout: PATIENCE }, () => {
  it("is read as what it is or as nothing, and never stops a run with an error of its own", async () => {
    const readers: readonly ((files: Files) => unknown)[] = [
      (files) => loadBook(files, "/s/cursors.json"),
      (files) => readHolder(files, "/m/.memd/lease.json"),
      (files) => loadStoreState(files, "/s"),
    ];
    const damaged = fc.oneof(
      strangeBytes,
      JSON_VALUE.map((value) => Buffer.from(JSON.stringify(value))),
      fc
        .dictionary(
          fc.constantFrom("schema", "files", "seen", "token", "pid", "conditions", "failure", "lastScan", "undone"),
          JSON_VALUE,
        )
        .map((value) => Buffer.from(JSON.stringify({ schema: 1, ...value }))),
    );
    await holds(
      fc.property(damaged, fc.constantFrom(...readers), (bytes, read) => {
        try {
          read(holding(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(MemdError);
        }
      }),
      3_000,
    );
  });

  it("that should be a journal is a journal, whole, or none", async () => {
    await holds(
      fc.property(JSON_VALUE, (value) => {
        expect(readManifest(value)).toBeNull();
        expect(readUndoRecord(value)).toBeNull();
      }),
      2_000,
    );
  });
});
