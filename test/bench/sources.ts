/** How fast and in how little memory transcripts are read and scanned, each time against the plain way of doing the same. */
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { nodeFiles } from "../../src/base/files.ts";
import type { Cursor } from "../../src/ports.ts";
import { claudeCodeSource } from "../../src/sources/claude-code.ts";
import { type ReadPlan, scan } from "../../src/sources/collect.ts";
import { emptyBook } from "../../src/sources/cursors.ts";
import { atLeast, atMost, type BenchRow, least, taken } from "./row.ts";
import { record, writeLongLine, writeTranscript } from "./transcripts.ts";

export interface BenchSize {
  /** Scratch folder, made here. */
  readonly folder: string;
  /** Size of the generated transcripts that are read. */
  readonly megabytes: number;
  /** Number of transcripts that are scanned. */
  readonly transcripts: number;
  /** Size of the one large file and of the one long line, for the peaks. */
  readonly fileMegabytes: number;
  readonly lineMegabytes: number;
  /** The built peak.ts. */
  readonly peak: string;
}

export async function* benchSources(size: BenchSize): AsyncGenerator<BenchRow> {
  fs.mkdirSync(size.folder, { recursive: true });
  const path = join(size.folder, "one.jsonl");
  yield* peaks(size, `a line of ${size.lineMegabytes} MB`, writeLongLine(path, size.lineMegabytes));
  yield* peaks(size, `a file of ${size.fileMegabytes} MB`, writeTranscript(path, size.fileMegabytes));
  fs.rmSync(path);
  yield* scans(join(size.folder, "many"), size.transcripts);
  yield* reads(size);
}

const { signal } = new AbortController();
const source = claudeCodeSource(nodeFiles);

/** In a process of its own, since memory that another bench left would count. */
function* peaks(size: BenchSize, what: string, path: string): Generator<BenchRow> {
  const { stdout, stderr } = spawnSync(process.execPath, [size.peak, path], { encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  const { megabytes, gap } = JSON.parse(stdout);
  yield atMost(200, { name: `peak memory, ${what}`, value: megabytes, unit: "MB" });
  yield atMost(200, { name: `longest gap of the event loop, ${what}`, value: gap, unit: "ms" });
}

async function readAll(path: string): Promise<void> {
  for (const file of source.list(path)) {
    let from: Cursor | null = null;
    for (;;) {
      const read = await source.read(file, from, signal);
      if (read === null || read.end.offset >= file.size || read.end.offset === (from?.offset ?? 0)) break;
      from = read.end;
    }
  }
}

async function* reads({ folder, megabytes }: BenchSize): AsyncGenerator<BenchRow> {
  const count = Math.max(1, Math.round(megabytes / 64));
  const paths = Array.from({ length: count }, (_, i) =>
    writeTranscript(join(folder, `read${i}.jsonl`), megabytes / count),
  );
  const kept = new Map(paths.map((path) => [path, keptLines(path)]));
  const bytes = paths.reduce((sum, path) => sum + fs.statSync(path).size, 0);
  const each = (read: (path: string) => Promise<unknown> | unknown) => async () => {
    for (const path of paths) await read(path);
  };
  const { ours, bare } = await least(3, {
    ours: each(readAll),
    bare: each((path) => bareLoop(path, kept.get(path) ?? [])),
  });
  const plain = await taken(each(readlineAndParse));
  const name = `first read of ${(bytes / 1_048_576).toFixed(0)} MB`;
  yield { name, value: bytes / 1_048_576 / (ours.wall / 1_000), unit: "MB/s" };
  yield atLeast(8, { name: "  times faster than readline + JSON.parse", value: plain.cpu / ours.cpu, unit: "x" });
  yield atMost(2, { name: "  in bare loops that parse the kept lines", value: ours.cpu / bare.cpu, unit: "x" });
}

async function readlineAndParse(path: string): Promise<void> {
  const input = fs.createReadStream(path);
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) JSON.parse(line);
}

/** Per line, whether it is a user's or an assistant's. */
function keptLines(path: string): boolean[] {
  const kept: boolean[] = [];
  eachSlice(path, (bytes, start, end) => {
    const { type }: { type: string } = JSON.parse(bytes.toString("utf8", start, end));
    kept.push(type === "user" || type === "assistant");
  });
  return kept;
}

/** The least that any reader must do: split at newlines and parse what is kept, told beforehand which lines those are. */
function bareLoop(path: string, kept: readonly boolean[]): void {
  let line = 0;
  eachSlice(path, (bytes, start, end) => {
    if (kept[line++]) JSON.parse(bytes.toString("utf8", start, end));
  });
}

const BUFFER_BYTES = 4 * 1_048_576;
const NEWLINE = 0x0a;

/** In one buffer that is used again: reading whole files would pay for fresh memory. No line may be longer than it. */
export function eachSlice(path: string, visit: (bytes: Buffer, start: number, end: number) => void): void {
  const fd = fs.openSync(path, "r");
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  let held = 0;
  for (let got = fs.readSync(fd, buffer, 0, BUFFER_BYTES, null); got > 0; ) {
    const bytes = buffer.subarray(0, held + got);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE, held); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      visit(bytes, start, end);
      start = end + 1;
    }
    bytes.copyWithin(0, start);
    held = bytes.length - start;
    got = fs.readSync(fd, buffer, held, BUFFER_BYTES - held, null);
  }
  fs.closeSync(fd);
}

async function* scans(root: string, transcripts: number): AsyncGenerator<BenchRow> {
  for (let i = 0; i < transcripts; i++) {
    const cwd = `/home/sam/p${Math.floor(i / 8)}`;
    const folder = join(root, cwd.replaceAll("/", "-"));
    if (i % 8 === 0) fs.mkdirSync(folder, { recursive: true });
    const turn = record("user", { message: { role: "user", content: `note ${i}` } }, { cwd });
    fs.writeFileSync(join(folder, `00000000-0000-4000-9000-${String(i).padStart(12, "0")}.jsonl`), `${turn}\n`);
  }
  const book = emptyBook();
  const first = await taken(() => scan(planOf(root, book)));
  const { again, walk } = await least(7, { again: () => scan(planOf(root, book)), walk: () => walkAndStat(root) });
  yield { name: `first scan of ${transcripts} transcripts`, value: first.wall, unit: "ms" };
  yield { name: `scan of ${transcripts} unchanged transcripts`, value: again.wall, unit: "ms" };
  yield atMost(2, { name: "  in plain readdir + stat walks", value: again.cpu / walk.cpu, unit: "x" });
  fs.rmSync(root, { recursive: true });
}

function planOf(root: string, book: ReadPlan["book"]): ReadPlan {
  return {
    files: nodeFiles,
    book,
    sources: [{ source, root }],
    project: null,
    headless: "auto",
    ignore: { sessions: [], paths: [], projects: [] },
    since: 0,
    ownSessions: new Set(),
    ownFolders: [],
    maxChars: Number.POSITIVE_INFINITY,
    signal,
    progress: () => undefined,
  };
}

function walkAndStat(root: string): number {
  let bytes = 0;
  for (const entry of fs.readdirSync(root, { withFileTypes: true })) {
    const path = join(root, entry.name);
    bytes += entry.isDirectory() ? walkAndStat(path) : fs.lstatSync(path).size;
  }
  return bytes;
}
