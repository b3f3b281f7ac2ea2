/** The first words of the conversation: all that belongs to this store and this run, so that what stands before them never changes. */
import { clip, estimateTokens, oneLine } from "../../base/text.ts";
import { termsOf } from "../../memory/language/words.ts";
import type { Operation } from "../../memory/operation.ts";
import type { Brief } from "../../ports.ts";
import type { Candidate } from "./candidate.ts";
import { margined, quoted } from "./quoted.ts";
import { aboutTopic, type Shelf, topicLines } from "./shelf.ts";

/** Estimated tokens of the parts of an opening. */
export interface Room {
  readonly candidates: number;
  readonly memory: number;
  readonly context: number;
}

export interface Opening {
  readonly text: string;
  /** How many of the candidates it holds, from the first. */
  readonly held: number;
}

/** @param done what was accepted in conversations before this one */
export function openingOf(
  { brief, shelf }: { readonly brief: Brief; readonly shelf: Shelf },
  { candidates, done }: { readonly candidates: readonly Candidate[]; readonly done: readonly Operation[] },
  room: Room,
): Opening {
  const { lines, held } = fitting(candidates.map(candidateLines), room.candidates);
  const sections = [
    "# Instruction files of the project: they win over memory",
    ...contextLines(shelf, room.context),
    "# Memory: topics, and their entries behind their ids",
    ...memoryLines(brief, candidates.slice(0, held), room.memory),
    "# Candidates",
    ...lines,
  ];
  const already =
    done.length === 0 ? "" : `\n\n${done.length} changes of yours are accepted already: ${doneWords(done)}.`;
  return {
    text: `Today is ${brief.now.slice(0, 10)}. The brief holds ${shelf.size} files.\n\n${quoted(sections.join("\n"))}${already}\n\nWork through the ${held} candidates, then call finish.`,
    held,
  };
}

/** What was made is no longer shown by the shelf, which is the memory as it was. */
function doneWords(done: readonly Operation[]): string {
  const made = done.flatMap((operation) => (operation.op === "create-topic" ? [operation.topic] : []));
  return made.length === 0 ? "do not repeat them" : `do not repeat them; topics made: ${made.join(", ")}`;
}

/** Groups of lines from the first on, as long as they fit; the first always does. */
function fitting(groups: readonly (readonly string[])[], tokens: number): { lines: string[]; held: number } {
  const lines: string[] = [];
  let left = tokens;
  for (const [held, group] of groups.entries()) {
    left -= estimateTokens(group.join("\n"));
    if (left < 0 && held > 0) return { lines, held };
    lines.push(...group);
  }
  return { lines, held: groups.length };
}

function candidateLines({ statement, type, why, says, confidence, quotes }: Candidate, index: number): string[] {
  const name = `C${index + 1}`;
  // The person's own words are the best statement, and stand below already: said twice, they would be paid for in every turn.
  const isQuoted = quotes.some(({ quote }) => quote === statement);
  return [
    `${name} ${type}, ${says}, ${confidence} | ${isQuoted ? "as quoted" : statement}`,
    ...(why === "" ? [] : [`${name} why | ${why}`]),
    ...quotes.flatMap(({ utterance, quote }) => margined(`${name} quote ${utterance}`, quote)),
  ];
}

function contextLines(shelf: Shelf, tokens: number): string[] {
  const files = Array.from(shelf.values()).filter(({ path }) => path.startsWith("context/"));
  if (files.length === 0) return ["none"];
  const rows = files.flatMap(({ path, lines }) => lines.map((line) => [clip(`${path}:${line}`, 400)]));
  const { lines, held } = fitting(rows, tokens);
  return held < rows.length
    ? [...lines, `${rows.length - held} more lines: read them before you add what they may say`]
    : lines;
}

/** Topics nearest to the candidates with their entries; the rest by what they are about. */
function memoryLines({ memory }: Brief, candidates: readonly Candidate[], tokens: number): string[] {
  if (memory.topics.length === 0) return ["nothing yet"];
  const wanted = new Set(candidates.flatMap(({ statement }) => Array.from(termsOf(statement))));
  const nearest = memory.topics
    .map((topic) => ({ topic, shared: Array.from(termsOf(topic.text)).filter((term) => wanted.has(term)).length }))
    .sort((a, b) => b.shared - a.shared)
    .map(({ topic }) => topic);
  const groups = nearest.map((topic) => [aboutTopic(topic), ...topicLines(topic)]);
  const { lines, held } = fitting(groups, tokens);
  const rest = nearest.slice(held).map((topic) => [oneLine(clip(aboutTopic(topic), 200))]);
  const listed = fitting(rest, tokens / 2);
  const unlisted = rest.length - listed.held;
  return [...lines, ...listed.lines, ...(unlisted > 0 ? [`${unlisted} more topics: find or list them`] : [])];
}
