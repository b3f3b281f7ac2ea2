/**
 * What a run of Claude Code may spend, kept by the parent, which sees each request begin and end but does not send it. The request that
 * may begin next is reserved before the one before it has ended, so that none begins unreserved.
 */
import { MemdError } from "../../base/errors.ts";
import { addUsage, NO_USAGE, type Usage } from "../../ports.ts";
import type { Price } from "../anthropic/settings.ts";
import { type Counts, NO_COUNTS, usageOf } from "../anthropic/spend.ts";
import type { Grant, Reservation } from "../protocol.ts";

export interface Till {
  reserve(need: Reservation): Grant;
  spent(usage: Usage): void;
}

export interface Purse {
  /** @throws MemdError over-budget */
  start(): void;
  model(name: string): void;
  /** A request begins. @throws MemdError over-budget when nothing is left for it */
  asking(): void;
  /** It failed, and begins again. @throws MemdError over-budget */
  again(): void;
  counted(counts: Partial<Counts>): void;
  answered(): void;
  /** Settles what is open; `total` is Claude Code's own account, null when it was cut off: then what may be on its way counts in full. */
  close(total: Total | null): Usage;
}

export interface Total {
  readonly counts: Counts;
  readonly costUsd: number;
}

export interface PursePlan {
  readonly till: Till;
  readonly priceOf: (model: string) => Price | null;
  readonly model: string | null;
  /** Tokens of the first request, and of the longest answer. */
  readonly firstTokens: number;
  readonly maxTokens: number;
}

/** What a turn adds at most, beyond the answer before it: the files that it read. */
const STEP = 8_000;
/** Signed in with a plan, Claude Code writes caches that live an hour: at twice the price of input. */
const CACHE_WRITE = 2;

interface State {
  readonly till: Till;
  /** Tokens of the longest answer. */
  readonly maxTokens: number;
  price: Price | null;
  prefix: number;
  /** Reserved and not settled: the request on its way, and the next one. */
  reserved: number;
  isAsking: boolean;
  current: Counts;
  total: Usage;
}

export function openPurse({ till, priceOf, model, firstTokens, maxTokens }: PursePlan): Purse {
  const price = model === null ? null : priceOf(model);
  const none = { prefix: 0, reserved: 0, isAsking: false, current: NO_COUNTS, total: NO_USAGE };
  const state: State = { till, maxTokens, price, ...none };
  return {
    start: () => {
      require(reserve(state, 0, firstTokens));
      state.prefix = firstTokens;
      require(reserveNext(state));
    },
    model: (name) => {
      state.price = priceOf(name) ?? state.price;
    },
    asking: () => asking(state),
    again: () => {
      ended(state);
      asking(state);
    },
    counted: (counts) => {
      asking(state);
      state.current = { ...state.current, ...counts };
    },
    answered: () => ended(state),
    close: (total) => close(state, total),
  };
}

function reserve(state: State, cached: number, fresh: number): Grant {
  const grant = state.till.reserve(needOf(state.price, { cached, fresh, output: state.maxTokens }));
  if (grant.granted) state.reserved += 1;
  return grant;
}

function reserveNext(state: State): Grant {
  return reserve(state, state.prefix, STEP);
}

function asking(state: State): void {
  if (state.isAsking) return;
  state.isAsking = true;
  if (state.reserved === 0) require(reserveNext(state));
  // Where nothing is left for one more, this one may still be the last.
  if (state.reserved === 1) reserveNext(state);
}

/** Settles the request on its way, if there is one. */
function ended(state: State): void {
  if (!state.isAsking) return;
  const { input, cacheWrite, cacheRead, output } = state.current;
  settle(state, usageOf(state.current, state.price));
  state.prefix = Math.max(state.prefix, input + cacheWrite + cacheRead + output);
  Object.assign(state, { isAsking: false, current: NO_COUNTS });
}

function settle(state: State, usage: Usage): void {
  state.reserved = Math.max(0, state.reserved - 1);
  state.total = addUsage(state.total, usage);
  state.till.spent(usage);
}

function close(state: State, total: Total | null): Usage {
  const { till } = state;
  if (total !== null) ended(state);
  // The dearer of two stays: nobody knows which of them was on its way.
  for (const keep = state.isAsking ? 1 : 0; state.reserved > keep; state.reserved--) till.spent(NO_USAGE);
  const missed = total === null ? NO_USAGE : missedOf(state.total, total);
  if (missed !== NO_USAGE) till.spent(missed);
  return addUsage(state.total, missed);
}

function needOf(price: Price | null, tokens: { cached: number; fresh: number; output: number }): Reservation {
  const { cached, fresh, output } = tokens;
  const p = price ?? { input: 0, cacheRead: 0, output: 0 };
  const costUsd = (cached * p.cacheRead + fresh * p.input * CACHE_WRITE + output * p.output) / 1_000_000;
  return { inputTokens: cached + fresh, outputTokens: output, costUsd };
}

function require({ granted, reason }: Grant): void {
  if (granted) return;
  throw new MemdError({
    code: "over-budget",
    family: "over-budget",
    message: `the next request of Claude Code was not granted: ${reason ?? "a cap stands against it"}`,
    hint: "Raise the caps of budget in the configuration, or wait.",
  });
}

/** What Claude Code says that it spent beyond what was seen to pass by. */
function missedOf(seen: Usage, { counts, costUsd }: Total): Usage {
  const all = usageOf(counts, null);
  const more = (key: "inputTokens" | "cachedTokens" | "outputTokens") => Math.max(0, all[key] - seen[key]);
  const missed = {
    requests: 0,
    inputTokens: more("inputTokens"),
    cachedTokens: more("cachedTokens"),
    outputTokens: more("outputTokens"),
    costUsd: Math.max(0, costUsd - seen.costUsd),
  };
  return Object.values(missed).some((amount) => amount > 0) ? missed : NO_USAGE;
}
