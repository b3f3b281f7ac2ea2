/** What a rule is: a pure function over one operation and what is known, and the one question it answers. */
import type { DigestUtterance } from "../../digest/digest.ts";
import type { Entry, MemoryTree, Topic } from "../model.ts";
import type { Operation, Violation } from "../operation.ts";
import type { Evidence } from "./evidence.ts";
import type { ResolvedCite } from "./quote.ts";

/** Who wrote an entry, and since when it stands: `foreignSince` is an ISO time, null when it is not known (long ago). */
export interface Origin {
  readonly by: "ours" | "agent" | "person";
  readonly foreignSince: string | null;
}

/** Word sets of the digest by who said them, made once per run. */
export interface Voices {
  readonly user: ReadonlySet<string>;
  readonly userTexts: readonly string[];
  readonly others: readonly { readonly utterance: DigestUtterance; readonly terms: ReadonlySet<string> }[];
}

/** What does not change while a proposal is judged. */
export interface World {
  /** ISO time of the run. */
  readonly now: string;
  readonly voices: Voices;
  /** Lines of the project's instruction files with their terms. */
  readonly known: readonly { readonly file: string; readonly line: string; readonly terms: ReadonlySet<string> }[];
  /** True for the `statementKey` of a statement that the user forgot or undid. */
  readonly isTombstone: (key: string) => boolean;
  readonly originOf: (topic: Topic, entry: Entry) => Origin;
  /** How long foreign text is left alone, in ms. */
  readonly foreignRest: number;
}

/** What a rule sees of one operation. */
export interface Case {
  readonly world: World;
  /** The memory as changed by the operations accepted so far. */
  readonly tree: MemoryTree;
  readonly cites: readonly ResolvedCite[];
  /** The topic that the operation names, if it exists. */
  readonly topic: Topic | null;
  /** The entries that it names, as far as they exist there. */
  readonly entries: readonly Entry[];
  readonly evidence: Evidence;
}

export type Rule = (operation: Operation, given: Case) => Violation | null;

export function violation(rule: string, detail: string): Violation {
  return { rule, detail };
}

/** What the operation would write as facts: statement, reason, use; of a skill its description and steps. */
export function claimsOf(operation: Operation): string[] {
  switch (operation.op) {
    case "add":
    case "revise":
    case "merge":
      return [operation.text, operation.why, operation.how].filter((claim) => claim !== undefined);
    case "draft-skill":
      return [operation.description, ...operation.steps];
    default:
      return [];
  }
}

/** Every text of the operation that a person or an agent would ever read. */
export function wordsOf(operation: Operation): string[] {
  switch (operation.op) {
    case "create-topic":
      return [operation.title, operation.description];
    case "describe-topic":
      return [operation.description];
    case "ask":
      return [operation.text];
    case "retire":
    case "move":
      return [operation.reason];
    case "draft-skill":
      return [operation.name, ...claimsOf(operation)];
    default:
      return claimsOf(operation);
  }
}

/** The new statement; null for operations that write none. */
export function statementOf(operation: Operation): string | null {
  return operation.op === "add" || operation.op === "revise" || operation.op === "merge" ? operation.text : null;
}
