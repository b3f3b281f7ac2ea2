/** What a failed attempt means: whether it is worth another one, and by which error the run ends if not. Pure. */
import { type ErrorParts, MemdError } from "../../base/errors.ts";
import { hushing } from "../../base/hush.ts";
import { tame } from "../protocol.ts";
import { retryAfter } from "./retry.ts";
import type { AnthropicSettings } from "./settings.ts";
import type { Trouble } from "./trouble.ts";

export interface Verdict {
  /** Attempts in all that this kind of trouble is worth. */
  readonly tries: number;
  /** Milliseconds that the endpoint asks to wait; null when it does not say. */
  readonly wait: number | null;
  readonly error: MemdError;
}

export interface Asked {
  readonly settings: Pick<AnthropicSettings, "key" | "baseURL">;
  readonly model: string;
  readonly now: number;
}

type Status = Extract<Trouble, { kind: "status" }>;
type Cause = Pick<ErrorParts, "code" | "family" | "hint"> & { readonly tries: number };

const LATER = "memd tries again by itself.";

/** Passing troubles are met five times, with about a quarter of a minute between the first and the last. */
const TRIES = 5;

const CAUSES = {
  overloaded: { code: "overloaded", family: "unavailable", hint: LATER, tries: TRIES },
  rateLimited: { code: "rate-limited", family: "unavailable", hint: LATER, tries: TRIES },
  network: {
    code: "network",
    family: "unavailable",
    hint: `Check the network and model.baseUrl; ${LATER}`,
    tries: TRIES,
  },
  cut: { code: "stream-cut", family: "unavailable", hint: LATER, tries: 3 },
  garbled: {
    code: "garbled",
    family: "unavailable",
    hint: "Check that model.baseUrl names an endpoint of the Messages API: memd doctor tries what it can do.",
    tries: 2,
  },
  silent: {
    code: "silent",
    family: "unavailable",
    hint: `Raise model.idleSeconds for a slow endpoint; ${LATER}`,
    tries: 2,
  },
  late: {
    code: "too-slow",
    family: "unavailable",
    hint: "Raise model.requestSeconds, or lower model.maxTokens.",
    tries: 1,
  },
  badKey: {
    code: "bad-key",
    family: "misconfigured",
    hint: "Check the key; memd doctor says where it is taken from.",
    tries: 1,
  },
  noKey: {
    code: "no-key",
    family: "misconfigured",
    hint: "Set ANTHROPIC_API_KEY, model.apiKeyFile or model.apiKeyCommand.",
    tries: 1,
  },
  noCredit: {
    code: "no-credit",
    family: "misconfigured",
    hint: "Add credit to the account, or raise its spend limit.",
    tries: 1,
  },
  unknownModel: {
    code: "unknown-model",
    family: "misconfigured",
    hint: "Set model.extract and model.consolidate to models of this endpoint.",
    tries: 1,
  },
  badRequest: {
    code: "bad-request",
    family: "misconfigured",
    hint: "Check model.baseUrl and the models: memd doctor tries what the endpoint can do.",
    tries: 1,
  },
  tooLong: {
    code: "too-long",
    family: "rejected",
    hint: "Lower dream.evidenceTokens, so that less is read at once.",
    tries: 1,
  },
} as const satisfies Record<string, Cause>;

/** By the stable names of causes, where the API gives one. */
const BY_CODE: Readonly<Record<string, Cause>> = {
  contract_spend_limit_reached: CAUSES.noCredit,
  enforced_spend_limit_reached: CAUSES.noCredit,
  linked_organization_spend_limit_reached: CAUSES.noCredit,
  linked_organization_billing_unavailable: CAUSES.noCredit,
  organization_on_hold: CAUSES.badKey,
  ramp_limit_exceeded: CAUSES.rateLimited,
  request_body_too_large_after_decoding: CAUSES.tooLong,
};

