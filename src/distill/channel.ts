/**
 * The parent's end of the channel: hears one child out, answers its questions, and stops at the first breach of the protocol.
 *
 * The channel is a socket pair of our own and not Node's built-in IPC: that one gathers a message until its newline without
 * any limit, and a child that never sends one ended the parent by an uncaught RangeError after 1.5 s and 500 MB (Node 20).
 */
import type { Duplex } from "node:stream";
import type { Clock } from "../base/clock.ts";
import { classify, MemdError } from "../base/errors.ts";
import { addUsage, NO_USAGE, type Ruling, type Usage } from "../ports.ts";
import { lineReader } from "./lines.ts";
import {
  type BatchNeed,
  CHANNEL_LIMITS,
  type Failure,
  type FromChild,
  type FromParent,
  frame,
  fromChild,
  type Grant,
  type Planned,
  type Reservation,
  tame,
  usageOf,
} from "./protocol.ts";

/** What a child may ask; all of it is kept by the parent. A throw ends the run with that error. */
export interface Desk {
  reserve(need: Reservation): Grant | Promise<Grant>;
  cacheGet(key: string): string | null;
  cachePut(key: string, value: string): void;
  spent(usage: Usage): void;
  progress(text: string): void;
  judge(operation: unknown): Ruling;
  /** Keeps the batch that the child may send; absent where it may send none. */
  readonly batch?: BatchDesk;
  /** Plain data of at most `messageBytes`, given once; it may hold the key. */
  settings(): unknown;
}

export interface BatchDesk {
  plan(need: BatchNeed): Planned;
  sent(batch: string | null, strange: boolean): void;
}

export interface ChannelEvents {
  readonly desk: Desk;
  readonly clock: Clock;
  /** After every message that fits; for the idle watchdog. */
  readonly heard: () => void;
  readonly breach: (error: MemdError) => void;
}

export type Last = { readonly proposal: unknown } | { readonly failed: Failure };

export interface Channel {
  /** What held the child, by its own word; null until it said hello. */
  readonly fence: string | null;
  /** The child's last message, or null. */
  readonly last: Last | null;
  /** All that was reported as spent. */
  readonly usage: Usage;
}

export function protocolError(what: string): MemdError {
  return new MemdError({
    code: "child-protocol",
    family: "rejected",
    message: `the distiller broke the protocol: ${what}`,
    hint: "Nothing was changed. If it happens again, report it with the brief that memd kept.",
  });
}

interface State {
  fence: string | null;
  last: Last | null;
  usage: Usage;
  messages: number;
  openAsks: number;
  second: { start: number; messages: number };
}

/** Hears one child on its socket until its last message, or until `events.breach` is told why it is not heard any more. */
export function openChannel(socket: Duplex, events: ChannelEvents): Channel {
  const state: State = {
    fence: null,
    last: null,
    usage: NO_USAGE,
    messages: 0,
    openAsks: 0,
    second: { start: events.clock.monotonic(), messages: 0 },
  };
  const lines = lineReader(CHANNEL_LIMITS.proposalBytes);
  let closed = false;
  const close = (error: MemdError): void => {
    if (closed) return;
    closed = true;
    socket.destroy();
    events.breach(error);
  };
  const answer = (message: FromParent): void => {
    if (closed) return;
    socket.write(frame(message));
    if (socket.writableLength > CHANNEL_LIMITS.unsentBytes) close(protocolError("it does not read its answers"));
  };
  socket.on("data", (chunk: Uint8Array) => {
    const complete = lines.push(chunk);
    if (complete === null) return close(protocolError("a message is too long"));
    for (const line of complete) {
      if (closed) return;
      const error = hear(state, line, events, { answer, close });
      if (error) return close(error);
    }
  });
  // A reset by a dying child is no news: its exit tells.
  socket.on("error", () => socket.destroy());
  return state;
}

interface Reply {
  answer(message: FromParent): void;
  close(error: MemdError): void;
}

