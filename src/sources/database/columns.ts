/** What a client's database has: versions differ, and none is ever changed by memd. */
import type { Database } from "../../base/sqlite.ts";

/** Empty for a table that is not there. */
export function columnsOf(db: Database, table: string): ReadonlySet<string> {
  return new Set(db.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table));
}

/** Whether every named table has every named column. */
export function hasColumns(db: Database, needed: Readonly<Record<string, readonly string[]>>): boolean {
  return Object.entries(needed).every(([table, names]) => {
    const present = columnsOf(db, table);
    return names.every((name) => present.has(name));
  });
}
