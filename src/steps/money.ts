/** What money says about a dream: how much of the caps is left, and whether the endpoint is asked at all. */
import { systemCode } from "../base/errors.ts";
import { sha256 } from "../base/ids.ts";
import { keySource } from "../config/api-key.ts";
import type { Config } from "../config/config.ts";
import type { Env } from "../config/paths.ts";
import type { DreamRequest } from "../dream.ts";
import { type BudgetFacts, FREE } from "../gate/budget.ts";
import { type Breaker, type BreakerWorld, openBreaker } from "../ledger/breaker.ts";
import { openSpendBook, type SpendBook } from "../ledger/spend.ts";
import type { Clock, Files } from "../ports.ts";
import { NETWORK } from "./network.ts";

export interface MoneyWorld {
  readonly files: Files;
  readonly clock: Clock;
  readonly env: Env;
  /** Unique to each call. */
  readonly token: () => string;
  readonly config: Config;
  /** The state directory. */
  readonly state: string;
  /** IANA zone of the user. */
  readonly timeZone: () => string;
}

export interface Money {
  /** True for a distiller that may spend. */
  readonly paid: boolean;
  readonly book: SpendBook;
  readonly breaker: Breaker;
}

/** Opens nothing and reads nothing before it is asked. */
export function openMoney(world: MoneyWorld): Money {
  const { files, clock, token, config, state, timeZone } = world;
  return {
    paid: config.dream.distiller !== "extractive",
    book: openSpendBook({ files, clock, token, timeZone }, state),
    breaker: openBreaker({ files, clock, token, fingerprint: fingerprintOf(world) }, state),
  };
}

/** @param request who asks at once may find out by one request whether the endpoint is good again; what it answered since counts */
export function budgetFacts(
  { paid, book, breaker }: Money,
  request: Pick<DreamRequest, "now" | "askedAt">,
): BudgetFacts {
  if (!paid) return FREE;
  const { dayEnds, monthEnds, ...spent } = book.spent();
  const known = breaker.tripped();
  const tripped = request.now && (known?.since ?? 0) < (request.askedAt ?? Infinity) ? null : known;
  const broken = tripped && { reason: tripped.code, detail: tripped.message, until: tripped.until };
  return { paid, spent, dayEnds, monthEnds, broken };
}

/** Errors that the next scheduled dream would meet again, and that cost a request to meet or a person's attention to mend. */
const BREAKING: ReadonlySet<string> = new Set([
  "bad-key",
  "no-key",
  "no-credit",
  "unknown-model",
  "bad-base-url",
  "bad-proxy",
  "key-file-open",
  "key-file-unreadable",
  "key-command-failed",
  "key-unusable",
  "not-signed-in",
]);

export const isBreaking = (code: string): boolean => BREAKING.has(code);

/**
 * The key itself where reading it costs nothing; of a command its words alone: a password manager is not opened to ask whether
 * something changed.
 */
function fingerprintOf({ files, env, config }: MoneyWorld): BreakerWorld["fingerprint"] {
  return (salt) => {
    const source = keySource({ files, env, model: config.model });
    const key =
      source === null || source.from === "command"
        ? source
        : source.from === "environment"
          ? env[source.variable]
          : contentOf(files, source.path);
    const { dream, model, claude } = config;
    const account = dream.distiller === "claude" ? signInMark({ files, env }) : null;
    return sha256(JSON.stringify([salt, dream.distiller, model, claude, placeOf(env), key ?? null, account]));
  };
}

/** Changes when somebody signs in to Claude Code, where that leaves a trace in a file; what stands in the file is not read. */
function signInMark({ files, env }: Pick<MoneyWorld, "files" | "env">): readonly unknown[] {
  const folder = env["CLAUDE_CONFIG_DIR"] || `${env["HOME"]}/.claude`;
  const stat = files.stat(`${folder}/.credentials.json`);
  return [env["CLAUDE_CODE_OAUTH_TOKEN"] ?? null, stat?.mtime ?? null, stat?.ino ?? null];
}

/** Where the endpoint is, and the way there. */
const placeOf = (env: Env) => ["ANTHROPIC_BASE_URL", ...NETWORK].map((name) => env[name] ?? null);

/** With the mode: a file that was open to others and is not any more is worth another try. */
function contentOf(files: Files, path: string): string {
  try {
    return `${files.stat(path)?.mode} ${files.readText(files.realpath(path))}`;
  } catch (error) {
    const code = systemCode(error);
    if (code === null) throw error;
    return code;
  }
}
