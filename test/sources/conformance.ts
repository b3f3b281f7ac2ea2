/**
 * What every transcript source must do, whatever its format. A source is dropped in with a way to write its files; each
 * promise is then tried on real ones.
 */
import { appendFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Files } from "../../src/base/files.ts";
import { hasInvisible, wellFormed } from "../../src/base/text.ts";
import { UTTERANCE_CHARS } from "../../src/digest/utterance.ts";
import type { TranscriptSource } from "../../src/ports.ts";
import { listed, live, put, readAt, spoken, tempFolder, turnsOf, watchedFiles } from "./world.ts";

export interface Sample {
  readonly client: string;
  source(files: Files): TranscriptSource;
  /** Path of a transcript below a root. */
  readonly path: string;
  /** One line per text, each a turn of its own, that go together as one transcript; no newline inside or at the end. */
  lines(texts: readonly string[]): string[];
  /** Formats of one record per line can be damaged in more ways than prose. */
  readonly isJsonLines: boolean;
}

const FACTS = [
  "The staging box is called heron.",
  "Release tags look like cal-2026.10.",
  "金额统一用整数分存储。",
  "Mirror host: plover.",
];

export function conforms(sample: Sample): void {
  const lines = () => sample.lines(FACTS);
  const world = (content: string | Uint8Array) => {
    const root = tempFolder();
    const files = watchedFiles();
    const path = put(join(root, sample.path), content);
    return { root, path, files, source: sample.source(files) };
  };
  const whole = () => world(`${lines().join("\n")}\n`);

  describe(`${sample.client} as a source`, () => {
    it("finds every turn with its line and offset, and says which client it is", async () => {
      const { root, path, source } = whole();
      const read = await readAt(source, root);
      expect(turnsOf(read)).toEqual(FACTS);
      const bytes = readFileSync(path);
      for (const { line, offset } of spoken(read))
        expect(bytes.subarray(0, offset).toString("utf8").split("\n").length).toBe(line);
      expect(source.client).toBe(sample.client);
      expect(read.words[0]?.file).toBe(path);
    });

    it("lists without opening, and neither listing nor reading changes anything", async () => {
      const { root, path, files, source } = whole();
      const before = statSync(path);
      listed(source, root);
      expect(files.opened).toEqual([]);
      await readAt(source, root);
      const after = statSync(path);
      expect(files.changes).toEqual([]);
      expect([after.mtimeMs, after.size, after.ino]).toEqual([before.mtimeMs, before.size, before.ino]);
    });

    it("reads only what was appended", async () => {
      const [first = "", ...rest] = lines();
      const { root, path, files, source } = world(`${first}\n`);
      const before = await readAt(source, root);
      appendFileSync(path, `${rest.join("\n")}\n`);
      files.reset();
      const after = await readAt(source, root, before.end);
      expect(turnsOf(after)).toEqual(FACTS.slice(1));
      expect(spoken(after)[0]?.line).toBe(2);
      // The new bytes, and what proves that it is the same file.
      const appended = statSync(path).size - before.end.offset;
      expect(after.counts.bytes).toBe(appended);
      expect(files.bytes()).toBeLessThanOrEqual(appended + 4 * 1024);
    });

    it("finds nothing new in a file that did not change", async () => {
      const { root, source } = whole();
      const { end } = await readAt(source, root);
      const again = await readAt(source, root, end);
      expect(again.words).toEqual([]);
      expect(again.end).toEqual(end);
    });

    it("gives a cursor for any line start that it reported, and goes on from there", async () => {
      const { root, source } = whole();
      const third = spoken(await readAt(source, root)).filter(({ text }) => FACTS.includes(text))[2];
      if (!third) throw new Error("no third turn");
      const cursor = source.cursorAt(listed(source, root), third.offset, third.line - 1);
      const rest = await readAt(source, root, cursor);
      expect(turnsOf(rest)).toEqual(FACTS.slice(2));
      expect(spoken(rest)[0]?.line).toBe(third.line);
    });

    it("starts over when the file has become shorter, was replaced, or was rewritten in place", async () => {
      const fresh = sample.lines(["A new beginning."]);
      const changes = [
        (path: string) => truncateSync(path, Buffer.byteLength(`${lines()[0]}\n`)),
        (path: string) => renameSync(put(`${path}.new`, `${[...fresh, ...lines()].join("\n")}\n`), path),
        (path: string) => put(path, `${[...fresh, ...lines()].join("\n")}\n`),
      ];
      for (const change of changes) {
        const { root, path, source } = whole();
        const { end } = await readAt(source, root);
        change(path);
        const read = await readAt(source, root, end);
        expect(read.start).toBe(0);
        expect(turnsOf(read)).toContain(FACTS[0]);
      }
    });

    it("treats a file that vanished after it was listed as absent", async () => {
      const { root, path, source } = whole();
      const file = listed(source, root);
      rmSync(path);
      expect(await source.read(file, null, live())).toBeNull();
      expect(source.cursorAt(file, 0, 0)).toBeNull();
    });

    it("takes a byte order mark, CRLF, blank lines and an empty file as they come", async () => {
      const text = lines();
      for (const content of [
        `\uFEFF${text.join("\n")}\n`,
        `${text.join("\r\n")}\r\n`,
        `\n\n${text.join("\n\n")}\n\n`,
      ]) {
        const { root, source } = world(content);
        const read = await readAt(source, root);
        expect(turnsOf(read)).toEqual(FACTS);
        expect(read.counts.bad).toBe(0);
      }
      const { root, source } = world("");
      expect((await readAt(source, root)).words).toEqual([]);
    });

    it("gives texts that are well formed, bounded, and free of control characters", async () => {
      const hostile = [
        `nul\u0000 bell\u0007 zero\u200Bwidth`,
        `${"🧭".repeat(9_000)} end`,
        `x${"🧭".repeat(9_000)} end`,
      ];
      const { root, source } = world(`${sample.lines(hostile).join("\n")}\n`);
      const texts = turnsOf(await readAt(source, root));
      expect(texts[0]).toBe("nul bell zerowidth");
      for (const text of texts) {
        expect(wellFormed(text)).toBe(text);
        expect(hasInvisible(text)).toBe(false);
        expect(text.length).toBeLessThanOrEqual(UTTERANCE_CHARS);
      }
      expect(texts.slice(1).every((text) => text.endsWith(" end"))).toBe(true);
    });

    it("passes over one line of 20 MB and keeps its neighbours", async () => {
      const [before = "", after = ""] = lines();
      const { root, source } = world(
        Buffer.concat([Buffer.from(`${before}\n`), Buffer.alloc(20 * 1_048_576, "Q"), Buffer.from(`\n${after}\n`)]),
      );
      const read = await readAt(source, root);
      expect(turnsOf(read)).toEqual(FACTS.slice(0, 2));
      expect(read.counts).toMatchObject({ lines: 3, bad: 1 });
    });

    it("stops when it is told to", async () => {
      const { root, source } = whole();
      const control = new AbortController();
      control.abort();
      await expect(source.read(listed(source, root), null, control.signal)).rejects.toThrow();
    });

    it("throws when its root cannot be read", () => {
      const root = tempFolder();
      const source = sample.source(watchedFiles({ verb: "list", path: root, code: "EACCES" }));
      expect(() => [...source.list(root)]).toThrow("EACCES");
    });

    it("lets the event loop run while it reads", async () => {
      const filler = sample.lines(Array.from({ length: 40 }, (_, i) => `${i} ${"many words ".repeat(9_000)}`));
      const { root, source } = world(`${filler.join("\n")}\n`);
      let beats = 0;
      const heart = setInterval(() => beats++, 0);
      await readAt(source, root);
      clearInterval(heart);
      expect(beats).toBeGreaterThan(0);
    });
  });

  if (sample.isJsonLines) damage(sample, { world, lines });
}

