/** What an agent wrote into Markdown files with its own tools: how a memory file's text is told from a person's. */
import { isRecord } from "../../base/json.ts";
import type { FileWrite } from "../../ports.ts";

/** A memory file has 4 KB; of anything longer this much is enough to know an entry again. */
const MAX_CHARS = 65_536;

/** The new texts that a tool call puts into a file. */
function textsOf(name: unknown, input: Record<string, unknown>): unknown[] {
  if (name === "Write") return [input.content];
  if (name === "Edit") return [input.new_string];
  if (name === "MultiEdit" && Array.isArray(input.edits))
    return input.edits.map((edit) => (isRecord(edit) ? edit.new_string : null));
  return [];
}

/** Writes of one assistant record; whether they went through is not asked, since what failed stands nowhere. */
export function writesIn(record: Record<string, unknown>): FileWrite[] {
  const content = isRecord(record.message) ? record.message.content : undefined;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => {
    if (!isRecord(block) || block.type !== "tool_use" || !isRecord(block.input)) return [];
    const path = block.input.file_path;
    if (typeof path !== "string" || !/\.md$/i.test(path)) return [];
    const texts = textsOf(block.name, block.input).filter((text) => typeof text === "string");
    return texts.map((text) => ({ path, text: text.slice(0, MAX_CHARS) }));
  });
}
