/**
 * What a source over a database must do, whatever its tables: the promises of the conformance of files, as far as rows can keep them. Not
 * asked of a database: damage of lines (glued, cut, NUL runs, byte order marks), and counting bytes that were read from the disk.
 */
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import { expect, it } from "vitest";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import { hasInvisible, wellFormed } from "../../src/base/text.ts";
import { UTTERANCE_CHARS } from "../../src/digest/utterance.ts";
import type { TranscriptSource } from "../../src/ports.ts";
import { collect, commit, type ReadPlan, type SourceRoot, scan } from "../../src/sources/collect.ts";
import { emptyBook } from "../../src/sources/cursors.ts";
import { describeWithSqlite } from "../support/sqlite.ts";
import { listed, live, put, readAt, spoken, tempFolder, turnsOf, watchedFiles } from "./world.ts";

export interface Client {
  readonly db: BetterSqlite3.Database;
  /** One turn per text, each with its answer. */
  talk(texts: readonly string[], session?: string): void;
  /** Removes a session as the client does. */
  remove(session: string): void;
  close(): void;
}

export interface DatabaseSample {
  readonly client: string;
  source(files: Files): TranscriptSource;
  /** Path of the database below a root. */
  readonly path: string;
  /** Opens or makes the database, in WAL mode, with a session `ses_1` if it is new. */
  open(path: string): Client;
  /** A further session. */
  begin(client: Client, session: string): void;
}

const FACTS = [
  "The staging box is called heron.",
  "Release tags look like cal-2026.10.",
  "金额统一用整数分存储。",
  "Mirror host: plover.",
];