interface Bench {
  world(content: string | Uint8Array): { root: string; path: string; source: TranscriptSource };
  lines(): string[];
}

/** Ways in which clients have been seen to leave a file of records. */
function damage(sample: Sample, { world, lines }: Bench): void {
  const [a = "", b = "", c = "", d = ""] = lines();
  const cut = b.slice(0, Math.floor(b.length / 2));
  const nuls = "\0".repeat(512);
  // Within the words: joined again they would say something else.
  const torn = b.replace("tags look", `tags${nuls}`);
  const [A, B, C, D] = FACTS;
  const shapes: [name: string, content: string, turns: (string | undefined)[], bad: number][] = [
    ["a record cut off and the next one glued on", `${a}\n${cut}${c}\n${d}\n`, [A, C, D], 1],
    ["two whole records on one line", `${a}\n${b}${c}\n${d}\n`, [A, B, C, D], 1],
    ["a cut record alone on its line", `${a}\n${cut}\n${c}\n${d}\n`, [A, C, D], 1],
    ["a run of NUL bytes as a line", `${a}\n${b}\n${nuls}\n${c}\n${d}\n`, [A, B, C, D], 1],
    ["a run of NUL bytes before a record", `${a}\n${nuls}${b}\n${c}\n${d}\n`, [A, B, C, D], 1],
    ["a run of NUL bytes inside a record", `${a}\n${torn}\n${c}\n${d}\n`, [A, C, D], 1],
    ["a line of garbage", `${a}\n}{]["\n${b}\n${c}\n${d}\n`, [A, B, C, D], 1],
    ["values that are no records", `${a}\n[1,2,3]\n"text"\nnull\n42\n${b}\n${c}\n${d}\n`, [A, B, C, D], 4],
    ["a type that nobody knows", `${a}\n{"type":"brand-new","payload":{"a":1}}\n${b}\n${c}\n${d}\n`, [A, B, C, D], 0],
    ["the second half repeated", `${a}\n${b}\n${c}\n${d}\n${c}\n${d}\n`, [A, B, C, D], 0],
  ];
  describe(`${sample.client} in a damaged file`, () => {
    it.each(shapes)("survives %s", async (_name, content, turns, bad) => {
      const { root, source } = world(content);
      const read = await readAt(source, root);
      expect(turnsOf(read)).toEqual(turns);
      expect(read.counts.bad).toBe(bad);
    });

    it("leaves an unfinished last line, and reads it once when it is finished", async () => {
      const { root, path, source } = world(`${a}\n${b}\n${c.slice(0, 90)}`);
      const first = await readAt(source, root);
      expect(turnsOf(first)).toEqual([A, B]);
      expect(first.counts.unfinished).toBe(1);
      appendFileSync(path, `${c.slice(90)}\n`);
      const second = await readAt(source, root, first.end);
      expect(turnsOf(second)).toEqual([C]);
      expect(turnsOf(await readAt(source, root, second.end))).toEqual([]);
    });

    it("leaves a last line that ends inside a character", async () => {
      const bytes = Buffer.from(`${a}\n${b}\n${c}`);
      const at = bytes.indexOf("金") + 1;
      const { root, path, source } = world(bytes.subarray(0, at));
      const first = await readAt(source, root);
      appendFileSync(path, Buffer.concat([bytes.subarray(at), Buffer.from("\n")]));
      expect([turnsOf(first), turnsOf(await readAt(source, root, first.end))]).toEqual([[A, B], [C]]);
    });

    it("keeps the words around half of a surrogate pair, and no mark of it", async () => {
      const half = a.replace("heron", "heron\\ud83d");
      const { root, source } = world(`${half}\n${b}\n`);
      expect(turnsOf(await readAt(source, root))[0]).toBe(A);
    });
  });
}