/** Takes one line. @returns what ends the run, or null */
function hear(state: State, line: string, events: ChannelEvents, reply: Reply): MemdError | null {
  const flood = tooMany(state, events.clock.monotonic());
  if (flood) return protocolError(flood);
  if (state.last) return protocolError("a message came after the last one");
  const message = fromChild(line);
  if (!message) return protocolError("a message has an unknown shape");
  if (message.type !== "proposal" && Buffer.byteLength(line) > CHANNEL_LIMITS.messageBytes)
    return protocolError("a message is too long");
  if ((message.type === "hello") !== (state.fence === null) && message.type !== "failed")
    return protocolError("hello comes first, and once");
  try {
    take(state, message, events, reply);
    events.heard();
    return null;
  } catch (error) {
    return classify(error, `answer the distiller's ${message.type}`);
  }
}

function tooMany(state: State, now: number): string | null {
  state.messages += 1;
  if (now - state.second.start >= 1_000) state.second = { start: now, messages: 0 };
  state.second.messages += 1;
  if (state.messages > CHANNEL_LIMITS.messages) return "too many messages";
  return state.second.messages > CHANNEL_LIMITS.perSecond ? "too many messages at once" : null;
}

function take(state: State, message: FromChild, { desk }: ChannelEvents, reply: Reply): void {
  switch (message.type) {
    case "hello":
      state.fence = message.fence;
      break;
    case "reserve":
      void reserve(state, message, desk, reply);
      break;
    case "cacheGet":
      reply.answer(cached(message.id, desk.cacheGet(message.key)));
      break;
    case "cachePut":
      desk.cachePut(message.key, message.value);
      break;
    case "spent":
      state.usage = addUsage(state.usage, message);
      desk.spent(usageOf(message));
      break;
    case "progress":
      desk.progress(tame(message.text, 200));
      break;
    case "judge":
      reply.answer(ruled(message.id, desk.judge(message.operation)));
      break;
    case "plan":
      reply.answer(planned(message.id, batchDesk(desk).plan(message)));
      break;
    case "sent":
      reply.answer(sent(message, batchDesk(desk)));
      break;
    case "setup":
      reply.answer({ type: "settings", id: message.id, settings: desk.settings() });
      break;
    case "proposal":
      state.last = { proposal: message.proposal };
      break;
    case "failed":
      state.last = { failed: { ...message, message: tame(message.message, 1_000), hint: tame(message.hint, 500) } };
  }
}

function batchDesk({ batch }: Desk): BatchDesk {
  if (batch) return batch;
  throw protocolError("it sends a batch where none is wanted");
}

function sent({ id, batch, strange }: Extract<FromChild, { type: "sent" }>, desk: BatchDesk): FromParent {
  desk.sent(batch, strange);
  return { type: "noted", id };
}

function planned(id: number, { granted, reason, marker }: Planned): FromParent {
  return { type: "planned", id, granted, reason: reason && tame(reason, 300), marker };
}

/** A value that no message can hold, from a ledger of another version, counts as not cached. */
function cached(id: number, value: string | null): FromParent {
  const answer: FromParent = { type: "cached", id, value };
  return Buffer.byteLength(frame(answer)) <= CHANNEL_LIMITS.messageBytes ? answer : { ...answer, value: null };
}

function ruled(id: number, { accepted, rule, detail }: Ruling): FromParent {
  return { type: "ruled", id, accepted, rule, detail: tame(detail, 1_000) };
}

async function reserve(state: State, message: Reservation & { id: number }, desk: Desk, reply: Reply): Promise<void> {
  state.openAsks += 1;
  if (state.openAsks > CHANNEL_LIMITS.openAsks) return reply.close(protocolError("too many questions at once"));
  try {
    const { inputTokens, outputTokens, costUsd } = message;
    const { granted, reason } = await desk.reserve({ inputTokens, outputTokens, costUsd });
    reply.answer({ type: "granted", id: message.id, granted, reason: reason && tame(reason, 300) });
  } catch (error) {
    reply.close(classify(error, "answer the distiller's reserve"));
  } finally {
    state.openAsks -= 1;
  }
}
