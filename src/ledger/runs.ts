/** Runs in the database: recorded whole, read back whole. */
import type { Database } from "../base/sqlite.ts";
import type { Change } from "../memory/changeset.ts";
import type { Citation, Refusal } from "../memory/operation.ts";
import { type RunReport, type RunSummary, summaryOf } from "./report.ts";
import { type Found, HISTORY, type Verbs } from "./verbs.ts";
import { indexText } from "./words.ts";

interface RunRow {
  readonly id: string;
  readonly report: string;
}

export interface ChangeRow {
  readonly id: number;
  readonly operation: Change["operation"];
  readonly topic: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly reason: string;
}

export function recordRun(db: Database, report: RunReport): void {
  const record = db.transaction(() => {
    dropRun(db, report.id);
    const { operations, ...rest } = summaryOf(report);
    const bare = JSON.stringify({ ...rest, operations: { ...operations, rejected: [] } });
    const { id, store, cause, distiller, outcome, reason, code, startedAt, finishedAt } = report;
    db.prepare("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      ...[id, store, cause, distiller, outcome, reason, code, startedAt, finishedAt, bare],
    );
    for (const change of report.changes) insertChange(db, id, change);
    for (const refusal of operations.rejected) insertRefusal(db, id, refusal);
  });
  record.immediate();
}

/** The word indexes are not reached by a cascade. */
export function dropRun(db: Database, run: string): void {
  db.prepare("DELETE FROM change_words WHERE rowid IN (SELECT id FROM changes WHERE run = ?)").run(run);
  db.prepare("DELETE FROM refused_words WHERE rowid IN (SELECT id FROM refused WHERE run = ?)").run(run);
  db.prepare("DELETE FROM runs WHERE id = ?").run(run);
}

function insertChange(db: Database, run: string, change: Change): void {
  const { operation, topic, before, after, reason, citations } = change;
  const values = [run, operation, topic, before, after, reason];
  const insert = db.prepare(
    "INSERT INTO changes (run, operation, topic, before, after, reason) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const { lastInsertRowid } = insert.run(...values);
  const cite = db.prepare("INSERT INTO citations VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const { session, client, file, line, record, speaker, at, quote } of citations) {
    cite.run(lastInsertRowid, session, client, file, line, record, speaker, at, quote);
  }
  indexChange(db, lastInsertRowid, [before, after, reason, topic, ...citations.map(({ quote }) => quote)]);
}

function insertRefusal(db: Database, run: string, { operation, rule, detail, text }: Refusal): void {
  const insert = db.prepare("INSERT INTO refused (run, operation, rule, detail, text) VALUES (?, ?, ?, ?, ?)");
  indexRefusal(db, insert.run(run, operation, rule, detail, text).lastInsertRowid, text);
}

export function indexChange(db: Database, id: number | bigint, parts: readonly (string | null)[]): void {
  db.prepare("INSERT INTO change_words (rowid, text) VALUES (?, ?)").run(id, indexText(parts));
}

export function indexRefusal(db: Database, id: number | bigint, text: string): void {
  db.prepare("INSERT INTO refused_words (rowid, text) VALUES (?, ?)").run(id, indexText([text]));
}

export function history(db: Database, { stores, limit }: Parameters<Verbs["history"]>[0]): RunSummary[] {
  const wanted = stores ? JSON.stringify(stores) : null;
  const rows = db.prepare<[string | null, string | null, number], RunRow>(
    `SELECT id, report FROM runs WHERE ? IS NULL OR store IN (SELECT value FROM json_each(?)) ORDER BY started DESC, id DESC LIMIT ?`,
  );
  return rows.all(wanted, wanted, limit ?? HISTORY).map((row) => summaryFrom(db, row));
}

export function find(db: Database, wanted: string, store: string | undefined): Found {
  const where = "(? IS NULL OR store = ?)";
  const mine = [store ?? null, store ?? null];
  const rows =
    wanted === "last"
      ? db
          .prepare<unknown[], RunRow>(
            `SELECT id, report FROM runs WHERE ${where} ORDER BY started DESC, id DESC LIMIT 1`,
          )
          .all(...mine)
      : db
          .prepare<unknown[], RunRow>(
            `SELECT id, report FROM runs WHERE ${where} AND substr(id, 1, length(?)) = ? AND ? <> '' ORDER BY id LIMIT 20`,
          )
          .all(...mine, wanted, wanted, wanted);
  const only = rows.length === 1 ? rows[0] : rows.find((row) => row.id === wanted);
  if (only) return { state: "found", run: { ...summaryFrom(db, only), changes: changesOf(db, only.id) } };
  return rows.length === 0 ? { state: "none" } : { state: "ambiguous", ids: rows.map((row) => row.id) };
}

export function changesOf(db: Database, run: string): Change[] {
  const rows = db.prepare<[string], ChangeRow>("SELECT * FROM changes WHERE run = ? ORDER BY id").all(run);
  return rows.map((row) => changeFrom(db, row));
}

export function changeFrom(db: Database, { id, operation, topic, before, after, reason }: ChangeRow): Change {
  const cited = db.prepare<[number], Citation>(
    "SELECT session, client, file, line, record, speaker, at, quote FROM citations WHERE change = ? ORDER BY id",
  );
  return { operation, topic, before, after, reason, citations: cited.all(id) };
}

/** The report was written by `recordRun`, so its shape is known. */
function summaryFrom(db: Database, row: RunRow): RunSummary {
  const summary: RunSummary = JSON.parse(row.report);
  const refused = db.prepare<[string], Refusal>(
    "SELECT operation, rule, detail, text FROM refused WHERE run = ? ORDER BY id",
  );
  return { ...summary, operations: { ...summary.operations, rejected: refused.all(row.id) } };
}
