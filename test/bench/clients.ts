/** How fast each client's sessions are read, beside a plain loop that only parses them, and in how little memory. */
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import { isRecord } from "../../src/base/json.ts";
import { unzstd } from "../sources/openclaw-world.ts";
import { CLIENT_FILES, type ClientFile } from "./client-files.ts";
import { readEverything, sourceFor } from "./read-client.ts";
import { atMost, type BenchRow, least } from "./row.ts";
import { eachSlice } from "./sources.ts";

export interface ClientBench {
  /** Scratch folder, made here. */
  readonly folder: string;
  /** Size of the generated sessions, per client. */
  readonly megabytes: number;
  /** The built peak-client.ts. */
  readonly peak: string;
}

export async function* benchClients({ folder, megabytes, peak }: ClientBench): AsyncGenerator<BenchRow> {
  for (const sample of CLIENT_FILES) {
    if (sample.query !== undefined && !hasSqlite()) continue;
    const root = join(folder, sample.client);
    const path = join(root, sample.path);
    sample.write(path, megabytes);
    yield* speed(sample, root, path);
    yield* memory(sample, { root, path, megabytes, peak });
    fs.rmSync(root, { recursive: true });
  }
}

/** Without the optional driver there is nothing to compare. */
function hasSqlite(): boolean {
  try {
    createRequire(import.meta.url).resolve("better-sqlite3");
    return true;
  } catch (error) {
    if (isRecord(error) && error["code"] === "MODULE_NOT_FOUND") return false;
    throw error;
  }
}

async function* speed({ client, query }: ClientFile, root: string, path: string): AsyncGenerator<BenchRow> {
  let seen = { units: 0, turns: 0 };
  const plain = query === undefined ? () => parseLines(path) : () => parseRows(path, query);
  const { ours, bare } = await least(3, {
    ours: async () => {
      seen = await readEverything(sourceFor(client), root);
    },
    bare: plain,
  });
  if (seen.turns === 0) throw new Error(`${client}: no turn was found`);
  const [amount, unit] =
    query === undefined ? [fs.statSync(path).size / 1_048_576, "MB/s" as const] : [seen.units, "rows/s" as const];
  yield { name: `read ${client}`, value: amount / (ours.wall / 1_000), unit };
  yield atMost(3, { name: "  in plain loops that only parse", value: ours.cpu / bare.cpu, unit: "x" });
}

function parseLines(path: string): void {
  eachSlice(path, (bytes, start, end) => JSON.parse(bytes.toString("utf8", start, end)));
}

function parseRows(path: string, query: string): void {
  const Driver: typeof BetterSqlite3 = createRequire(import.meta.url)("better-sqlite3");
  const db = new Driver(path, { readonly: true });
  for (const row of db.prepare(query).raw().iterate()) {
    const [text, packed] = row as [string | null, Buffer | null];
    JSON.parse(text ?? (packed === null ? "null" : unzstd(packed).toString("utf8")));
  }
  db.close();
}

/** In processes of their own, since memory that another bench left would count; the second over a quarter of it: what grows is not flat. */
function* memory(
  sample: ClientFile,
  { root, path, megabytes, peak }: { root: string; path: string; megabytes: number; peak: string },
): Generator<BenchRow> {
  const measure = (): number => {
    const { stdout, stderr } = spawnSync(process.execPath, [peak, sample.client, root], { encoding: "utf8" });
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout).megabytes;
  };
  const whole = measure();
  fs.rmSync(root, { recursive: true });
  sample.write(path, megabytes / 4);
  const quarter = measure();
  yield atMost(250, { name: `  peak memory over ${megabytes} MB`, value: whole, unit: "MB" });
  yield { name: `  peak memory over ${megabytes / 4} MB`, value: quarter, unit: "MB" };
}
