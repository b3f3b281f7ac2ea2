/** Runs the calls of a conversation, one after the other: reads are answered from the shelf, operations by the rules. */
import { clip, wellFormed } from "../../base/text.ts";
import type { Operation } from "../../memory/operation.ts";
import { PROPOSAL_LIMITS, parseOperation } from "../../memory/schema.ts";
import type { Home } from "../home.ts";
import { misfit, object, shown } from "./fits.ts";
import type { CallPart, ResultPart, Tool } from "./messages.ts";
import { OPERATION_TOOLS } from "./operation-tools.ts";
import { READ_TOOLS } from "./read-tools.ts";
import type { Shelf } from "./shelf.ts";

const BENCH_LIMITS = {
  /** The same call with the same input: answered twice, told at the third time, the end at the fourth. */
  sameCall: 3,
  /** Refusals of what rests on the same words, with nothing accepted in between. */
  attempts: 6,
  /** Operations judged in one run. */
  judged: 400,
  callsPerTurn: 40,
  /** Below what one message to the parent may hold, 64 KB. */
  operationBytes: 48_000,
} as const;

const FINISH = { description: "Ends the work. Call it alone.", schema: object({}) };
const OPERATIONS = new Map(Object.entries(OPERATION_TOOLS));

/** The same list, in the same order, in every request of every store: part of the cached prefix. */
export const TOOLS: readonly Tool[] = [...READ_TOOLS, ...OPERATIONS, ["finish", FINISH] as const].map(
  ([name, { description, schema }]) => ({ name, description, schema: shown(schema) }),
);

/** What the run has come to; it outlives a conversation that had to be begun anew. */
export interface Bench {
  readonly shelf: Shelf;
  readonly judge: Home["judge"];
  readonly accepted: Operation[];
  readonly seen: Map<string, number>;
  readonly refusals: Map<string, number>;
  judged: number;
}

export function benchOf(shelf: Shelf, judge: Home["judge"]): Bench {
  return { shelf, judge, accepted: [], seen: new Map(), refusals: new Map(), judged: 0 };
}

export interface Worked {
  readonly results: readonly ResultPart[];
  /** Why the conversation is over, or null. */
  readonly end: "finished" | "repeats-itself" | "too-many-operations" | null;
}

interface Said {
  readonly text: string;
  readonly isError: boolean;
  readonly end?: Worked["end"];
}

const no = (text: string): Said => ({ text, isError: true });

/** Every call gets an answer, also those that are not run. */
export async function work(bench: Bench, calls: readonly CallPart[]): Promise<Worked> {
  const results: ResultPart[] = [];
  let end: Worked["end"] = null;
  let refused = false;
  for (const [index, call] of calls.entries()) {
    const said = await answer(bench, call, { over: end !== null, late: index >= BENCH_LIMITS.callsPerTurn, refused });
    end ??= said.end ?? null;
    refused ||= said.isError;
    results.push({ type: "result", id: call.id, text: said.text, isError: said.isError });
  }
  return { results, end };
}

interface Course {
  readonly over: boolean;
  readonly late: boolean;
  readonly refused: boolean;
}

async function answer(bench: Bench, { name, input }: CallPart, course: Course): Promise<Said> {
  if (course.over) return no("Not run: the work is over.");
  if (course.late) return no(`Not run: at most ${BENCH_LIMITS.callsPerTurn} calls in one turn. Call it again.`);
  const key = `${name} ${canonical(input)}`;
  const times = (bench.seen.get(key) ?? 0) + 1;
  bench.seen.set(key, times);
  if (name === "finish") return finish(input, course.refused && times === 1);
  if (times > BENCH_LIMITS.sameCall)
    return { ...no("Not run: you repeat yourself. The work is over."), end: "repeats-itself" };
  if (times === BENCH_LIMITS.sameCall)
    return no("Not run: you made this very call twice before. Do something else, or finish.");
  const reader = READ_TOOLS.get(name);
  const operation = OPERATIONS.get(name);
  const schema = (reader ?? operation)?.schema;
  if (schema === undefined) return no(`There is no tool \`${clip(wellFormed(name), 60)}\`.`);
  const wrong = misfit(input, schema);
  if (wrong !== null) return no(`Not run: ${wrong}.`);
  const fields = { ...(input as Record<string, unknown>) };
  if (reader === undefined) return propose(bench, { op: name, ...fields });
  const text = reader.run(fields, bench.shelf);
  return text === null ? no("There is no such file: list shows them all.") : { text, isError: false };
}

/** A model that finishes in the breath in which it was refused has not read the reason; told once, it may. */
function finish(input: unknown, unread: boolean): Said {
  const wrong = misfit(input, FINISH.schema);
  if (wrong !== null) return no(`Not run: ${wrong}.`);
  if (unread) return no("Not yet: something was refused just now. Mend it or leave it, then call finish alone.");
  return { text: "Finished.", isError: false, end: "finished" };
}

async function propose(bench: Bench, value: Record<string, unknown>): Promise<Said> {
  const read = parseOperation(value);
  if ("refused" in read) return no(`refused: ${read.refused.rule}. ${read.refused.detail}`);
  const { operation } = read;
  if (bench.accepted.length >= PROPOSAL_LIMITS.operations)
    return no("Not judged: no more changes fit one run. Finish.");
  if (Buffer.byteLength(JSON.stringify(operation)) > BENCH_LIMITS.operationBytes)
    return no("Not judged: it is too long.");
  const about = subjectOf(operation);
  const refusals = bench.refusals.get(about) ?? 0;
  if (refusals >= BENCH_LIMITS.attempts) return no("Not judged: this was refused often enough. Leave it and go on.");
  bench.judged += 1;
  if (bench.judged > BENCH_LIMITS.judged)
    return { ...no("Too many operations. The work is over."), end: "too-many-operations" };
  const { accepted, rule, detail } = await bench.judge(operation);
  bench.refusals.set(about, accepted ? 0 : refusals + 1);
  if (!accepted) return no(`refused: ${rule}. ${detail}`);
  bench.accepted.push(operation);
  return { text: detail === "" ? "accepted" : detail, isError: false };
}

/** What an operation is an attempt at: the words that it rests on, however it is worded; else what it touches. */
function subjectOf(operation: Operation): string {
  if ("cites" in operation && operation.cites.length > 0)
    return operation.cites
      .map(({ utterance }) => utterance)
      .sort()
      .join(" ");
  return "topic" in operation ? `${operation.op} ${operation.topic}` : operation.op;
}

/** Equal inputs have equal texts, whatever the order of their keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`;
}
