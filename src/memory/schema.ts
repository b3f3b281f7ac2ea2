/** From whatever a distiller sent to a proposal: strict about shape, bounded, and nothing but own keys is ever read. */
import { isRecord } from "../base/json.ts";
import { clip, stripInvisible, wellFormed } from "../base/text.ts";
import { secretsIn } from "../digest/redact.ts";
import { MEMORY_TYPES, type MemoryType } from "./model.ts";
import type { Cite, Operation, Proposal, Refusal } from "./operation.ts";

/** Hand-written instead of zod: loading zod costs 92 ms in every child and command, these checks cost none. */
export const PROPOSAL_LIMITS = {
  operations: 200,
  textChars: 2_000,
  // One fact that every client was told: each of them is a citation.
  cites: 16,
  quoteChars: 1_000,
  nameChars: 200,
  itemChars: 400,
  entries: 40,
  passed: 200,
  steps: 20,
} as const;

export type ParsedProposal =
  | { readonly proposal: Proposal; readonly refused: readonly Refusal[] }
  | { readonly malformed: string };

/** One operation while it is read. The first wrong field is noted; what its reader returns is then never used. */
interface Shape {
  readonly fields: Readonly<Record<string, unknown>>;
  problem: string | null;
}

function own(fields: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function note(shape: Shape, key: string, wanted: string): void {
  shape.problem ??= `\`${key}\` must be ${wanted}`;
}

/** Line breaks and tabs become blanks: an entry is one line, and a model often breaks long ones. */
function text(shape: Shape, key: string, max: number = PROPOSAL_LIMITS.textChars): string {
  const value = own(shape.fields, key);
  if (typeof value !== "string") note(shape, key, "a text");
  else if (value.length > max) note(shape, key, `at most ${max} characters long`);
  else if (wellFormed(value) !== value) note(shape, key, "well-formed Unicode");
  else {
    const folded = value.replace(/[ \t\n]+/g, " ").trim();
    if (folded !== "") return folded;
    note(shape, key, "not empty");
  }
  return "";
}

function optionalText(shape: Shape, key: string): string | undefined {
  const value = own(shape.fields, key);
  return value === undefined || value === null || value === "" ? undefined : text(shape, key);
}

const name = (shape: Shape, key: string) => text(shape, key, PROPOSAL_LIMITS.nameChars);

/** A topic is named by its slug; models often give the file name, which means the same. */
const topic = (shape: Shape, key: string) => name(shape, key).replace(/\.md$/, "");

function list(shape: Shape, key: string, max: number): readonly unknown[] {
  const value = own(shape.fields, key) ?? [];
  if (Array.isArray(value) && value.length <= max) return Array.from(value);
  note(shape, key, `a list of at most ${max}`);
  return [];
}

function texts(shape: Shape, key: string, max: number): string[] {
  return list(shape, key, max).map((value) => {
    const item: Shape = { fields: { [key]: value }, problem: null };
    const read = text(item, key, PROPOSAL_LIMITS.itemChars);
    shape.problem ??= item.problem;
    return read;
  });
}

function cites(shape: Shape): Cite[] {
  return list(shape, "cites", PROPOSAL_LIMITS.cites).map((value) => {
    const item: Shape = { fields: isRecord(value) ? value : {}, problem: null };
    const read = { utterance: name(item, "utterance"), quote: text(item, "quote", PROPOSAL_LIMITS.quoteChars) };
    shape.problem ??= item.problem;
    return read;
  });
}

function memoryType(shape: Shape): MemoryType {
  const value = own(shape.fields, "type");
  const found = MEMORY_TYPES.find((type) => type === value);
  if (!found) note(shape, "type", `one of ${MEMORY_TYPES.join(", ")}`);
  return found ?? "project";
}

function words(shape: Shape) {
  return {
    text: text(shape, "text"),
    why: optionalText(shape, "why"),
    how: optionalText(shape, "how"),
    cites: cites(shape),
  };
}

const READERS: { readonly [Op in Operation["op"]]: (shape: Shape) => Extract<Operation, { op: Op }> } = {
  add: (s) => ({
    op: "add",
    topic: topic(s, "topic"),
    unconfirmed: own(s.fields, "unconfirmed") === true,
    ...words(s),
  }),
  revise: (s) => ({ op: "revise", topic: topic(s, "topic"), entry: name(s, "entry"), ...words(s) }),
  merge: (s) => ({
    op: "merge",
    topic: topic(s, "topic"),
    entries: texts(s, "entries", PROPOSAL_LIMITS.entries),
    ...words(s),
  }),
  retire: (s) => ({
    op: "retire",
    topic: topic(s, "topic"),
    entry: name(s, "entry"),
    reason: text(s, "reason"),
    cites: cites(s),
  }),
  move: (s) => ({
    op: "move",
    topic: topic(s, "topic"),
    entry: name(s, "entry"),
    to: topic(s, "to"),
    reason: text(s, "reason"),
  }),
  "create-topic": (s) => ({
    op: "create-topic",
    topic: topic(s, "topic"),
    type: memoryType(s),
    title: text(s, "title"),
    description: text(s, "description"),
  }),
  "describe-topic": (s) => ({
    op: "describe-topic",
    topic: topic(s, "topic"),
    description: text(s, "description"),
  }),
  ask: (s) => ({
    op: "ask",
    text: text(s, "text"),
    entries: texts(s, "entries", PROPOSAL_LIMITS.entries),
    cites: cites(s),
  }),
  "draft-skill": (s) => ({
    op: "draft-skill",
    name: name(s, "name"),
    description: text(s, "description"),
    steps: texts(s, "steps", PROPOSAL_LIMITS.steps),
    cites: cites(s),
  }),
};

function isOp(value: unknown): value is Operation["op"] {
  return typeof value === "string" && Object.hasOwn(READERS, value);
}

/** What a person may be shown of an operation that could not even be read. */
function excerpt(value: unknown): string {
  for (const key of ["text", "description", "reason", "topic", "op"]) {
    const found = isRecord(value) ? own(value, key) : undefined;
    if (typeof found !== "string") continue;
    const plain = wellFormed(stripInvisible(found.slice(0, 500)));
    return secretsIn(plain).length > 0 ? "[redacted]" : clip(plain, 120);
  }
  return "";
}

/**
 * Reads one operation.
 * @returns the operation, or a refusal `unknown-operation` or `bad-operation` whose detail names the field
 */
export function parseOperation(value: unknown): { operation: Operation } | { refused: Refusal } {
  const op = isRecord(value) ? own(value, "op") : undefined;
  if (!isRecord(value) || !isOp(op)) {
    const detail = `known operations: ${Object.keys(READERS).join(", ")}`;
    return { refused: { operation: "unknown", rule: "unknown-operation", detail, text: excerpt(value) } };
  }
  const shape: Shape = { fields: value, problem: null };
  const operation = READERS[op](shape);
  if (shape.problem === null) return { operation };
  return { refused: { operation: op, rule: "bad-operation", detail: shape.problem, text: excerpt(value) } };
}

/**
 * Reads a proposal: `{operations: [...]}`. One unreadable operation is refused and sinks no other; only a proposal that has no
 * list of operations is malformed. Operations past the limit are refused as `too-many-operations`; what the distiller passed over comes
 * as `not-proposed`.
 */
export function parseProposal(value: unknown): ParsedProposal {
  const operations = isRecord(value) ? own(value, "operations") : undefined;
  if (!Array.isArray(operations)) return { malformed: "a proposal is an object with a list `operations`" };
  const parsed = Array.from({ length: Math.min(operations.length, PROPOSAL_LIMITS.operations) }, (_, i) =>
    parseOperation(operations[i]),
  );
  const refused = parsed.flatMap((one) => ("refused" in one ? [one.refused] : []));
  if (operations.length > PROPOSAL_LIMITS.operations) {
    const detail = `${operations.length} operations, at most ${PROPOSAL_LIMITS.operations} are read`;
    refused.push({ operation: "unknown", rule: "too-many-operations", detail, text: "" });
  }
  refused.push(...passedOver(isRecord(value) ? own(value, "passed") : undefined));
  return { proposal: { operations: parsed.flatMap((one) => ("operation" in one ? [one.operation] : [])) }, refused };
}

/** What was weighed and left out can be asked for like what was refused. */
function passedOver(value: unknown): Refusal[] {
  if (!Array.isArray(value)) return [];
  const detail = "the distiller weighed it and left it out";
  return value.slice(0, PROPOSAL_LIMITS.passed).flatMap((statement): Refusal[] => {
    const text = excerpt({ text: statement });
    return text === "" ? [] : [{ operation: "add", rule: "not-proposed", detail, text }];
  });
}
