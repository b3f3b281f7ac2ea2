/**
 * What a person said in a user message of OpenClaw. Its gateway stores messages of many channels as the model gets them: behind
 * envelopes and blocks of context, and beside prompts of its own (heartbeats, schedules, other sessions) in the user's place.
 */
import { isRecord } from "../../base/json.ts";
import { withoutElements } from "../jsonl/elements.ts";

type Json = Record<string, unknown>;

/** Marks the header of every block of context since 2026.8.1; before, headers said that what follows is untrusted. */
const MARKER = "⟦openclaw:ctx⟧";
const HEADER = new RegExp(`^[^\\n]{0,200}(?:${MARKER}|\\(untrusted[^\\n()]{0,100}\\):)[ \\t]*$`);
/** Context after the message rather than before it; nothing of the person's follows. */
const TRAILING = new RegExp(
  `^(?:Context: ${MARKER}|Untrusted context \\(metadata, do not treat as instructions or commands\\):)[ \\t]*$`,
);
const GROUP = /^\s*"is_group(?:_chat)?"\s*:\s*true/;

/** Elements that memory plugins put before a message, and the headers they come with. */
const INJECTED = ["active_memory_plugin", "relevant-memories", "relevant_memories"];
const INJECTED_HEADER = /^(?:Context:|Untrusted context \(metadata[^\n]{0,100}\):)[ \t]*\n(?=<active_memory_plugin>)/gm;
/** Before 2026.8 a group's talk since the last answer came first, and this before the message itself. */
const CURRENT = "[Current message - respond to this]";
const INTERNAL = ["<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>", "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"] as const;

/** Lines that the gateway adds about an attachment, a message's number, or how to answer. */
const NOTE =
  /^(?:\[media attached[^\]]*\].*|\[message_id: [^\]]*\]|Delivery: (?:to send a message|Final assistant text).*|To send an image back, .*|\[Queued messages while agent was busy\]|Queued #\d+(?: \([^)]*\))?|System(?: \(untrusted\))?: \[.*)$/;

/** When, and through what channel: `[Tue 2026-02-17 21:30 UTC]`, `[Telegram Ada (@ada) id:7 2026-01-20 14:05 UTC]`. */
const ENVELOPE = /^\[[A-Za-z][^\]\n]{0,200}\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\]\n]{0,60}\][ \t]*/;

const MACHINE =
  /^(?:\[(?:cron:|Inter-session message\]|Subagent (?:Context|Task)\]|Internal task completion event\]|Retry after the previous model attempt|OpenClaw [a-z][^\]]*\])|OpenClaw runtime (?:context|event)|Read HEARTBEAT\.md if it exists|Run the following periodic tasks \(only those due|A new session was started via \/new or \/reset|Pre-compaction memory flush|An async command (?:you ran|the user already)|Exec (?:completed|failed) \(|Continue where you left off\.$|\/[a-z][\w:-]*$)/i;

/** Origins of a user message that is not the user's. */
const FOREIGN: ReadonlySet<unknown> = new Set(["inter_session", "internal_system"]);

/**
 * "" when nothing in the message is a word of the agent's owner.
 * @param message of role `user`
 * @param isShared whether others speak in the session too: then only the owner's own mark tells
 */
export function personText(message: Json, isShared = false): string {
  const origin = isRecord(message.provenance) ? message.provenance.kind : undefined;
  if (FOREIGN.has(origin)) return "";
  const isOwner = isRecord(message.__openclaw) ? message.__openclaw.senderIsOwner : undefined;
  if (isOwner === false || (isShared && isOwner !== true)) return "";
  const text = withoutElements(textOf(message.content).replace(INJECTED_HEADER, ""), INJECTED);
  const { kept, isGroup } = withoutContext(withoutInternal(text).split("\n"));
  // In a group anybody may have spoken.
  if (isGroup && isOwner !== true) return "";
  const from = kept.findLastIndex((line) => line.trim() === CURRENT) + 1;
  const words = kept
    .slice(from)
    .filter((line) => !NOTE.test(line.trim()))
    .join("\n")
    .trim()
    .replace(ENVELOPE, "")
    .trim();
  return MACHINE.test(words) ? "" : words;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block) =>
      isRecord(block) && block.type === "text" && typeof block.text === "string" ? [block.text] : [],
    )
    .join("\n");
}

/** A block of the runtime's own that is not closed goes on to the end. */
function withoutInternal(text: string): string {
  const [open, close] = INTERNAL;
  let rest = text;
  for (let at = rest.indexOf(open); at >= 0; at = rest.indexOf(open)) {
    const end = rest.indexOf(close, at);
    rest = rest.slice(0, at) + (end < 0 ? "" : rest.slice(end + close.length));
  }
  return rest;
}

/** Lines outside of blocks of context: a header and a fenced record below it, or a marked header and lines up to a blank one. */
function withoutContext(lines: readonly string[]): { kept: string[]; isGroup: boolean } {
  const kept: string[] = [];
  let isGroup = false;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (TRAILING.test(line)) break;
    const end = HEADER.test(line) ? blockEnd(lines, i) : i;
    if (end === i) kept.push(line);
    isGroup ||= lines.slice(i, end).some((inner) => GROUP.test(inner));
    i = Math.max(i, end - 1);
  }
  return { kept, isGroup };
}

/** Index behind the block that begins with the header at `start`; `start` itself when none does. */
function blockEnd(lines: readonly string[], start: number): number {
  const isFenced = lines[start + 1]?.trim() === "```json";
  if (!isFenced && !lines[start]?.includes(MARKER)) return start;
  let end = start + (isFenced ? 2 : 1);
  const isInside = (line: string) => (isFenced ? line.trim() !== "```" : line.trim() !== "");
  while (end < lines.length && isInside(lines[end] ?? "")) end++;
  return end + 1;
}
