/** What a distiller may propose. Operations, not files: code builds the files. */
import type { MemoryType } from "./model.ts";

/** A distiller's reference to words: the label of an utterance in the digest and words that stand there verbatim. */
export interface Cite {
  readonly utterance: string;
  readonly quote: string;
}

/** A resolved citation: what `why` shows and what evidence.jsonl keeps. */
export interface Citation {
  readonly session: string;
  readonly client: string;
  readonly file: string;
  readonly line: number;
  readonly record: string | null;
  readonly speaker: string;
  /** ISO 8601, or null when the record has no time. */
  readonly at: string | null;
  /** Redacted quote. */
  readonly quote: string;
}

interface Words {
  /** One fact, in the user's own wording, absolute dates. */
  readonly text: string;
  readonly why?: string | undefined;
  readonly how?: string | undefined;
  readonly cites: readonly Cite[];
}

export type Operation =
  | ({ readonly op: "add"; readonly topic: string; readonly unconfirmed?: boolean | undefined } & Words)
  | ({ readonly op: "revise"; readonly topic: string; readonly entry: string } & Words)
  | ({ readonly op: "merge"; readonly topic: string; readonly entries: readonly string[] } & Words)
  | {
      readonly op: "retire";
      readonly topic: string;
      readonly entry: string;
      readonly reason: string;
      readonly cites: readonly Cite[];
    }
  | {
      readonly op: "move";
      readonly topic: string;
      readonly entry: string;
      readonly to: string;
      readonly reason: string;
    }
  | {
      readonly op: "create-topic";
      readonly topic: string;
      readonly type: MemoryType;
      readonly title: string;
      readonly description: string;
    }
  | { readonly op: "describe-topic"; readonly topic: string; readonly description: string }
  | {
      readonly op: "ask";
      readonly text: string;
      readonly entries: readonly string[];
      readonly cites: readonly Cite[];
      /** The statement that the cited words would put in the entry's place. */
      readonly instead?: string | undefined;
    }
  | {
      readonly op: "draft-skill";
      readonly name: string;
      readonly description: string;
      readonly steps: readonly string[];
      readonly cites: readonly Cite[];
    };

export interface Proposal {
  readonly operations: readonly Operation[];
  /** Statements that the distiller weighed and left out, for `why-not`. */
  readonly passed?: readonly string[];
}

/** A refused operation: which rule, and words the distiller (or a person) can act on. */
export interface Violation {
  /** Stable word, for example `quote-not-found`. */
  readonly rule: string;
  readonly detail: string;
}

export interface Refusal extends Violation {
  /** `unknown`: what was sent is no operation that memd knows. */
  readonly operation: Operation["op"] | "unknown";
  /** The operation's text, clipped and redacted. */
  readonly text: string;
}

export interface AcceptedOperation {
  readonly operation: Operation;
  readonly citations: readonly Citation[];
}
