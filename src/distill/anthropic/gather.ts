/** Puts one answer together from the events of its stream: pure, and nothing of an answer that is not whole gets out. */
import { isRecord, parseJson } from "../../base/json.ts";
import { estimateTokens } from "../../base/text.ts";
import type { CallPart, OpaquePart, Reply, Stop, TextPart } from "./messages.ts";
import { type Counts, NO_COUNTS } from "./spend.ts";
import type { Trouble } from "./trouble.ts";

interface Block {
  readonly start: Record<string, unknown>;
  /** Joined deltas, by the field of the block that they belong to. */
  readonly grown: Record<string, string>;
  open: boolean;
}

interface Heard {
  readonly blocks: Map<unknown, Block>;
  counts: Counts;
  began: boolean;
  stopped: boolean;
  reason: string | null;
}

export interface Gathering {
  /** Takes one event. @returns what ends the attempt, or null */
  take(event: unknown): Trouble | null;
  readonly began: boolean;
  /** True once nothing of the message is missing. */
  readonly whole: boolean;
  /** The highest counts reported so far; output at least what was received, estimated. */
  readonly counts: Counts;
  /** Of a whole message; null when the prompt and the answer together outgrew the model's context. */
  reply(): Reply | null;
}

/** Where a delta's text goes. Others (citations) are not kept. */
const GROWS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  text_delta: ["text", "text"],
  input_json_delta: ["partial_json", "input"],
  thinking_delta: ["thinking", "thinking"],
  signature_delta: ["signature", "signature"],
};

const STOPS: Readonly<Record<string, Stop>> = {
  tool_use: "tools",
  max_tokens: "length",
  pause_turn: "pause",
  refusal: "refusal",
};

type Event = Readonly<Record<string, unknown>>;

/** By the event's type; others (ping, and what a later API may send) say nothing about the message. */
const HANDLERS: Readonly<Record<string, (heard: Heard, event: Event) => Trouble | null>> = {
  message_start: (heard, { message }) => {
    heard.began = true;
    if (!isRecord(message)) return garbled("a message without a body began");
    heard.counts = highest(heard.counts, message.usage);
    return null;
  },
  content_block_start: ({ blocks }, { index, content_block: start }) => {
    if (!isRecord(start)) return garbled("a block without a body began");
    blocks.set(index, { start, grown: {}, open: true });
    return null;
  },
  content_block_delta: ({ blocks }, { index, delta }) => {
    const block = blocks.get(index);
    if (!block?.open || !isRecord(delta)) return garbled("a piece belongs to no block");
    grow(block, delta);
    return null;
  },
  content_block_stop: ({ blocks }, { index }) => {
    const block = blocks.get(index);
    if (block) block.open = false;
    return null;
  },
  message_delta: (heard, { delta, usage }) => {
    heard.counts = highest(heard.counts, usage);
    if (isRecord(delta) && typeof delta.stop_reason === "string") heard.reason = delta.stop_reason;
    return null;
  },
  message_stop: (heard) => {
    heard.stopped = true;
    return null;
  },
  error: (_, { error }) => {
    const { type, message } = isRecord(error) ? error : {};
    return { kind: "event", type: typeof type === "string" ? type : null, message: String(message ?? "no reason") };
  },
};

export function openGathering(): Gathering {
  const heard: Heard = { blocks: new Map(), counts: NO_COUNTS, began: false, stopped: false, reason: null };
  const blocks = () => [...heard.blocks.values()];
  return {
    take: (event) => {
      if (!isRecord(event) || typeof event.type !== "string") return garbled("an event is no object with a type");
      const handler = Object.hasOwn(HANDLERS, event.type) ? HANDLERS[event.type] : null;
      return handler?.(heard, event) ?? null;
    },
    get began() {
      return heard.began;
    },
    get whole() {
      return heard.began && (heard.stopped || heard.reason !== null) && blocks().every(({ open }) => !open);
    },
    get counts() {
      const received = estimateTokens(
        blocks()
          .flatMap(({ grown }) => Object.values(grown))
          .join(""),
      );
      return { ...heard.counts, output: Math.max(heard.counts.output, received) };
    },
    reply: () => (heard.reason === "model_context_window_exceeded" ? null : replyOf(blocks(), heard.reason)),
  };
}

