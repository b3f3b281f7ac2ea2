/** The ledger's tables. A released script is never edited: a change is a further script. */

/**
 * A run's changes and refusals stand in tables of their own, not in `runs.report`: what is forgotten is then a row to delete.
 * The word indexes keep no text (`content=''`) and share their row ids with the table they index.
 */
const FIRST = `
CREATE TABLE runs (
  id TEXT PRIMARY KEY, store TEXT NOT NULL, cause TEXT NOT NULL, distiller TEXT NOT NULL, outcome TEXT NOT NULL,
  reason TEXT, code TEXT, started TEXT NOT NULL, finished TEXT NOT NULL, report TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_time ON runs (started, id);

CREATE TABLE changes (
  id INTEGER PRIMARY KEY, run TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, operation TEXT NOT NULL,
  topic TEXT NOT NULL, before TEXT, after TEXT, reason TEXT NOT NULL
) STRICT;
CREATE INDEX changes_by_run ON changes (run);

CREATE TABLE citations (
  id INTEGER PRIMARY KEY, change INTEGER NOT NULL REFERENCES changes ON DELETE CASCADE, session TEXT NOT NULL,
  client TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, record TEXT, speaker TEXT NOT NULL, at TEXT,
  quote TEXT NOT NULL
) STRICT;
CREATE INDEX citations_by_change ON citations (change);

CREATE TABLE refused (
  id INTEGER PRIMARY KEY, run TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, operation TEXT NOT NULL,
  rule TEXT NOT NULL, detail TEXT NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE INDEX refused_by_run ON refused (run);

CREATE TABLE spend (
  id TEXT PRIMARY KEY, at INTEGER NOT NULL, run TEXT NOT NULL, store TEXT NOT NULL, requests INTEGER NOT NULL,
  tokens INTEGER NOT NULL, usd REAL NOT NULL
) STRICT;
CREATE INDEX spend_by_time ON spend (at);

CREATE TABLE cache (key TEXT PRIMARY KEY, value TEXT NOT NULL, bytes INTEGER NOT NULL, used INTEGER NOT NULL) STRICT;

CREATE VIRTUAL TABLE change_words USING fts5(text, content='', contentless_delete=1, tokenize='unicode61');
CREATE VIRTUAL TABLE refused_words USING fts5(text, content='', contentless_delete=1, tokenize='unicode61');
`;

/** What was spent lies in files of its own: caps must hold where there is no database. */
const SECOND = "DROP TABLE spend;";

export const MIGRATIONS: readonly string[] = [FIRST, SECOND];
