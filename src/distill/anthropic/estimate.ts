/** What a run is expected to cost, from its brief alone: sessions that were paid for before are not counted again. Pure. */
import { estimateTokens } from "../../base/text.ts";
import type { Brief, Estimate, Range } from "../../ports.ts";
import { TOOLS } from "./bench.ts";
import { questionsOf } from "./extract.ts";
import { PRICE_SOURCE } from "./prices.ts";
import { CONSOLIDATE } from "./prompts/consolidate.ts";
import { EXTRACT } from "./prompts/extract.ts";
import type { AnthropicSettings, ModelChoice, Price } from "./settings.ts";

/** Tokens of an answer about one part of a session: nothing found, and a dozen candidates with their quotes. */
const FOUND: Range = { low: 20, high: 1_500 };
/** Turns of the conversation with the larger model: none where nothing was found, else to begin, to end, and for each part read. */
const TURNS = { least: 3, perPart: 2, most: 30 } as const;
/** Tokens of one of its answers, and of what a tool gives back to it. */
const SAID = 500;
const READ = 1_000;
/** What is put before it at most: its instruction files, the memory, and what was found in the sessions. */
const MOST_CONTEXT = 3_000;
const MOST_MEMORY = 8_000;
const MOST_FOUND = 24_000;

interface Cost {
  readonly requests: number;
  readonly tokens: number;
  readonly usd: number;
}

const NONE: Cost = { requests: 0, tokens: 0, usd: 0 };

/** @param isCached whether an answer lies in the cache under that key */
export function estimateOf(brief: Brief, settings: AnthropicSettings, isCached: (key: string) => boolean): Estimate {
  const questions = questionsOf(brief, settings);
  const asked = questions.filter(({ key }) => !isCached(key));
  const names = (list: typeof questions) => new Set(list.map(({ session }) => session));
  const sessions = names(questions).size;
  const low = asked.map(({ text }) => questionCost(text, FOUND.low, settings.extract)).reduce(add, NONE);
  const read = asked.map(({ text }) => questionCost(text, FOUND.high, settings.extract)).reduce(add, NONE);
  const high =
    questions.length === 0 ? NONE : add(read, conversationCost(brief, questions.length, settings.consolidate));
  const unpriced = [settings.extract, settings.consolidate].flatMap(({ name, price }) => (price ? [] : [name]));
  return {
    distiller: "anthropic",
    sessions,
    cached: sessions - names(asked).size,
    requests: { low: low.requests, high: high.requests },
    tokens: { low: low.tokens, high: high.tokens },
    usd: unpriced.length > 0 ? null : { low: low.usd, high: high.usd },
    unpriced: [...new Set(unpriced)],
    prices: `Prices of ${PRICE_SOURCE.date} from ${PRICE_SOURCE.page}, or of the configuration.`,
  };
}

function questionCost(text: string, answer: number, { price }: ModelChoice): Cost {
  const input = estimateTokens(EXTRACT) + estimateTokens(text);
  return { requests: 1, tokens: input + answer, usd: usdOf(price, { written: input, read: 0, output: answer }) };
}

/** Each turn sends all that was said before it, of which all but the last is read from the cache. */
function conversationCost(brief: Brief, parts: number, { price }: ModelChoice): Cost {
  const memory = brief.memory.topics.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  const context = brief.context.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  const start =
    estimateTokens(CONSOLIDATE) +
    estimateTokens(JSON.stringify(TOOLS)) +
    Math.min(memory, MOST_MEMORY) +
    Math.min(context, MOST_CONTEXT) +
    Math.min(parts * FOUND.high, MOST_FOUND);
  const turns = Math.min(TURNS.least + TURNS.perPart * parts, TURNS.most);
  const turn = SAID + READ;
  const written = start + (turns - 1) * turn;
  const read = (turns - 1) * start + (turn * (turns - 1) * (turns - 2)) / 2;
  const output = turns * SAID;
  return { requests: turns, tokens: written + read + output, usd: usdOf(price, { written, read, output }) };
}

function usdOf(price: Price | null, tokens: { written: number; read: number; output: number }): number {
  if (price === null) return 0;
  const { written, read, output } = tokens;
  return (written * price.cacheWrite + read * price.cacheRead + output * price.output) / 1_000_000;
}

function add(a: Cost, b: Cost): Cost {
  return { requests: a.requests + b.requests, tokens: a.tokens + b.tokens, usd: a.usd + b.usd };
}
