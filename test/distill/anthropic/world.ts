/** A model that is played by the test, in a home where the real rules judge it, without a network. */
import { anthropic } from "../../../src/distill/anthropic/index.ts";
import type { Ask, CallPart, Endpoint, Reply, Stop, Turn } from "../../../src/distill/anthropic/messages.ts";
import type { AnthropicSettings } from "../../../src/distill/anthropic/settings.ts";
import { parseProposal } from "../../../src/memory/schema.ts";
import { type Distiller, NO_USAGE } from "../../../src/ports.ts";

export const SETTINGS: AnthropicSettings = {
  key: "none",
  baseURL: "http://127.0.0.1:1",
  auth: "auto",
  extract: { name: "small", price: null },
  consolidate: { name: "large", price: null },
  maxTokens: 16_000,
  parallel: 4,
  idleSeconds: 5,
  requestSeconds: 30,
  keepRatePercent: 0,
  tone: null,
  batch: false,
  proxy: null,
};

/** Plays the model: what it answers, or what the endpoint throws. */
export type Play = (ask: Ask, n: number) => Reply | Error;

export interface Played extends Endpoint {
  readonly asks: Ask[];
  /** Most requests that were open at once. */
  peak: number;
}

export function endpointOf(play: Play): Played {
  let open = 0;
  const played: Played = {
    asks: [],
    peak: 0,
    ask: async (ask) => {
      played.asks.push(ask);
      open += 1;
      played.peak = Math.max(played.peak, open);
      await new Promise((done) => setImmediate(done));
      open -= 1;
      const reply = play(ask, played.asks.length);
      if (reply instanceof Error) throw reply;
      return reply;
    },
  };
  return played;
}

export interface Notes {
  readonly cache: Map<string, string>;
  readonly progress: string[];
}

export const notes = (): Notes => ({ cache: new Map(), progress: [] });

/** The distiller in this process: what the forked child runs, with the parent's answers. */
export function distillerOf(endpoint: Endpoint, kept: Notes, settings: Partial<AnthropicSettings> = {}): Distiller {
  return {
    name: "anthropic",
    distill: async ({ brief, judge }) => {
      const home = {
        cacheGet: async (key: string) => kept.cache.get(key) ?? null,
        cachePut: (key: string, value: string) => void kept.cache.set(key, value),
        progress: (text: string) => void kept.progress.push(text),
        judge: async (operation: unknown) => judge(operation),
      };
      const proposal = await anthropic(brief, home, endpoint, { ...SETTINGS, ...settings });
      const parsed = parseProposal(proposal);
      if ("malformed" in parsed) throw new Error(parsed.malformed);
      return { ...parsed, usage: NO_USAGE, fence: "none" };
    },
  };
}

export const says = (text: string, stop: Stop = "end"): Reply => ({ parts: [{ type: "text", text }], stop });
export const answers = (value: unknown): Reply => says(JSON.stringify(value));

let serial = 0;
export const call = (name: string, input: unknown): CallPart => ({ type: "call", id: `call_${serial++}`, name, input });
export const calls = (...parts: readonly (readonly [name: string, input: unknown])[]): Reply => ({
  parts: parts.map(([name, input]) => call(name, input)),
  stop: "tools",
});
export const FINISH = calls(["finish", {}]);

export const isExtract = ({ answer }: Ask): boolean => answer !== null;

/** Every text of a request that the model would see, tool results among them. */
export const textOf = ({ turns }: Pick<Ask, "turns">): string => turns.map(wordsOf).join("\n");
const wordsOf = ({ parts }: Turn) => parts.map((part) => ("text" in part ? part.text : "")).join("\n");
export const lastWords = ({ turns }: Ask): string => wordsOf(turns.at(-1) ?? { role: "user", parts: [] });

const LABEL = /^(?:C\d+ quote )?(S\d*:\d+)/;

/** The label under which a person (or whoever) says the words in what the model was sent; a model that finds none makes one up. */
export function labelOf(ask: Ask, words: string): string {
  const line = textOf(ask)
    .split("\n")
    .find((one) => one.includes(words) && LABEL.test(one));
  return LABEL.exec(line ?? "")?.[1] ?? "S9:99";
}

export const quote = (ask: Ask, words: string) => ({ utterance: labelOf(ask, words), quote: words });

/** What a small model would note of a session that holds the words, and nothing of any other. */
export function notesOn(ask: Ask, facts: readonly { readonly text: string; readonly type: string }[]): Reply {
  const heard = facts.filter(({ text }) => textOf(ask).includes(text));
  return answers({
    candidates: heard.map(({ text, type }) => ({
      statement: text,
      type,
      why: "",
      says: "fact",
      confidence: "stated",
      quotes: [quote(ask, text)],
    })),
  });
}
