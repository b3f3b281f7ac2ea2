/** Texts of a message in the form of parts, as Gemini CLI and its descendants write them; and what is not a person's in it. */
import { isRecord } from "../../base/json.ts";
import { toolLabel, toolText } from "./tools.ts";

/** From this part on a message holds files that the person named with `@`, not words. */
const REFERENCED = /^\s*--- Content from referenced files ---/;

/** Parts and messages that the client wrote: preambles, summaries after compression, what hooks and editors add. */
const MACHINE =
  /^\s*(?:<(?:session_context|state_snapshot|hook_context|system-reminder|untrusted_context|loaded_context|environment_context|task-notification|qwen:[a-z-]+)\b|This is the (?:Gemini CLI|Qwen Code)\. We are setting up the context for our chat\.|\[System: |System: Please continue\.$|Here is the user's editor context as a JSON object)/;

type Json = Record<string, unknown>;

export function partsOf(content: unknown): Json[] {
  if (typeof content === "string") return [{ text: content }];
  if (isRecord(content)) return [content];
  return Array.isArray(content)
    ? content.map((part) => (typeof part === "string" ? { text: part } : part)).filter(isRecord)
    : [];
}

/** Files that were called in before the sentence begins: syntax of the client, no words. */
const CALLED_IN = /^(?:@\S+\s+)+/;

/**
 * A person's words among the parts of a user message; "" when there are none.
 * @param typed what the client kept as typed, where it differs from what it sent
 */
export function personText(parts: readonly Json[], typed: readonly Json[] = []): string {
  const end = parts.findIndex(({ text }) => typeof text === "string" && REFERENCED.test(text));
  const own = typed.length > 0 ? typed : end < 0 ? parts : parts.slice(0, end);
  const words = textsOf(own)
    .filter((text) => !MACHINE.test(text))
    .join("\n")
    .trim();
  return end < 0 ? words : words.replace(CALLED_IN, "");
}

/** An agent's words, without its thoughts. */
export function agentText(parts: readonly Json[]): string {
  return textsOf(parts).join("\n").trim();
}

function textsOf(parts: readonly Json[]): string[] {
  return parts.flatMap(({ text, thought }) => (typeof text === "string" && thought !== true ? [text] : []));
}

/** Tool results among the parts, labelled. @param labelOf the label of a call by its id, where the call is known */
export function toolResults(parts: readonly Json[], labelOf: (id: unknown) => string | undefined): string[] {
  return parts.flatMap(({ functionResponse }) => {
    if (!isRecord(functionResponse)) return [];
    const { id, name, response } = functionResponse;
    const output = isRecord(response) ? (response.output ?? response.error) : response;
    return [toolText(labelOf(id) ?? toolLabel(name, null), output)];
  });
}

/** Labels of the calls among the parts, by call id. */
export function toolCalls(parts: readonly Json[]): [id: unknown, label: string][] {
  return parts.flatMap(({ functionCall }): [unknown, string][] =>
    isRecord(functionCall) ? [[functionCall.id, toolLabel(functionCall.name, functionCall.args)]] : [],
  );
}

/** Tool calls whose result is still awaited; more are never open at once. */
const OPEN_CALLS = 256;

export interface OpenCalls {
  note(calls: readonly [unknown, string][]): void;
  labelOf(id: unknown): string | undefined;
}

export function openCalls(): OpenCalls {
  const labels = new Map<unknown, string>();
  return {
    note(calls) {
      for (const [id, label] of calls) labels.set(id, label);
      for (const oldest of labels.keys()) {
        if (labels.size <= OPEN_CALLS) break;
        labels.delete(oldest);
      }
    },
    labelOf: (id) => labels.get(id),
  };
}
