/** What it means that Claude Code gave no proposal: by which error the run ends. Pure. */
import { type ErrorParts, MemdError } from "../../base/errors.ts";
import { tame } from "../protocol.ts";
import type { ClaudeSettings } from "./settings.ts";
import type { Limit, Result } from "./stream.ts";

type Cause = Pick<ErrorParts, "code" | "family" | "hint">;

/** All that was heard about it. */
export interface Trouble {
  /** The last failed request. */
  readonly word: string;
  readonly text: string;
  readonly limit: Limit | null;
}

const LATER = "memd tries again by itself.";
const LESS = "Lower dream.evidenceTokens, so that less is read at once.";

const CAUSES = {
  notSignedIn: {
    code: "not-signed-in",
    family: "misconfigured",
    hint: "Run claude and sign in (/login); for a service: claude setup-token, and CLAUDE_CODE_OAUTH_TOKEN in its environment.",
  },
  badKey: {
    code: "bad-key",
    family: "misconfigured",
    hint: "Check the key that claude.useKey hands on; memd doctor says where it is taken from.",
  },
  noCredit: {
    code: "no-credit",
    family: "misconfigured",
    hint: "Add credit to the account that Claude Code is signed in with, or raise its spend limit.",
  },
  unknownModel: {
    code: "unknown-model",
    family: "misconfigured",
    hint: "Set claude.model to a model that this account may use, or remove it.",
  },
  limited: { code: "rate-limited", family: "unavailable", hint: LATER },
  overloaded: { code: "overloaded", family: "unavailable", hint: LATER },
  network: { code: "network", family: "unavailable", hint: `Check the network; ${LATER}` },
  turns: {
    code: "too-many-turns",
    family: "rejected",
    hint: "Raise claude.maxTurns or budget.maxRunRequests, or lower dream.evidenceTokens.",
  },
  money: {
    code: "run-budget-spent",
    family: "over-budget",
    hint: "Raise budget.maxRunUsd, set a cheaper claude.model, or lower dream.evidenceTokens.",
  },
  tooLong: { code: "too-long", family: "rejected", hint: LESS },
  refusal: {
    code: "refusal",
    family: "rejected",
    hint: "The model declined these words; another claude.model may not.",
  },
  noProposal: {
    code: "unreadable-proposal",
    family: "rejected",
    hint: "Nothing was changed. If it happens again, set claude.model to a larger model.",
  },
  other: { code: "claude-failed", family: "unavailable", hint: `Update Claude Code; ${LATER}` },
} as const satisfies Record<string, Cause>;

const BY_SUBTYPE: Readonly<Record<string, Cause>> = {
  error_max_turns: CAUSES.turns,
  error_max_budget_usd: CAUSES.money,
  error_max_structured_output_retries: CAUSES.noProposal,
};

const BY_WORD: Readonly<Record<string, Cause>> = {
  authentication_failed: CAUSES.notSignedIn,
  oauth_org_not_allowed: CAUSES.notSignedIn,
  billing_error: CAUSES.noCredit,
  rate_limit: CAUSES.limited,
  model_not_found: CAUSES.unknownModel,
  overloaded: CAUSES.overloaded,
  server_error: CAUSES.overloaded,
};

/** A run that came to its end without a proposal. */
export function failureOf(result: Result, trouble: Trouble, { secret }: Pick<ClaudeSettings, "secret">): MemdError {
  const cause = causeOf(result, trouble);
  const retryAt = cause === CAUSES.limited ? resetOf(trouble) : null;
  // Without a sign-in of its own, what was refused is what memd handed on.
  const named = cause === CAUSES.notSignedIn && result.status !== null && secret !== null ? CAUSES.badKey : cause;
  const words = result.text || trouble.text || result.subtype || "it did not say why";
  const said = result.ok ? "Claude Code ended without a proposal" : `Claude Code failed: ${words}`;
  return new MemdError({ ...named, message: tame(said, 500), retryAt });
}

function causeOf(result: Result, { word }: Trouble): Cause {
  if (result.ok) return CAUSES.noProposal;
  const ended = BY_SUBTYPE[result.subtype];
  if (ended) return ended;
  if (result.stop === "refusal") return CAUSES.refusal;
  if (result.ending === "prompt_too_long") return CAUSES.tooLong;
  if (result.cause === "connection_failed") return CAUSES.network;
  return BY_WORD[word] ?? byStatus(result.status);
}

function byStatus(status: number | null): Cause {
  if (status === 401 || status === 403) return CAUSES.notSignedIn;
  if (status === 402) return CAUSES.noCredit;
  if (status === 429) return CAUSES.limited;
  return status !== null && status >= 500 ? CAUSES.overloaded : CAUSES.other;
}

const resetOf = ({ limit }: Trouble) => (limit?.rejected ? limit.resetAt : null);

/** Too much of the plan's own limits is used already; asked before each request. Null when it is not. */
export function spared(limit: Limit | null, keepPercent: number): MemdError | null {
  if (limit === null || limit.used === null || keepPercent === 0) return null;
  const left = 100 * (1 - limit.used);
  if (left >= keepPercent) return null;
  return new MemdError({
    code: "rate-share",
    family: "unavailable",
    message: `only ${Math.max(0, Math.floor(left))} % of the plan's limit is left; ${keepPercent} % is kept for your own work`,
    hint: "memd tries again by itself when the limit is whole again; model.keepRatePercent sets the share.",
    retryAt: limit.resetAt,
  });
}

export interface Gone {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

/** A run that stopped without a word about its end. */
export function goneOf({ code, signal, stderr }: Gone, program: string): MemdError {
  const how = signal ? `signal ${signal}` : `exit code ${code}`;
  const said = tame(stderr, 300);
  const message = `Claude Code ended before it was done (${how})${said === "" ? "" : `: ${said}`}`;
  // A shell's words for what it could not find, and for what it could not start.
  if (code === 126 || code === 127) return noClaude(`${program} cannot be started`);
  const hint = /unknown option|unrecognized option/i.test(stderr)
    ? { code: "claude-too-old", family: "misconfigured" as const, hint: "Update Claude Code: claude update." }
    : { code: "child-died", family: "unavailable" as const, hint: `Nothing was changed; ${LATER}` };
  return new MemdError({ ...hint, message });
}

export function noClaude(why: string): MemdError {
  return new MemdError({
    code: "no-claude",
    family: "misconfigured",
    message: `there is no Claude Code to distil with: ${why}`,
    hint: "Install it (npm install -g @anthropic-ai/claude-code), or name it with claude.path.",
  });
}
