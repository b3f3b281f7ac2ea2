/** Whose words may support what. */
import type { Trust } from "../../digest/utterance.ts";
import type { MemoryType } from "../model.ts";
import { statementKey } from "../statement.ts";
import type { ResolvedCite } from "./quote.ts";
import { type Case, type Rule, violation } from "./rule.ts";

const PERSON: readonly Trust[] = ["user", "headless"];
const MAY_SUPPORT: Readonly<Record<MemoryType, readonly Trust[]>> = {
  user: PERSON,
  feedback: PERSON,
  project: [...PERSON, "log"],
  reference: [...PERSON, "log"],
};

export const isPersons = (cite: ResolvedCite) => PERSON.includes(cite.utterance.trust);

/** The cites that carry a memory of this type; a topic without a readable type asks for the most. */
function carrying(cites: readonly ResolvedCite[], type: MemoryType | null): ResolvedCite[] {
  const allowed = type === null ? PERSON : MAY_SUPPORT[type];
  return cites.filter(({ utterance }) => allowed.includes(utterance.trust));
}

/**
 * Tool output never supports, not even beside a person's words: it would lend its details to them. An assistant's words may stand
 * beside a person's (`Yes, do it that way`), never alone.
 */
export const speakerNotAllowed: Rule = (operation, { cites, topic }) => {
  if (cites.length === 0) return null;
  const tool = cites.find(({ utterance }) => utterance.trust === "tool");
  if (tool) return violation("speaker-not-allowed", `${tool.label} is tool output, which never supports a memory`);
  const type = topic?.type ?? null;
  const able = carrying(cites, operation.op === "ask" || operation.op === "draft-skill" ? "feedback" : type);
  if (able.length === 0) {
    const speakers = Array.from(new Set(cites.map(({ utterance }) => utterance.trust))).join(", ");
    return violation(
      "speaker-not-allowed",
      `a ${type ?? "typeless"} memory needs a person's words, these are by: ${speakers}`,
    );
  }
  if (type === "user" && !able.some(({ utterance }) => utterance.trust === "user")) {
    return violation("speaker-not-allowed", "words of a headless session are never the only support of a user memory");
  }
  return null;
};

/** A conclusion needs two sessions to be drawn from, and says nothing about the user. */
export const unconfirmed: Rule = (operation, { cites, topic }: Case) => {
  if (operation.op !== "add" || !operation.unconfirmed) return null;
  if (topic?.type === "user") return violation("unconfirmed-not-allowed", "a user memory is never inferred");
  const sessions = new Set(cites.map(({ session }) => session.label));
  return sessions.size >= 2 ? null : violation("unconfirmed-not-allowed", "an inference needs quotes of two sessions");
};

/** A memory moves only to a topic whose type asks no more of its evidence than the one it comes from. */
export const typeMismatch: Rule = (operation, { tree, topic }) => {
  if (operation.op !== "move" || !topic) return null;
  const to = tree.topics.find(({ slug }) => slug === operation.to);
  if (!to || to.type === topic.type) return null;
  const loose = to.type === "project" || to.type === "reference";
  return loose ? null : violation("type-mismatch", `its evidence was weighed for type ${topic.type}, not ${to.type}`);
};

/** Everything that a person would ask "who said so?" of needs a cite. Exact duplicates may go, and entries merge, without. */
export const noCitation: Rule = (operation, { cites, entries, tree }) => {
  if (cites.length > 0) return null;
  switch (operation.op) {
    case "add":
    case "revise":
    case "draft-skill":
      return violation("no-citation", "cite the words that say so");
    case "retire":
      return isDoubled(entries, tree) ? null : violation("no-citation", "cite the words that withdraw it");
    case "ask":
      return operation.entries.length > 0
        ? null
        : violation("no-citation", "name the entries or cite the words it is about");
    default:
      return null;
  }
};

function isDoubled(entries: Case["entries"], tree: Case["tree"]): boolean {
  const [entry] = entries;
  if (!entry) return false;
  const same = tree.topics.flatMap((topic) =>
    topic.entries.filter((other) => statementKey(other.statement) === statementKey(entry.statement)),
  );
  return same.length > 1;
}
