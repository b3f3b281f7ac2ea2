/** How fast and in how little memory transcripts are read, each time against the plain way of doing the same. */
import * as fs from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { nodeFiles } from "../../src/base/files.ts";
import { claudeCodeSource } from "../../src/sources/claude-code.ts";
import { type ReadPlan, scan } from "../../src/sources/collect.ts";
import { emptyBook } from "../../src/sources/cursors.ts";

export interface BenchSize {
  /** Scratch folder, emptied by the caller. */
  readonly folder: string;
  /** Size of the generated tree that is read. */
  readonly megabytes: number;
  /** Number of transcripts that is scanned. */
  readonly transcripts: number;
  /** Size of the one large file and of the one long line, for the memory peaks. */
  readonly largeMegabytes: number;
  readonly lineMegabytes: number;
}

export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: "ratio" | "ms" | "MB" | "MB/s";
}

/** Runs all measurements; the peaks first, while the process is small. */
export async function benchSources(size: BenchSize): Promise<BenchRow[]> {
  const { folder } = size;
  const rows: BenchRow[] = [];
  rows.push(await peak("peak memory, one long line", longLine(join(folder, "line.jsonl"), size.lineMegabytes)));
  rows.push(await peak("peak memory, one large file", transcript(join(folder, "large.jsonl"), size.largeMegabytes)));
  rows.push(...(await scans(join(folder, "many"), size.transcripts)));
  const count = 4;
  const paths = Array.from({ length: count }, (_, i) =>
    transcript(join(folder, `read${i}.jsonl`), size.megabytes / count),
  );
  rows.push(...(await reads(paths)));
  return rows;
}

const signal = new AbortController().signal;
const source = claudeCodeSource(nodeFiles);

async function readAll(path: string): Promise<void> {
  for (const file of source.list(path)) await source.read(file, null, signal);
}

