/** Stories about the database need SQLite's native part, which a machine without a compiler does not have. */
import { createRequire } from "node:module";
import { describe } from "vitest";

function loads(): boolean {
  try {
    const Database = createRequire(import.meta.url)("better-sqlite3");
    new Database(":memory:").close();
    return true;
  } catch (error) {
    console.warn(
      `SKIPPED: SQLite's native part does not load here, so its stories are not told (${error instanceof Error ? error.message.split("\n")[0] : error})`,
    );
    return false;
  }
}

export const hasSqlite = loads();

/** Like `describe`, skipped and said so where SQLite does not load. */
export const describeWithSqlite = describe.skipIf(!hasSqlite);