/** A message that came as one JSON value, from an endpoint that does not stream, as the events that it stands for. */
export function eventsOf(message: unknown): unknown[] {
  if (!isRecord(message) || !Array.isArray(message.content)) return [message];
  const blocks = message.content.flatMap((block, index) => [
    { type: "content_block_start", index, content_block: block },
    { type: "content_block_stop", index },
  ]);
  const { stop_reason, usage } = message;
  return [
    { type: "message_start", message },
    ...blocks,
    { type: "message_delta", delta: { stop_reason }, usage },
    { type: "message_stop" },
  ];
}

function garbled(message: string): Trouble {
  return { kind: "garbled", message };
}

/** Some endpoints count at the start of a message, some at its end, some at both; none counts down. */
function highest(counts: Counts, usage: unknown): Counts {
  if (!isRecord(usage)) return counts;
  const take = (known: number, value: unknown) =>
    Number.isSafeInteger(value) && Number(value) > known ? Number(value) : known;
  return {
    input: take(counts.input, usage.input_tokens),
    cacheWrite: take(counts.cacheWrite, usage.cache_creation_input_tokens),
    cacheRead: take(counts.cacheRead, usage.cache_read_input_tokens),
    output: take(counts.output, usage.output_tokens),
  };
}

function grow({ grown }: Block, delta: Record<string, unknown>): void {
  const [from, to] = GROWS[String(delta.type)] ?? [];
  const piece = from === undefined ? null : delta[from];
  if (to !== undefined && typeof piece === "string") grown[to] = (grown[to] ?? "") + piece;
}

/**
 * Calls are handed out only of a message that ended as tool_use. At max_tokens the last part may be cut anywhere, also where it still
 * reads as JSON; a thought without its end would be refused when it is sent back: of such a message only text is left.
 */
function replyOf(blocks: readonly Block[], reason: string | null): Reply {
  const parts = blocks.flatMap(partOf);
  const stop = STOPS[reason ?? ""] ?? "end";
  const kept = parts.filter(({ type }) => (stop === "length" ? type === "text" : type !== "call" || stop === "tools"));
  return { parts: kept, stop: stop === "tools" && !kept.some(({ type }) => type === "call") ? "end" : stop };
}

function partOf({ start, grown }: Block): (TextPart | CallPart | OpaquePart)[] {
  const whole = (field: string) => `${typeof start[field] === "string" ? start[field] : ""}${grown[field] ?? ""}`;
  if (start.type === "text") return whole("text").trim() === "" ? [] : [{ type: "text", text: whole("text") }];
  if (start.type === "tool_use") return callOf(start, grown.input ?? "");
  if (start.type !== "thinking") return [{ type: "opaque", value: start }];
  return [{ type: "opaque", value: { ...start, thinking: whole("thinking"), signature: whole("signature") } }];
}

/** Input that is no JSON is handed out as the text that it is: it fits no schema, so whoever checks it can say so to the model. */
function callOf({ id, name, input }: Record<string, unknown>, json: string): CallPart[] {
  if (typeof id !== "string" || typeof name !== "string") return [];
  if (json === "") return [{ type: "call", id, name, input: unwrapped(input ?? {}) }];
  return [{ type: "call", id, name, input: unwrapped(parseJson(json) ?? json) }];
}

/** Some endpoints send a call's input as a text that holds the JSON. */
function unwrapped(input: unknown): unknown {
  const inner = typeof input === "string" ? parseJson(input) : null;
  return isRecord(inner) ? inner : input;
}
