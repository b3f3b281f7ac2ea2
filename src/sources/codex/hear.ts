/** What one payload of a rollout says, and who says it. */
import { isRecord } from "../../base/json.ts";
import { withoutElements } from "../jsonl/elements.ts";
import { toolLabel, toolText } from "../jsonl/tools.ts";

type Json = Record<string, unknown>;

/** Events are for people, items for the model; both tell the same. */
export const LAYER = { event: 0, item: 1 } as const;

export interface Heard {
  readonly speaker: "user" | "assistant" | "tool";
  readonly text: string;
  readonly id: string | null;
  readonly layer: (typeof LAYER)[keyof typeof LAYER];
  /** Older events have no id: a copy is then known by what was answered. */
  readonly nameless: boolean;
}

/** Texts in the user's name that the client made. */
const MACHINE =
  /^\s*(?:<(?:environment_context|user_instructions|turn_aborted|permissions instructions|collaboration_mode|model_switch|skills_instructions|skill|subagent_notification|user_shell_command|user_action|apps_instructions|plugins_instructions|recommended_plugins|hook_prompt|goal_context|INSTRUCTIONS)\b|# AGENTS\.md instructions for |Warning: (?:apply_patch|The maximum number) )/;

/** An editor's or the desktop app's prompt: what the person wrote stands behind the last of these headings. */
const BUILT =
  /^\s*(?:# (?:Context from my IDE setup|Files mentioned by the user|In app browser|Code review guidelines|Selected text)|<in-app-browser-context|## Code review guidelines)/;
const REQUEST = /^## My request(?: for Codex)?[:：][ \t]*$/gm;

const INSERTED = ["image", "in-app-browser-context", "environment_context"];

export function hearEvent(payload: Json): Heard[] {
  const { type, item } = payload;
  if (type === "user_message") return person(payload.message, null, LAYER.event);
  if (type === "agent_message") return agent(payload.message, null, LAYER.event);
  return type === "item_completed" && isRecord(item) ? hearCompleted(item) : [];
}

function hearCompleted(item: Json): Heard[] {
  const id = idOf(item);
  if (item.type === "UserMessage") return person(textOf(item.content), id, LAYER.event);
  if (item.type === "AgentMessage") return agent(textOf(item.content), id, LAYER.event);
  if (item.type !== "CommandExecution") return [];
  const text = toolText(toolLabel("shell", item), item.aggregated_output);
  return [{ speaker: "tool", text, id, layer: LAYER.event, nameless: false }];
}

export function hearItem(item: Json): Heard[] {
  const { type, role } = item;
  if (type === "function_call_output" || type === "custom_tool_call_output") return output(item);
  if (type !== "message") return [];
  if (role === "user") return person(textOf(item.content), idOf(item), LAYER.item);
  return role === "assistant" ? agent(textOf(item.content), idOf(item), LAYER.item) : [];
}

function person(text: unknown, id: string | null, layer: Heard["layer"]): Heard[] {
  const words = typeof text === "string" ? personText(text) : "";
  return words === "" ? [] : [{ speaker: "user", text: words, id, layer, nameless: id === null }];
}

function agent(text: unknown, id: string | null, layer: Heard["layer"]): Heard[] {
  return typeof text === "string" && text.trim() !== ""
    ? [{ speaker: "assistant", text, id, layer, nameless: id === null }]
    : [];
}

function output({ output }: Json): Heard[] {
  const text = isRecord(output) ? output.content : output;
  return [{ speaker: "tool", text: toolText("tool", text), id: null, layer: LAYER.item, nameless: false }];
}

export function personText(text: string): string {
  if (MACHINE.test(text)) return "";
  const last = BUILT.test(text) ? [...text.matchAll(REQUEST)].at(-1) : undefined;
  const own = last ? text.slice(last.index + last[0].length) : text;
  return withoutElements(own, INSERTED).trim();
}

function idOf({ id }: Json): string | null {
  return typeof id === "string" && id !== "" ? id : null;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.filter(isRecord) : [];
  const texts = parts.flatMap(({ type, text }) => (typeof text === "string" && TEXTS.has(type) ? [text] : []));
  return texts.filter((part) => !MACHINE.test(part)).join("\n");
}

const TEXTS: ReadonlySet<unknown> = new Set(["text", "Text", "input_text", "output_text"]);
