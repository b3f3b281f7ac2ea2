/** Takes one run's index lines back. Lines changed since stay; what must hold is that pointers lead to files and files are named. */
import { type IndexLine, parseIndex } from "../memory/index-lines.ts";
import type { UndoFile } from "./manifest.ts";
import { threeWay } from "./three-way.ts";

/** What the undo does to the topics that pointers lead to. */
export interface TopicFates {
  readonly gone: ReadonlySet<string>;
  /** Topics that come back, or stay because someone added to them. */
  readonly present: readonly string[];
}

export interface UndoneIndex {
  readonly text: string | null;
  readonly exact: boolean;
  /** Others' pointers to topics that go. */
  readonly archived: readonly string[];
}

const lines = (text: string | null) => (text ?? "").split(/(?<=\n)/).filter((line) => line !== "");
const join = (parsed: readonly IndexLine[]) => parsed.map((line) => line.text + line.eol).join("");
const names = (line: IndexLine, file: string) => line.targets.includes(file);

/** Text of the index with this run's lines taken back, before its pointers are looked at. */
function merged(undo: UndoFile | undefined, current: string | null): string | null {
  if (!undo || current === undo.before) return current;
  if (current === undo.after) return undo.before;
  if (current === null) return undo.before;
  const texts = { base: lines(undo.after), target: lines(undo.before), current: lines(current) };
  return threeWay(texts, "current").units.join("");
}

/** Pointer lines that are needed and missing, as they stood now or before the run. */
function missing(text: string, fates: TopicFates, sources: readonly (string | null)[]): IndexLine[] {
  const here = parseIndex(text);
  const known = sources.flatMap((source) => parseIndex(source ?? ""));
  return fates.present.flatMap((file) => {
    if (here.some((line) => names(line, file))) return [];
    return known.find((line) => line.kind === "pointer" && names(line, file)) ?? [];
  });
}

/** @param undo the index as the run changed it; undefined when it did not */
export function undoIndex(undo: UndoFile | undefined, current: string | null, fates: TopicFates): UndoneIndex {
  const text = merged(undo, current);
  const parsed = parseIndex(text ?? "");
  const dead = parsed.filter(
    (line) => line.kind === "pointer" && line.targets.some((target) => fates.gone.has(target)),
  );
  const kept = join(parsed.filter((line) => !dead.includes(line)));
  const added = missing(kept, fates, [current, undo?.before ?? null]);
  const open = kept !== "" && !kept.endsWith("\n") && added.length > 0 ? "\n" : "";
  const full = kept + open + added.map((line) => `${line.text}\n`).join("");
  const result = full === "" && text === null ? null : full;
  // A created index of which nothing is left goes with the run.
  const empty = undo?.before === null && full.trim() === "";
  return {
    text: empty ? null : result,
    exact: current === undo?.after && result === undo?.before,
    archived: dead.map((line) => line.text),
  };
}
