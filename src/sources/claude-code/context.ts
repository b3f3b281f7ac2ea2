/** What was said around a person's words: an agent's texts, and tool results as a label with their first words. */
import { isRecord } from "../../base/json.ts";
import { textParts } from "./human.ts";

/** An agent's text is context, never evidence by itself: enough to know what a "yes, exactly" answered. */
export const ASSISTANT_CHARS = 1_500;
/** A tool's output supports no memory: a label, and enough to follow the talk. */
export const TOOL_CHARS = 300;
/** Of an output no more than this is looked at. */
export const OUTPUT_CHARS = 2 * TOOL_CHARS;
const TARGET_CHARS = 80;
/** Tool calls whose result is still awaited; more are never open at once. */
const OPEN_CALLS = 256;

/** Where tools keep the one argument that tells a person what the call was about. */
export const TARGET_KEYS = ["command", "file_path", "pattern", "url", "description", "query", "prompt"];

/** The text of an assistant record; "" for tool calls, thinking, and the client's own error messages. */
export function assistantText(record: Record<string, unknown>): string {
  const message = record.message;
  if (!isRecord(message) || record.isApiErrorMessage === true || message.model === "<synthetic>") return "";
  return textParts(message.content).join("\n").trim();
}

/** The model's own id of an assistant message, the same in every copy; null when there is none. */
export function messageId(record: Record<string, unknown>): string | null {
  const id = isRecord(record.message) ? record.message.id : undefined;
  return typeof id === "string" && id !== "" ? id : null;
}

export interface ToolLabels {
  note(record: Record<string, unknown>): void;
  results(record: Record<string, unknown>): string[];
}

/** Remembers tool calls so that their results can be labelled. */
export function toolLabels(): ToolLabels {
  const labels = new Map<string, string>();
  const note = (record: Record<string, unknown>) => {
    for (const block of blocksOf(record)) {
      if (!isRecord(block) || block.type !== "tool_use" || typeof block.id !== "string") continue;
      labels.set(block.id, labelOf(block));
      if (labels.size <= OPEN_CALLS) continue;
      const oldest = labels.keys().next().value;
      if (oldest !== undefined) labels.delete(oldest);
    }
  };
  const results = (record: Record<string, unknown>) => {
    const found: string[] = [];
    for (const block of blocksOf(record)) {
      if (!isRecord(block) || block.type !== "tool_result") continue;
      const id = String(block.tool_use_id);
      const label = labels.get(id) ?? "tool";
      labels.delete(id);
      const output = shortened(outputOf(block.content), OUTPUT_CHARS);
      found.push(output === "" ? label : `${label}: ${output}`);
    }
    return found;
  };
  return { note, results };
}

function blocksOf(record: Record<string, unknown>): readonly unknown[] {
  const content = isRecord(record.message) ? record.message.content : undefined;
  return Array.isArray(content) ? content : [];
}

function outputOf(content: unknown): string {
  return typeof content === "string" ? content : textParts(content).join(" ");
}

/** The first `max` characters on one line. */
function shortened(text: string, max: number): string {
  return text.slice(0, max).replace(/\s+/g, " ").trim();
}

function labelOf(call: Record<string, unknown>): string {
  const name = typeof call.name === "string" ? call.name : "tool";
  const input = isRecord(call.input) ? call.input : {};
  for (const key of TARGET_KEYS) {
    const target = input[key];
    if (typeof target === "string") return `${name}(${target.slice(0, TARGET_CHARS).replace(/\s+/g, " ")})`;
  }
  return name;
}