export function conformsAsDatabase(sample: DatabaseSample): void {
  const world = (texts: readonly string[] = FACTS) => {
    const root = tempFolder();
    const files = watchedFiles();
    const path = join(root, sample.path);
    const client = sample.open(path);
    client.talk(texts);
    return { root, path, files, client, source: sample.source(files) };
  };

  describeWithSqlite(`${sample.client} as a source`, () => {
    it("finds every turn with its row, and says which client it is", async () => {
      const { root, path, source } = world();
      const read = await readAt(source, root);
      expect(turnsOf(read)).toEqual(FACTS);
      const lines = spoken(read).map(({ line, offset }) => line - offset);
      expect(new Set(lines)).toEqual(new Set([1]));
      expect([source.client, read.words[0]?.client, read.words[0]?.session]).toEqual([
        sample.client,
        sample.client,
        "ses_1",
      ]);
      expect(read.words[0]?.file).toBe(`${path}#ses_1`);
    });

    it("reads only rows that are new, while its client has it open", async () => {
      const { root, client, source } = world(FACTS.slice(0, 1));
      const before = await readAt(source, root);
      client.talk(FACTS.slice(1));
      const after = await readAt(source, root, before.end);
      expect(turnsOf(after)).toEqual(FACTS.slice(1));
      expect(after.start).toBe(before.end.offset);
      expect(after.counts.lines).toBe(after.end.offset - before.end.offset);
      expect((await readAt(source, root, after.end)).words).toEqual([]);
    });

    it("gives a cursor for any row that it reported, and goes on from there", async () => {
      const { root, source } = world();
      const third = spoken(await readAt(source, root)).filter(({ text }) => FACTS.includes(text))[2];
      if (!third) throw new Error("no third turn");
      const cursor = source.cursorAt(listed(source, root), third.offset, third.line - 1);
      const rest = await readAt(source, root, cursor);
      expect(turnsOf(rest)).toEqual(FACTS.slice(2));
      expect(spoken(rest)[0]?.line).toBe(third.line);
    });

    it("changes nothing in the folder of a client that is at work, and folds no log into the file", async () => {
      const { root, path, files, source } = world();
      const before = fingerprints(path);
      expect(Object.keys(before)).toContain(`${basename(path)}-wal`);
      await readAt(source, root);
      const { [`${basename(path)}-shm`]: _shared, ...kept } = before;
      expect(fingerprints(path)).toMatchObject(kept);
      expect(files.changes).toEqual([]);
    });

    it("leaves nothing beside the database of a client that is not running", async () => {
      const { root, path, client, source } = world();
      client.close();
      const before = fingerprints(path);
      expect(Object.keys(before)).toEqual([basename(path)]);
      expect(turnsOf(await readAt(source, root))).toEqual(FACTS);
      expect(fingerprints(path)).toEqual(before);
    });

    it("finds what was said after its client was started again", async () => {
      const { root, path, client, source } = world(FACTS.slice(0, 2));
      client.close();
      const before = await readAt(source, root);
      const again = sample.open(path);
      again.talk(FACTS.slice(2));
      expect(turnsOf(await readAt(source, root, before.end))).toEqual(FACTS.slice(2));
    });

    it("never keeps its client from writing, and sees nothing of a write that is not finished", async () => {
      const { root, client, source } = world(FACTS.slice(0, 2));
      const begun = await readAt(source, root);
      client.db.exec("BEGIN IMMEDIATE");
      client.talk(FACTS.slice(2));
      const during = await readAt(source, root, begun.end);
      expect(during.words).toEqual([]);
      // The writer waits for nobody: it would throw.
      const reading = readAt(source, root);
      client.db.exec("COMMIT");
      client.talk(["One more."]);
      await reading;
      expect(turnsOf(await readAt(source, root, begun.end))).toEqual([...FACTS.slice(2), "One more."]);
    });

    it("starts over when the database was replaced by another one", async () => {
      const { root, path, client, source } = world();
      client.close();
      const { end } = await readAt(source, root);
      const other = sample.open(`${path}.new`);
      other.talk(["A new beginning.", ...FACTS]);
      other.close();
      renameSync(`${path}.new`, path);
      const read = await readAt(source, root, end);
      expect(read.start).toBe(0);
      expect(turnsOf(read)).toEqual(["A new beginning.", ...FACTS]);
    });

    it("starts over in a session that has lost rows", async () => {
      const { root, path, client, source } = world();
      const { end } = await readAt(source, root);
      client.remove("ses_1");
      sample.begin(client, "ses_1");
      client.talk(["Anew."]);
      const read = await readAt(source, root, end);
      expect([read.start, turnsOf(read)]).toEqual([0, ["Anew."]]);
      expect(existsSync(path)).toBe(true);
    });

    it("treats a session and a database that are gone as absent", async () => {
      const { root, path, client, source } = world();
      const file = listed(source, root);
      client.remove("ses_1");
      expect(await source.read(file, null, live())).toBeNull();
      expect(source.cursorAt(file, 1, 1)).toBeNull();
      expect([...source.list(root)]).toEqual([]);
      client.close();
      rmSync(path);
      expect(await source.read(file, null, live())).toBeNull();
    });

    it("gives texts that are well formed, bounded, and free of control characters", async () => {
      const hostile = [
        "nul\u0000 bell\u0007 zero\u200Bwidth",
        `${"🧭".repeat(9_000)} end`,
        `x${"many ".repeat(90_000)} end`,
      ];
      const { root, source } = world(hostile);
      const texts = turnsOf(await readAt(source, root));
      expect(texts[0]).toBe("nul bell zerowidth");
      for (const text of texts) {
        expect([wellFormed(text), hasInvisible(text)]).toEqual([text, false]);
        expect(text.length).toBeLessThanOrEqual(UTTERANCE_CHARS);
      }
      expect(texts.slice(1).every((text) => text.endsWith(" end"))).toBe(true);
    });

    it("lets the event loop run while it reads, and stops when it is told to", async () => {
      const { root, source } = world(Array.from({ length: 600 }, (_, i) => `Fact ${i}`));
      let beats = 0;
      const heart = setInterval(() => beats++, 0);
      expect(turnsOf(await readAt(source, root)).length).toBe(600);
      clearInterval(heart);
      expect(beats).toBeGreaterThan(0);
      const control = new AbortController();
      control.abort();
      await expect(source.read(listed(source, root), null, control.signal)).rejects.toThrow();
    });

    it("throws when its root cannot be read", () => {
      const root = tempFolder();
      const source = sample.source(watchedFiles({ verb: "list", path: root, code: "EACCES" }));
      expect(() => [...source.list(root)]).toThrow("EACCES");
    });

    it.each([
      ["no database at all", "database-unusable", "this is not a database, just text in its place ".repeat(40)],
      ["a database with other tables", "unknown-format", ""],
    ])("reports %s, with what to do", async (_, code, content) => {
      const root = tempFolder();
      const path = put(join(root, sample.path), content);
      const found = await scan(planOver({ source: sample.source(nodeFiles), root }));
      expect(found.sessions).toMatchObject({ seen: 1, unread: 0, dropped: { [code]: 1 } });
      expect(found.notices).toMatchObject([
        { code, message: expect.stringContaining(path), hint: expect.stringMatching(/\w\.$/) },
      ]);
    });
  });

  describeWithSqlite(`a store of ${sample.client}`, () => {
    it("asks an unchanged database one question, and reads no session of it again", async () => {
      const { root, client, source } = world();
      sample.begin(client, "ses_2");
      client.talk(["Elsewhere."], "ses_2");
      const read: string[] = [];
      const counted: TranscriptSource = {
        ...source,
        read: (file, from, signal) => {
          read.push(file.session);
          return source.read(file, from, signal);
        },
      };
      const plan = planOver({ source: counted, root });
      await scan(plan);
      const collected = await collect(plan);
      commit(
        plan.book,
        collected,
        collected.words.map(({ file }) => ({ file, until: "all" })),
      );
      expect(read.sort()).toEqual(["ses_1", "ses_1", "ses_2", "ses_2"]);
      read.length = 0;
      expect((await scan(plan)).sessions).toMatchObject({ seen: 2, unread: 0 });
      expect((await collect(plan)).words).toEqual([]);
      client.talk(["And then."]);
      expect((await scan(plan)).sessions).toMatchObject({ counted: 1, unread: 1 });
      expect(read).toEqual(["ses_1"]);
    });

    it("forgets a session that was deleted, and no session of a database that cannot be read just now", async () => {
      const { root, path, client, source } = world();
      sample.begin(client, "ses_2");
      client.talk(["Elsewhere."], "ses_2");
      const plan = { ...planOver({ source, root }), book: emptyBook() };
      await scan(plan);
      client.remove("ses_2");
      await scan(plan);
      expect([...plan.book.files.keys()]).toEqual([`${path}#ses_1`]);
      client.close();
      copyFileSync(path, `${path}.aside`);
      writeFileSync(path, "garbage ".repeat(200));
      await scan(plan);
      expect([...plan.book.files.keys()]).toEqual([`${path}#ses_1`]);
    });
  });
}

/** A store of everything below a root, with a book that knows nothing yet. */
export function planOver(from: SourceRoot): ReadPlan {
  return {
    files: nodeFiles,
    book: emptyBook(),
    sources: [from],
    project: null,
    headless: "auto",
    ignore: { sessions: [], paths: [], projects: [] },
    since: 0,
    ownSessions: new Set(),
    ownFolders: [],
    maxChars: Number.POSITIVE_INFINITY,
    signal: live(),
    progress: () => undefined,
  };
}

/** By name: hash of every file in a database's folder. */
function fingerprints(path: string): Record<string, string> {
  const folder = dirname(path);
  return Object.fromEntries(
    readdirSync(folder).map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex"),
    ]),
  );
}
