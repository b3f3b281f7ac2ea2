/** The claude distiller of a store's runs: which program, on whose account, under which caps. */
import { dirname } from "node:path";
import type { Context } from "../commands/context.ts";
import { findKey } from "../config/api-key.ts";
import type { Config } from "../config/config.ts";
import { priceOf } from "../distill/anthropic/prices.ts";
import { estimateOf } from "../distill/claude/estimate.ts";
import { noClaude } from "../distill/claude/failure.ts";
import { findClaude } from "../distill/claude/find.ts";
import { claudeDistiller } from "../distill/claude/index.ts";
import type { ClaudeSettings } from "../distill/claude/settings.ts";
import type { Brief, Distiller, DistillJob } from "../ports.ts";
import { usableBaseUrl } from "./base-url.ts";
import type { Host } from "./build.ts";
import { claudeFence } from "./claude-fence.ts";
import { leftOf } from "./consent.ts";
import { openDesk } from "./desk.ts";
import type { Till } from "./distiller.ts";
import { capsOf } from "./limits.ts";
import { NETWORK } from "./network.ts";

/** It has no ledger of extractions: nothing of its answers is kept beyond the run. */
const NO_CACHE = { cacheGet: () => null, cachePut: () => undefined };

/** Tokens: long enough for any proposal; what an answer may cost at most is reserved before it is asked for. */
export const LONGEST_ANSWER = 8_000;

export function claudeOf(context: Context, host: Host, { book }: Pick<Till, "book">): Distiller {
  const { files, clock } = context;
  const { config, store } = host;
  let asked: { readonly brief: Brief; readonly settings: Promise<ClaudeSettings> } | null = null;
  // Once per brief: a password manager that asks for a finger should not ask twice.
  const settings = ({ brief, signal }: Pick<DistillJob, "brief" | "signal">): Promise<ClaudeSettings> => {
    if (asked?.brief !== brief) asked = { brief, settings: settingsOf(context, host, { book, signal }) };
    return asked.settings;
  };
  return claudeDistiller({
    files,
    estimate: async (job) => estimateOf(job.brief, await settings(job)),
    prepare: async (job) => {
      const known = await settings(job);
      const fenced = await claudeFence(context, host, known);
      if (fenced.note !== null) job.progress(fenced.note);
      const minutes = config.dream.maxMinutes;
      const world = { book, caps: capsOf(config), cache: NO_CACHE, clock, store: store.name, minutes };
      const { wallMs, late, explain, close, ...till } = openDesk(world, job.run);
      return { settings: known, held: fenced.held, till, wallMs, late, explain, close };
    },
  });
}

/** @throws MemdError misconfigured: `no-claude`, no usable key */
async function settingsOf(
  context: Context,
  { config, node }: Host,
  { book, signal }: { readonly book: Till["book"]; readonly signal: AbortSignal },
): Promise<ClaudeSettings> {
  const { files, env } = context;
  const { claude, model } = config;
  const program = findClaude(files, env, claude.path);
  if (program === null) throw noClaude(claude.path === null ? "none is on the PATH" : `${claude.path} is no program`);
  const key = claude.useKey ? await findKey({ files, env, model }, signal) : null;
  const account = key === null ? signedIn(env) : keyed(context, config, key.value, key.kind);
  return {
    program,
    model: claude.model,
    // The conversation may grow.
    priceOf: (name) => priceOf(name, model, "long"),
    maxTurns: claude.maxTurns,
    maxTokens: Math.min(model.maxTokens, LONGEST_ANSWER),
    left: leftOf(book.spent(), capsOf(config)),
    silentMs: model.requestSeconds * 1_000,
    keepRatePercent: model.keepRatePercent,
    tone: model.tone,
    ...account,
    env: { ...hostEnv(env, [program, node.path]), ...account.env },
  };
}

type Account = Pick<ClaudeSettings, "env" | "secret" | "payer">;

/** HOME finds the sign-in, the names of the user find it in the keychain of macOS. Nothing else of memd's environment goes along. */
const INHERITED = ["HOME", "USER", "LOGNAME", "TZ", "CLAUDE_CONFIG_DIR", ...NETWORK];

/** @param programs whose folders stand first on its PATH */
export function hostEnv(env: Context["env"], programs: readonly string[]): Record<string, string> {
  const folders = programs.map((program) => dirname(program));
  const path = [...new Set([...folders, "/usr/local/bin", "/usr/bin", "/bin"])].join(":");
  return { ...pick(env, INHERITED), PATH: path };
}

function pick(env: Context["env"], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

/** A token of `claude setup-token` is made for this use. A key of the API is not taken from the environment: it is another purse. */
function signedIn(env: Context["env"]): Account {
  const token = env["CLAUDE_CODE_OAUTH_TOKEN"] || null;
  return {
    env: token === null ? {} : { CLAUDE_CODE_OAUTH_TOKEN: token },
    secret: token,
    payer: "it spends on the plan or account that Claude Code is signed in with on this machine",
  };
}

function keyed(context: Context, config: Config, key: string, kind: "key" | "token"): Account {
  const variable = kind === "key" ? "ANTHROPIC_API_KEY" : "ANTHROPIC_AUTH_TOKEN";
  const url = usableBaseUrl(context, config);
  return {
    env: { [variable]: key, ANTHROPIC_BASE_URL: url },
    secret: key,
    payer: `it spends on the key of the configuration, at ${new URL(url).host} (claude.useKey)`,
  };
}
