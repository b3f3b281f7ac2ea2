/** What the built-in rules hear in a session that no model would or could read: the floor under every model. */
import type { DigestSession } from "../../digest/digest.ts";
import type { Brief } from "../../ports.ts";
import { extract } from "../extractive/index.ts";
import type { Candidate } from "./candidate.ts";

export function heardByRules(session: DigestSession, brief: Brief): Candidate[] {
  const digest = { ...brief.digest, sessions: [session] };
  const { operations } = extract({ ...brief, digest, memory: { topics: [], index: null, others: [] } });
  const types = new Map(operations.flatMap((o) => (o.op === "create-topic" ? [[o.topic, o.type] as const] : [])));
  return operations.flatMap((operation): Candidate[] => {
    if (operation.op !== "add") return [];
    const { text, why = "", cites, topic } = operation;
    return [
      { statement: text, type: types.get(topic) ?? "project", why, says: "fact", confidence: "stated", quotes: cites },
    ];
  });
}
