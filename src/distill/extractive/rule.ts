/** The shape of the rule tables: what a language contributes to telling a lasting statement from passing talk. */

/** What a piece of wording tells about a sentence. Positive cues speak for keeping it, negative ones against. */
export type Cue =
  | "ask"
  | "rule"
  | "norm"
  | "generic"
  | "order"
  | "scope"
  | "range"
  | "decision"
  | "owner"
  | "pointer"
  | "fact"
  | "states"
  | "label"
  | "because"
  | "dated"
  | "specific"
  | "date"
  | "profile"
  | "talk"
  | "tongue"
  | "polite"
  | "standing"
  | "confirm"
  | "praise"
  | "transient"
  | "task"
  | "question"
  | "bug"
  | "spec"
  | "doubt"
  | "report"
  | "complaint"
  | "restates";

/** The strongest match of a cue counts, so that three words for one thing do not outvote a question mark. */
export interface Rule {
  readonly cue: Cue;
  readonly weight: number;
  /** Anchored patterns are tried on the sentence without its lead-in ("Also, please ..."), others on the whole sentence. */
  readonly test: RegExp;
}

export interface Language {
  readonly rules: readonly Rule[];
  /** Words before the statement that carry none of it; anchored. */
  readonly lead: RegExp;
  /** A lead-in that starts another subject; anchored. */
  readonly shift: RegExp;
  /** A sentence that needs the one before it; anchored where it must be. */
  readonly anaphora: RegExp;
  /** What others accept or demand: after a decision or an instruction it is the ground for it. */
  readonly grounds: RegExp;
  /** A sentence that says nothing without one before it; anchored. */
  readonly orphan?: RegExp;
  /** The end of the sentence before, told apart: "In code, in docs, anywhere."; anchored. */
  readonly tail?: RegExp;
  /** Weight on what was said, and no words of its own: "Seriously." */
  readonly emphasis?: RegExp;
  /** What went wrong once: the ground of a rule. */
  readonly incident?: RegExp;
  /** A question that its speaker answers: "Who merges? I do."; anchored. */
  readonly topicQuestion?: RegExp;
  /** Words inside a sentence that point back to the one before. */
  readonly pointsBack: RegExp;
  /** A sentence that gives the reason of the one before; anchored. */
  readonly reason: RegExp;
  /** Where a reason starts inside a sentence; the match is the joint. */
  readonly because: RegExp;
  /** Words that announce a taught procedure. */
  readonly teach: RegExp;
  /** A heading whose list items are statements. */
  readonly heading: RegExp;
  /** The words say that something stands no longer or differs from before. */
  readonly change: RegExp;
  /** Patterns whose group 1 is a value that stands no longer. */
  readonly outdated: readonly RegExp[];
  /** Patterns whose group 1 is what the user takes back. */
  readonly withdrawn: readonly RegExp[];
  /** What holds instead of what was taken back, in the same sentence; anchored. */
  readonly instead?: RegExp;
  /** The user asks not to keep this. */
  readonly private: RegExp;
}
