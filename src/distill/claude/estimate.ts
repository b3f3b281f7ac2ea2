/** What a run of Claude Code is expected to take, from its brief alone. Pure. */
import { estimateTokens } from "../../base/text.ts";
import type { Brief, Estimate } from "../../ports.ts";
import { PRICE_SOURCE } from "../anthropic/prices.ts";
import { SYSTEM } from "./prompt.ts";
import { PROPOSAL_SCHEMA } from "./schema.ts";
import type { ClaudeSettings } from "./settings.ts";
import { type Task, taskOf } from "./task.ts";

/** What Claude Code adds by itself: its tools and a page on the machine; 8,400 bytes of body with an empty task (2.1.332). */
const OWN = 2_500;
/** Requests of a long run: files that found no room in the task are read, and an answer that misses the schema is given again. */
const MOST_REQUESTS = 6;
const ANSWER = { low: 100, high: 4_000 } as const;
const READ = 4_000;

/** Of the first request. */
export function firstTokens({ text }: Task, { tone }: Pick<ClaudeSettings, "tone">): number {
  return [text, SYSTEM, tone ?? "", JSON.stringify(PROPOSAL_SCHEMA)].map(estimateTokens).reduce((a, b) => a + b, OWN);
}

export function estimateOf(brief: Brief, settings: ClaudeSettings): Estimate {
  const { model, priceOf, maxTurns, payer } = settings;
  const sessions = brief.digest.sessions.length;
  const price = model === null ? null : priceOf(model);
  const first = firstTokens(taskOf(brief), settings);
  const most = sessions === 0 ? 0 : Math.min(maxTurns, MOST_REQUESTS);
  const few = Math.min(1, most);
  const turn = ANSWER.high + READ;
  const cached = (most - few) * first + (turn * (most - few) * most) / 2;
  const written = few * first + most * turn;
  const usd = (read: number, fresh: number, said: number) =>
    price === null ? 0 : (read * price.cacheRead + fresh * price.cacheWrite + said * price.output) / 1_000_000;
  return {
    distiller: "claude",
    sessions,
    cached: 0,
    requests: { low: few, high: most },
    tokens: { low: few * (first + ANSWER.low), high: cached + written },
    usd:
      price === null
        ? null
        : { low: usd(0, few * first, few * ANSWER.low), high: usd(cached, written, most * ANSWER.high) },
    unpriced: price === null ? [model ?? "Claude Code's own default model"] : [],
    prices: `${payer[0]?.toUpperCase()}${payer.slice(1)}. What that is worth by the API's prices counts against the caps (${PRICE_SOURCE.date}, ${PRICE_SOURCE.page}).`,
  };
}
