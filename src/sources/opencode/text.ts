/** What the rows of an opencode message say. */
import { isRecord } from "../../base/json.ts";
import type { FileWrite } from "../../ports.ts";
import { say, type Talk, timeOf } from "../jsonl/talk.ts";
import { toolLabel, toolText } from "../jsonl/tools.ts";
import type { Message, Row } from "./rows.ts";

type Json = Record<string, unknown>;

/** Built-in commands are stored as their whole prompt, with nothing to tell it from a person's: known by how it begins. */
const COMMANDS =
  /^\s*(?:(?:Create or update|Please analyze this codebase and create an) `?AGENTS\.md`? |You are a code reviewer\. Your job is to review code changes)/;

/** "" for what the client wrote. @param isRun whether `opencode run` made the session */
export function personText(text: string, isRun: boolean): string {
  if (COMMANDS.test(text)) return "";
  return isRun ? unquoted(text.trim()) : text;
}

const WHOLE = /^(?:[^"\\]|\\[\s\S])*$/;

/** `opencode run` puts quotes around an argument that has a space in it; what is one such argument loses them again. */
function unquoted(text: string): string {
  const inner = text.slice(1, -1);
  const isArgument =
    text.length > 2 && text.startsWith('"') && text.endsWith('"') && inner.includes(" ") && WHOLE.test(inner);
  return isArgument ? inner.replaceAll('\\"', '"') : text;
}

export interface Around {
  readonly spot: { readonly offset: number; readonly line: number };
  readonly cwd: string;
  readonly headless: boolean;
}

/** Adds what a message says. Compactions repeat everything before them in a model's words; they are left out. */
export function hear(talk: Talk, { data, parts }: Message, around: Around): void {
  if (data?.role === "user") hearPerson(talk, parts, { ...around, at: saidAt(data) });
  else if (data?.role === "assistant" && data.summary !== true)
    for (const part of parts) hearAgent(talk, part, { ...around, at: saidAt(data) });
}

/** Epoch ms; a fork keeps it. */
export function saidAt(message: Json): number | null {
  return isRecord(message.time) ? timeOf(message.time.created) : null;
}

type Timed = Around & { readonly at: number | null };

/** Texts that the client made beside a person's (`synthetic`), or shows without sending them (`ignored`), are not theirs. */
function hearPerson(talk: Talk, parts: readonly Row[], around: Timed): void {
  const own = parts.filter(({ data }) => data?.type === "text" && !data.synthetic && !data.ignored);
  const text = personText(own.map(({ data }) => textOf(data?.text)).join("\n"), around.headless);
  say(talk, { ...around, speaker: "user", text, record: own[0]?.id ?? null });
}

function hearAgent(talk: Talk, { id, data }: Row, around: Timed): void {
  if (data?.type === "text") say(talk, { ...around, speaker: "assistant", text: textOf(data.text), record: id });
  if (data?.type !== "tool") return;
  const state = isRecord(data.state) ? data.state : {};
  const text = toolText(toolLabel(data.tool, state.input), state.output ?? state.error);
  say(talk, { ...around, speaker: "tool", text, record: id });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A memory file has 4 KB; of anything longer this much is enough to know an entry again. */
const WRITE_CHARS = 65_536;

/** What the agent wrote into Markdown files. */
export function writesIn({ data, parts }: Message): FileWrite[] {
  if (data?.role !== "assistant") return [];
  return parts.flatMap(({ data: part }) => {
    if (part?.type !== "tool" || (part.tool !== "write" && part.tool !== "edit")) return [];
    const input = isRecord(part.state) && isRecord(part.state.input) ? part.state.input : {};
    const { filePath: path } = input;
    const text = part.tool === "write" ? input.content : input.newString;
    if (typeof path !== "string" || !/\.md$/i.test(path) || typeof text !== "string") return [];
    return [{ path, text: text.slice(0, WRITE_CHARS) }];
  });
}