const BY_TYPE: Readonly<Record<string, Cause>> = {
  authentication_error: CAUSES.badKey,
  permission_error: CAUSES.badKey,
  billing_error: CAUSES.noCredit,
  rate_limit_error: CAUSES.rateLimited,
  overloaded_error: CAUSES.overloaded,
  timeout_error: CAUSES.overloaded,
  api_error: CAUSES.overloaded,
  request_too_large: CAUSES.tooLong,
};

const BY_STATUS: Readonly<Record<number, Cause>> = {
  401: CAUSES.badKey,
  402: CAUSES.noCredit,
  403: CAUSES.badKey,
  408: CAUSES.overloaded,
  409: CAUSES.overloaded,
  413: CAUSES.tooLong,
  425: CAUSES.overloaded,
  429: CAUSES.rateLimited,
  501: CAUSES.badRequest,
};

/** No code tells these apart from any other bad request. */
const NO_CREDIT = /credit balance/i;
const TOO_LONG = /prompt is too long|context (?:length|window|size)|maximum context|too many (?:input )?tokens/i;

export function verdictOn(trouble: Trouble, asked: Asked): Verdict {
  const cause = causeOf(trouble, asked);
  const wait = trouble.kind === "status" ? retryAfter(trouble.headers, asked.now) : null;
  return { tries: cause.tries, wait, error: errorOf(cause, trouble, asked, wait) };
}

/** A prompt and an answer that together outgrew the model's context: as a prompt that is too long. */
export function outgrown(asked: Asked): MemdError {
  return errorOf(CAUSES.tooLong, null, asked, null);
}

function causeOf(trouble: Trouble, asked: Asked): Cause {
  switch (trouble.kind) {
    case "status":
      return causeOfStatus(trouble, asked);
    case "event":
      return BY_TYPE[trouble.type ?? ""] ?? CAUSES.overloaded;
    case "connection":
      return CAUSES.network;
    default:
      return CAUSES[trouble.kind];
  }
}

/** By the words of an error that came without a status. */
export function isTooLong(message: string): boolean {
  return TOO_LONG.test(message);
}

function causeOfStatus({ status, type, code, message }: Status, { settings, model }: Asked): Cause {
  const named = BY_CODE[code ?? ""];
  if (named) return named;
  if (status === 401 && settings.key === null) return CAUSES.noKey;
  if (status < 500 && NO_CREDIT.test(message)) return CAUSES.noCredit;
  if (status < 500 && TOO_LONG.test(message)) return CAUSES.tooLong;
  const known = BY_STATUS[status] ?? (status >= 500 ? CAUSES.overloaded : null);
  if (known) return known;
  if (message.includes(model) || (status === 404 && type === "not_found_error" && /model/i.test(message)))
    return CAUSES.unknownModel;
  return BY_TYPE[type ?? ""] ?? CAUSES.badRequest;
}

function errorOf({ code, family, hint }: Cause, trouble: Trouble | null, asked: Asked, wait: number | null): MemdError {
  const retryAt = family === "unavailable" && wait !== null ? asked.now + wait : null;
  const message = `${asked.model} at ${new URL(asked.settings.baseURL).host} ${saying(trouble, asked.settings.key)}`;
  return new MemdError({ code, family, hint, message, retryAt });
}

/** What a person reads of it; an endpoint may repeat the key in its words. */
function saying(trouble: Trouble | null, key: string | null): string {
  if (trouble === null) return "has no room for the prompt and its answer";
  if (trouble.kind === "silent") return `said nothing for ${trouble.seconds} s`;
  if (trouble.kind === "late") return `was not done after ${trouble.seconds} s`;
  const words = tame(hushing(key)(trouble.message), 300);
  if (trouble.kind === "status") return `answered ${trouble.status}: ${words}`;
  if (trouble.kind === "connection") return `cannot be reached: ${trouble.code ? `${trouble.code} ` : ""}${words}`;
  return trouble.kind === "event" ? `broke off: ${trouble.type} ${words}` : `gave no whole answer: ${words}`;
}