async function timed(act: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

/** The best of three: other work on the machine only ever adds. */
async function best(act: () => Promise<unknown> | unknown): Promise<number> {
  return Math.min(await timed(act), await timed(act), await timed(act));
}

/** Resident size, sampled whenever the reader lets the event loop run, which is after each chunk. */
async function peak(name: string, path: string): Promise<BenchRow> {
  let highest = 0;
  const sample = () => {
    highest = Math.max(highest, process.memoryUsage.rss());
  };
  const sampler = setInterval(sample, 1);
  await readAll(path);
  sample();
  clearInterval(sampler);
  return { name, value: highest / 1_048_576, unit: "MB" };
}

async function reads(paths: readonly string[]): Promise<BenchRow[]> {
  const each = (read: (path: string) => Promise<unknown> | unknown) => async () => {
    for (const path of paths) await read(path);
  };
  const kept = new Map(paths.map((path) => [path, keptLines(path)]));
  const bytes = paths.reduce((sum, path) => sum + fs.statSync(path).size, 0);
  const ours = await best(each(readAll));
  const bare = await best(each((path) => bareLoop(path, kept.get(path) ?? [])));
  const plain = await timed(each(readlineAndParse));
  return [
    { name: "read", value: bytes / 1_048_576 / (ours / 1000), unit: "MB/s" },
    { name: "readline + JSON.parse, in reads", value: plain / ours, unit: "ratio" },
    { name: "read, in bare split loops", value: ours / bare, unit: "ratio" },
  ];
}

async function readlineAndParse(path: string): Promise<void> {
  for await (const line of createInterface({ input: fs.createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY }))
    JSON.parse(line);
}

/** Per line, whether it is a user's or an assistant's. */
function keptLines(path: string): boolean[] {
  const kept: boolean[] = [];
  eachSlice(path, (bytes, start, end) => {
    const record: { type: string } = JSON.parse(bytes.toString("utf8", start, end));
    kept.push(record.type === "user" || record.type === "assistant");
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

function eachSlice(path: string, visit: (bytes: Buffer, start: number, end: number) => void): void {
  const bytes = fs.readFileSync(path);
  for (let start = 0, end = bytes.indexOf(10); end >= 0; start = end + 1, end = bytes.indexOf(10, start))
    visit(bytes, start, end);
}

async function scans(root: string, transcripts: number): Promise<BenchRow[]> {
  for (let i = 0; i < transcripts; i++) {
    const folder = join(root, `-home-sam-p${Math.floor(i / 8)}`);
    if (i % 8 === 0) fs.mkdirSync(folder, { recursive: true });
    const turn = record(
      "user",
      { message: { role: "user", content: `note ${i}` } },
      { cwd: `/home/sam/p${Math.floor(i / 8)}` },
    );
    fs.writeFileSync(join(folder, `s${i}.jsonl`), `${turn}\n`);
  }
  const book = emptyBook();
  const first = await timed(() => scan(planOf(root, book)));
  const again = await best(() => scan(planOf(root, book)));
  const walk = await best(() => walkAndStat(root));
  return [
    { name: `first scan of ${transcripts} transcripts`, value: first, unit: "ms" },
    { name: `scan of ${transcripts} unchanged transcripts`, value: again, unit: "ms" },
    { name: "that scan, in plain readdir + stat walks", value: again / walk, unit: "ratio" },
  ];
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

let records = 0;
let parent: string | null = null;

function record(type: string, body: object, more: object = {}): string {
  const uuid = `00000000-0000-4000-8000-${String(++records).padStart(12, "0")}`;
  const head = { parentUuid: parent, isSidechain: false };
  const tail = {
    uuid,
    timestamp: new Date(1_772_000_000_000 + records * 1000).toISOString(),
    userType: "external",
    entrypoint: "cli",
    cwd: "/home/sam/app",
    sessionId: "s",
    version: "2.1.332",
    ...more,
  };
  parent = uuid;
  // As the client writes them: a user record names its type first, the others behind their contents.
  return JSON.stringify(type === "user" ? { ...head, type, ...body, ...tail } : { ...head, ...body, type, ...tail });
}

const PROSE = 'Run "pnpm check" first,\n\tthen look at <b>src/cart.ts</b>: 金额统一用整数分存储. ';

function prose(bytes: number): string {
  return PROSE.repeat(Math.ceil(bytes / PROSE.length)).slice(0, bytes);
}

/** One exchange in the proportions measured on real sessions: a quarter of the bytes can hold words. */
function exchange(): string[] {
  const mark = (type: string) =>
    JSON.stringify({ type, sessionId: "00000000-0000-4000-8000-000000000000", value: "x" });
  const side = (type: string, bytes: number) =>
    JSON.stringify({ type, sessionId: "s", message: { role: "user", content: prose(bytes) } });
  const answer = (block: object) =>
    record("assistant", {
      message: {
        id: `msg_${records}`,
        role: "assistant",
        content: [block],
        usage: { input_tokens: 1, output_tokens: 2 },
      },
    });
  const result = prose(9_000);
  return [
    record("user", { message: { role: "user", content: prose(300) } }),
    record("attachment", { attachment: { type: "prompt_snapshot", systemPrompt: [prose(30_000)] } }),
    record("attachment", { attachment: { type: "skill_listing", content: prose(6_000) } }),
    side("api-request-shape", 18_000),
    side("api-request-blob", 11_000),
    answer({ type: "text", text: prose(900) }),
    answer({ type: "tool_use", id: `toolu_${records}`, name: "Bash", input: { command: "pnpm check" } }),
    record("user", {
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `toolu_${records - 1}`, content: result }],
      },
      toolUseResult: { stdout: result },
    }),
    answer({ type: "text", text: prose(900) }),
    record("system", { subtype: "turn_duration", durationMs: 1 }),
    JSON.stringify({ type: "last-prompt", lastPrompt: prose(200), sessionId: "s" }),
    ...[
      "mode",
      "permission-mode",
      "atis-latch",
      "tools-used",
      "file-history-snapshot",
      "api-request",
      "cost-state",
    ].map(mark),
  ];
}

function transcript(path: string, megabytes: number): string {
  parent = null;
  const fd = fs.openSync(path, "w");
  for (let written = 0; written < megabytes * 1_048_576; ) written += fs.writeSync(fd, `${exchange().join("\n")}\n`);
  fs.closeSync(fd);
  return path;
}

function longLine(path: string, megabytes: number): string {
  const result = { type: "tool_result", tool_use_id: "t", content: "Q".repeat(megabytes * 1_048_576) };
  fs.writeFileSync(
    path,
    `${exchange()[0]}\n${record("user", { message: { role: "user", content: [result] } })}\n${exchange()[0]}\n`,
  );
  return path;
}
