/** An endpoint with everything around it in the test's hand: the home that pays, the clock, and waits that are over at once. */
import { isMemdError, type MemdError } from "../../src/base/errors.ts";
import { openEndpoint } from "../../src/distill/anthropic/endpoint.ts";
import type { Ask, Reply } from "../../src/distill/anthropic/messages.ts";
import type { AnthropicSettings } from "../../src/distill/anthropic/settings.ts";
import type { Reservation } from "../../src/distill/protocol.ts";
import type { Usage } from "../../src/ports.ts";
import {
  type MessagesServer,
  type Script,
  type ServerOptions,
  startMessagesServer,
} from "../support/messages-server.ts";

export const NOW = Date.parse("2026-11-30T08:00:00.000Z");
const PRICE = { input: 1, cacheWrite: 1.25, cacheRead: 0.1, output: 5 };

export function settingsFor(baseURL: string, more: Partial<AnthropicSettings> = {}): AnthropicSettings {
  return {
    key: "sk-test-key",
    baseURL,
    auth: "auto",
    extract: { name: "claude-haiku-5-5", price: PRICE },
    consolidate: { name: "claude-sonnet-5-5", price: PRICE },
    maxTokens: 16_000,
    parallel: 4,
    idleSeconds: 20,
    requestSeconds: 40,
    keepRatePercent: 10,
    tone: null,
    batch: false,
    proxy: null,
    ...more,
  };
}

export const ASK: Ask = {
  model: "claude-haiku-5-5",
  system: "You read a session.",
  turns: [{ role: "user", parts: [{ type: "text", text: "S1:1 user: hello" }] }],
  tools: [],
  answer: null,
  maxTokens: 1_000,
};

export const TOOLED: Ask = {
  ...ASK,
  model: "claude-sonnet-5-5",
  tools: [
    { name: "read", description: "Reads.", schema: { type: "object", properties: { path: { type: "string" } } } },
  ],
};

export const STRUCTURED: Ask = {
  ...ASK,
  answer: { type: "object", properties: { items: { type: "array" } }, required: ["items"] },
};

export interface Asking {
  readonly server: MessagesServer;
  ask(request?: Ask): Promise<Reply>;
  /** The error that an ask ends with. */
  fails(request?: Ask): Promise<MemdError>;
  readonly reserved: Reservation[];
  readonly spent: Usage[];
  readonly waits: number[];
  readonly progress: string[];
  move(ms: number): void;
}

export interface AskingOptions extends ServerOptions {
  readonly settings?: Partial<AnthropicSettings>;
  /** Why a reservation is refused, or null. */
  readonly refusal?: (n: number) => string | null;
}

const open: MessagesServer[] = [];

/** Closes every server that was started. */
export async function closeServers(): Promise<void> {
  for (const server of open.splice(0)) await server.close();
}

export async function asking(script: Script, options: AskingOptions = {}): Promise<Asking> {
  const server = await startMessagesServer(script, options);
  open.push(server);
  return { server, ...askingAt(server.url, options) };
}

export function askingAt(url: string, { settings, refusal = () => null }: AskingOptions = {}): Omit<Asking, "server"> {
  const reserved: Reservation[] = [];
  const spent: Usage[] = [];
  const waits: number[] = [];
  const progress: string[] = [];
  let now = NOW;
  const home = {
    reserve: async (need: Reservation) => {
      reserved.push(need);
      const reason = refusal(reserved.length);
      return { granted: reason === null, reason };
    },
    spent: (usage: Usage) => void spent.push(usage),
    progress: (text: string) => void progress.push(text),
  };
  const wait = async (ms: number) => {
    waits.push(ms);
    now += ms;
  };
  const clock = { now: () => now, monotonic: () => now };
  const endpoint = openEndpoint(settingsFor(url, settings), home, { clock, random: () => 1, wait });
  const ask = (request: Ask = ASK) => endpoint.ask(request);
  return {
    ask,
    fails: async (request) => {
      const ended = await ask(request).catch((error: unknown) => error);
      if (isMemdError(ended)) return ended;
      throw new Error(`no MemdError, but ${JSON.stringify(ended)} ${String(ended)}`);
    },
    reserved,
    spent,
    waits,
    progress,
    move: (ms) => {
      now += ms;
    },
  };
}
