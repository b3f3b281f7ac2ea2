/**
 * Asks a model: reserves before every attempt, reports after it, repeats what is worth repeating, and stops for good where another
 * request could only fail or cost too much.
 */
import type { Clock } from "../../base/clock.ts";
import { isMemdError, type MemdError } from "../../base/errors.ts";
import type { Home } from "../home.ts";
import { type Attempt, attempt } from "./attempt.ts";
import { openWire, type Wire } from "./client.ts";
import { type Asked, outgrown, verdictOn } from "./failure.ts";
import { ALL_FEATURES, type Features, OLD_VERSION, without } from "./features.ts";
import { openLanes } from "./lanes.ts";
import type { Ask, Endpoint, Reply } from "./messages.ts";
import { paid } from "./paid.ts";
import { openRateShare, type RateShare } from "./rate-share.ts";
import { backoff, LONGEST_WAIT } from "./retry.ts";
import { type AnthropicSettings, priceOf } from "./settings.ts";
import { inputAtMost } from "./spend.ts";
import { bodyOf } from "./wire.ts";

/** What an endpoint takes from the world; passed in, so that nothing waits in a test. */
export interface EndpointWorld {
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

export type EndpointHome = Pick<Home, "reserve" | "spent" | "progress">;

interface State {
  readonly settings: AnthropicSettings;
  readonly home: EndpointHome;
  readonly world: EndpointWorld;
  readonly wire: Wire;
  readonly rate: RateShare;
  features: Features;
  /** Why nothing is sent any more. */
  closed: MemdError | null;
}

/**
 * At most `settings.parallel` requests at once, one until the first has been answered. After any error but `too-long` every further ask
 * fails with that same error and sends nothing: what outlasted the retries of one request would be met again by the next.
 */
export function openEndpoint(settings: AnthropicSettings, home: EndpointHome, world: EndpointWorld): Endpoint {
  const rate = openRateShare(settings.keepRatePercent);
  const state: State = { settings, home, world, wire: openWire(settings), rate, features: ALL_FEATURES, closed: null };
  const lanes = openLanes(settings.parallel);
  return {
    ask: async (request) => {
      await lanes.enter();
      try {
        const reply = await answerOf(state, request);
        lanes.widen();
        return reply;
      } catch (error) {
        if (isMemdError(error) && error.code !== "too-long") state.closed ??= error;
        throw error;
      } finally {
        lanes.leave();
      }
    },
  };
}

async function answerOf(state: State, ask: Ask): Promise<Reply> {
  for (let tries = 1; ; ) {
    const { sent, tried } = await send(state, ask);
    const asked = { settings: state.settings, model: ask.model, now: state.world.clock.now() };
    if (tried.trouble === null) return replyOf(tried, asked);
    const left = without(state.features, tried.trouble, sent);
    const verdict = verdictOn(tried.trouble, asked);
    if (left && verdict.error.code === "bad-request") {
      state.features = left;
      continue;
    }
    if (tries >= verdict.tries || (verdict.wait ?? 0) > LONGEST_WAIT) throw verdict.error;
    const ms = Math.max(verdict.wait ?? 0, backoff(tries, state.world.random()));
    state.home.progress(`${verdict.error.message}; next try in ${Math.ceil(ms / 1_000)} s`);
    await state.world.wait(ms);
    tries += 1;
  }
}

interface Sent {
  readonly sent: Record<string, unknown>;
  readonly tried: Attempt;
}

async function send(state: State, ask: Ask): Promise<Sent> {
  const { settings, home, rate, wire } = state;
  if (state.closed) throw state.closed;
  await untilSpared(state);
  const sent = bodyOf(ask, state.features);
  const need = { inputTokens: inputAtMost(sent), outputTokens: ask.maxTokens, price: priceOf(settings, ask.model) };
  const headers = state.features.version ? {} : OLD_VERSION;
  const call = { method: "post", path: "/v1/messages", body: sent, headers } as const;
  const tried = await paid(home, need, () => attempt(wire, call, settings));
  const told = tried.headers ?? (tried.trouble?.kind === "status" ? tried.trouble.headers : null);
  if (told) rate.note(told);
  return { sent, tried };
}

/** A limit that is full again within a minute is waited for, as often as it takes: to end the run would cost more than that. */
async function untilSpared(state: State): Promise<void> {
  const { rate, world, home } = state;
  for (let held = rate.check(world.clock.now()); held; held = rate.check(world.clock.now())) {
    const ms = (held.retryAt ?? Number.POSITIVE_INFINITY) - world.clock.now();
    if (ms > LONGEST_WAIT) throw held;
    home.progress(`${held.message}; waiting ${Math.ceil(ms / 1_000)} s`);
    await world.wait(ms);
    if (state.closed) throw state.closed;
  }
}

function replyOf({ gathering }: Attempt, asked: Asked): Reply {
  const reply = gathering.reply();
  if (reply === null) throw outgrown(asked);
  return reply;
}
