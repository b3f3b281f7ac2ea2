/**
 * A request in the form of the Messages API. The same words give the same bytes, and nothing before the newest turn changes from one turn
 * of a conversation to the next: that is what the endpoint's cache goes by. (A mark on the newest turn would change the turn before it;
 * the mark for the whole request stands outside of the turns.)
 */
import { isRecord } from "../../base/json.ts";
import { wellFormed } from "../../base/text.ts";
import type { Features } from "./features.ts";
import type { Ask, Turn } from "./messages.ts";

const EPHEMERAL = { type: "ephemeral" };

export function bodyOf(ask: Ask, features: Features): Record<string, unknown> {
  const { model, system, turns, tools, answer, maxTokens } = ask;
  const marked = features.cache ? { cache_control: EPHEMERAL } : {};
  const block = { type: "text", text: system, ...marked };
  const body = {
    model,
    max_tokens: maxTokens,
    stream: true,
    ...(system === "" ? {} : { system: [block] }),
    ...(tools.length > 0
      ? {
          tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
          ...marked,
        }
      : {}),
    ...(answer && features.answer ? { output_config: { format: { type: "json_schema", schema: answer } } } : {}),
    messages: messagesOf(turns),
  };
  return clean(body) as Record<string, unknown>;
}

/** Turns of the same role become one: not every endpoint takes two. A turn without words is left out, which no endpoint takes. */
function messagesOf(turns: readonly Turn[]): { role: Turn["role"]; content: object[] }[] {
  const messages: { role: Turn["role"]; content: object[] }[] = [];
  for (const { role, parts } of turns) {
    const content = parts.flatMap(blockOf);
    const before = messages.at(-1);
    if (before?.role === role) before.content.push(...content);
    else if (content.length > 0) messages.push({ role, content });
  }
  for (const { content } of messages) content.sort((a, b) => rank(a) - rank(b));
  return messages;
}

/** Results come before words in a turn, else the API finds a call without its result. */
function rank(block: object): number {
  return "type" in block && block.type === "tool_result" ? 0 : 1;
}

function blockOf(part: Turn["parts"][number]): object[] {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
    case "call":
      return [{ type: "tool_use", id: part.id, name: part.name, input: isRecord(part.input) ? part.input : {} }];
    case "result":
      return [{ type: "tool_result", tool_use_id: part.id, content: part.text, is_error: part.isError }];
    case "opaque":
      return isRecord(part.value) ? [part.value] : [];
  }
}

/** Half a character anywhere in a body is refused as broken JSON, and the whole run with it. */
function clean(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(clean);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [wellFormed(key), clean(held)]));
}
