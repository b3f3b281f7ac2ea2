/**
 * What the database could not take: one line of JSON per run, beside it. Appending is one write, so that several
 * processes share the file without a lock. The next database that works takes it over.
 */
import { basename, dirname, join } from "node:path";
import type { Files } from "../base/files.ts";
import { namesIn } from "../base/folders.ts";
import { isRecord, parseJson } from "../base/json.ts";
import type { RunReport } from "./report.ts";

export interface Item {
  readonly kind: "run";
  readonly report: RunReport;
}

export interface Pending {
  add(item: Item): void;
  all(): Item[];
  /** Hands all items to `take`; they go only when it did not throw. Items that come meanwhile stay. */
  takeOver(take: (items: readonly Item[]) => void): void;
  /** Replaces all items; not safe against a writer at the same moment, who may see their line stay. */
  rewrite(change: (item: Item) => Item): void;
}

const NAME = "ledger-pending";

/** @param ledger path of the database; `token` makes names unique among processes */
export function openPending(files: Files, ledger: string, token: () => string): Pending {
  const folder = dirname(ledger);
  const path = join(folder, `${NAME}.jsonl`);
  const add = (item: Item) => {
    files.mkdir(folder, 0o700);
    files.append(path, `${JSON.stringify(item)}\n`, 0o600);
  };
  const isPending = (name: string) => name.startsWith(NAME) && name.endsWith(".jsonl");
  const paths = () =>
    namesIn(files, folder)
      .filter(isPending)
      .map((name) => join(folder, name));
  const takeOver = (take: (items: readonly Item[]) => void) => {
    // Renamed first: a line that is appended from now on goes to a new file.
    if (files.lstat(path)) files.rename(path, join(folder, `${NAME}-${token()}.jsonl`));
    for (const taken of paths().filter((name) => basename(name) !== basename(path))) {
      take(read(files, taken));
      files.unlink(taken);
    }
  };
  return {
    add,
    takeOver,
    all: () => paths().flatMap((name) => read(files, name)),
    rewrite: (change) => {
      takeOver((items) => {
        for (const item of items) add(change(item));
      });
    },
  };
}

/** A line that a crash cut short is passed over: nothing can be learned from it. */
function read(files: Files, path: string): Item[] {
  const lines = files.read(path).toString("utf8").split("\n");
  return lines.map(parseJson).filter(isItem);
}

function isItem(value: unknown): value is Item {
  if (!isRecord(value)) return false;
  const { kind, report } = value;
  return kind === "run" && isRecord(report) && typeof report["id"] === "string" && Array.isArray(report["changes"]);
}
