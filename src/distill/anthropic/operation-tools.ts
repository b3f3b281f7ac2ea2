/**
 * One tool per kind of operation; the limits are those of the proposal that they become. Drafts of skills are not offered: nothing keeps
 * them yet, and a procedure that went into one would be lost.
 */
import { MEMORY_TYPES } from "../../memory/model.ts";
import type { Operation } from "../../memory/operation.ts";
import { PROPOSAL_LIMITS } from "../../memory/schema.ts";
import { type ObjectSchema, object, type Schema } from "./fits.ts";

interface OperationTool {
  readonly description: string;
  readonly schema: ObjectSchema;
}

const NAME: Schema = { type: "string", maxLength: PROPOSAL_LIMITS.nameChars };
const TEXT: Schema = { type: "string", maxLength: PROPOSAL_LIMITS.textChars };
const TOPIC: Schema = { ...NAME, description: "Its slug." };
const ENTRY: Schema = { ...NAME, description: "Its id, as limits#3fa9c1d2." };
const ENTRIES: Schema = { type: "array", items: NAME, maxItems: PROPOSAL_LIMITS.entries };
const CITES: Schema = {
  type: "array",
  maxItems: PROPOSAL_LIMITS.cites,
  items: object({
    utterance: { ...NAME, description: "Label, as S3:14." },
    quote: {
      type: "string",
      maxLength: PROPOSAL_LIMITS.quoteChars,
      description: "Whole sentences, copied.",
    },
  }),
};

/** Evidence stands first, so that a model copies it before it words the statement. */
const words = (place: Readonly<Record<string, Schema>>) =>
  object({ cites: CITES, ...place, text: TEXT, why: TEXT, how: TEXT }, ["cites", ...Object.keys(place), "text"]);

export const OPERATION_TOOLS: Readonly<Record<Exclude<Operation["op"], "draft-skill">, OperationTool>> = {
  add: { description: "Adds one fact to a topic.", schema: words({ topic: TOPIC }) },
  revise: {
    description: "Replaces the statement of an entry by newer words about the same subject.",
    schema: words({ topic: TOPIC, entry: ENTRY }),
  },
  merge: {
    description: "Makes one entry of two or more of a topic that say the same; every detail is kept.",
    schema: words({ topic: TOPIC, entries: ENTRIES }),
  },
  retire: {
    description: "Takes an entry out of memory because a person withdrew it; it goes to the archive.",
    schema: object({ cites: CITES, topic: TOPIC, entry: ENTRY, reason: TEXT }),
  },
  move: {
    description: "Moves an entry to another topic of the same type, where its subject belongs.",
    schema: object({ topic: TOPIC, entry: ENTRY, to: TOPIC, reason: TEXT }),
  },
  "create-topic": {
    description: "Makes a topic; call it before what is added to it. Without an accepted entry it is not made.",
    schema: object({
      topic: { ...TOPIC, description: "Lower-case words joined by dashes: one lasting subject." },
      type: { type: "string", enum: MEMORY_TYPES },
      title: { type: "string", maxLength: 80, description: "At most 80 characters." },
      description: { type: "string", maxLength: 200, description: "When to read it, at most 200 characters." },
    }),
  },
  "describe-topic": {
    description: "Changes what is said of when to read a topic.",
    schema: object({ topic: TOPIC, description: { type: "string", maxLength: 200 } }),
  },
  ask: {
    description: "Puts a question to the user, about entries or words that contradict each other.",
    schema: object({ cites: CITES, text: TEXT, entries: ENTRIES }),
  },
};
