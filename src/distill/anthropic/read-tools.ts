/** The tools that look into the brief: list, find, grep, read. Every answer is bounded, and a name that is not on the shelf is no path. */
import { clip } from "../../base/text.ts";
import { type ObjectSchema, object } from "./fits.ts";
import { quoted } from "./quoted.ts";
import type { Shelf, ShelfFile } from "./shelf.ts";

/** In one answer. */
const LIMITS = { rows: 100, matches: 40, rowChars: 300, lines: 150, chars: 12_000 } as const;

const NAME = { type: "string", maxLength: 200 } as const;
const START = { type: "integer", minimum: 1, maximum: 1_000_000 } as const;

interface ReadTool {
  readonly description: string;
  readonly schema: ObjectSchema;
  /** @param input fits the schema @returns what to say, or null when there is no such file */
  readonly run: (input: Input, shelf: Shelf) => string | null;
}

interface Input {
  readonly words?: string | null;
  readonly text?: string | null;
  readonly in?: string | null;
  readonly path?: string | null;
  readonly from?: number | null;
}

const fold = (text: string) => text.normalize("NFKC").toLowerCase();
const row = ({ path, about, lines }: ShelfFile) => clip(`${path} | ${lines.length} lines | ${about}`, LIMITS.rowChars);

/** Rows from `from` on, and how to get those that found no room. */
function page(rows: readonly string[], from: number, max: number): string {
  if (rows.length < from)
    return rows.length === 0 ? "nothing" : `nothing from row ${from} on: there are ${rows.length}`;
  const shown = rows.slice(from - 1, from - 1 + max);
  const left = rows.length - (from - 1) - shown.length;
  return `${quoted(shown.join("\n"))}${left > 0 ? `\n${left} more: ask from ${from + shown.length}` : ""}`;
}

function matches({ path, lines }: ShelfFile, text: string): string[] {
  return lines.flatMap((line, index) =>
    fold(line).includes(text) ? [clip(`${path}:${index + 1} | ${line}`, LIMITS.rowChars)] : [],
  );
}

/** Whole lines from `from` on, as many as fit; a line that alone is too long is clipped. */
function excerpt({ lines }: ShelfFile, from: number): string {
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines.slice(from - 1, from - 1 + LIMITS.lines)) {
    chars += line.length + 1;
    if (shown.length > 0 && chars > LIMITS.chars) break;
    shown.push(clip(line, LIMITS.chars));
  }
  if (shown.length === 0) return `nothing from line ${from} on: it has ${lines.length}`;
  const next = from + shown.length;
  return `${quoted(shown.join("\n"))}${next <= lines.length ? `\n${lines.length - next + 1} more lines: read from ${next}` : ""}`;
}

export const READ_TOOLS: ReadonlyMap<string, ReadTool> = new Map<string, ReadTool>([
  [
    "list",
    {
      description: "Lists the files of the brief: sessions/, memory/ and context/ (the project's instruction files).",
      schema: object({ from: START }, []),
      run: ({ from }, shelf) => page(Array.from(shelf.values(), row), from ?? 1, LIMITS.rows),
    },
  ],
  [
    "find",
    {
      description: "Finds files whose name, topic or description holds all of the words.",
      schema: object({ words: NAME, from: START }, ["words"]),
      run: ({ words, from }, shelf) => {
        const wanted = fold(words ?? "").split(/\s+/);
        const found = Array.from(shelf.values(), row).filter((line) =>
          wanted.every((word) => fold(line).includes(word)),
        );
        return page(found, from ?? 1, LIMITS.rows);
      },
    },
  ],
  [
    "grep",
    {
      description:
        "Finds lines that hold a text, letter case aside; no patterns. `in` is the start of a path, for example memory/.",
      schema: object({ text: { type: "string", maxLength: 200 }, in: NAME, from: START }, ["text"]),
      run: ({ text, in: within, from }, shelf) => {
        const wanted = fold(text ?? "").trim();
        if (wanted === "") return "nothing";
        const files = Array.from(shelf.values()).filter(({ path }) => path.startsWith(within ?? ""));
        return page(
          files.flatMap((file) => matches(file, wanted)),
          from ?? 1,
          LIMITS.matches,
        );
      },
    },
  ],
  [
    "read",
    {
      description:
        "Reads a file by its name in the list, from a line on. Entries of topics have their ids in the margin.",
      schema: object({ path: NAME, from: START }, ["path"]),
      run: ({ path, from }, shelf) => {
        const file = shelf.get(path ?? "");
        return file ? excerpt(file, from ?? 1) : null;
      },
    },
  ],
]);
