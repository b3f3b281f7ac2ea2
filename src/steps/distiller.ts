/** Which distiller a store's runs ask, by the configuration: one that spends is never chosen because a key happens to lie in the environment. */
import { dirname, join } from "node:path";
import type { Context } from "../commands/context.ts";
import { findKey } from "../config/api-key.ts";
import type { Config } from "../config/config.ts";
import { anthropicDistiller, lookThrough, type Prepared } from "../distill/anthropic/backend.ts";
import type { LookOrder } from "../distill/anthropic/batch-look.ts";
import { estimateOf } from "../distill/anthropic/estimate.ts";
import { priceOf } from "../distill/anthropic/prices.ts";
import type { AnthropicSettings } from "../distill/anthropic/settings.ts";
import type { Runtime } from "../distill/fence.ts";
import { forkedDistiller, NO_REQUESTS } from "../distill/fork.ts";
import { MINUTE } from "../gate/verdict.ts";
import { withoutForgotten } from "../ledger/forgetting.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { SpendBook } from "../ledger/spend.ts";
import { type Tombstones, wasForgotten } from "../ledger/tombstones.ts";
import type { Distiller, DistillJob, Looked, LookJob } from "../ports.ts";
import { usableBaseUrl } from "./base-url.ts";
import { batchDesk, isBatchless, type KeeperWorld, lookAtBatch } from "./batch-keeper.ts";
import type { Host } from "./build.ts";
import { claudeOf } from "./claude.ts";
import { openDesk, type PaidDesk } from "./desk.ts";
import { fenceWorld, kernelOf } from "./kernel.ts";
import { capsOf, gateLimits } from "./limits.ts";
import { caFile, proxyFor } from "./network.ts";

/** What a distiller that spends works with beside the context. */
export interface Till {
  readonly book: SpendBook;
  readonly ledger: () => Promise<Ledger>;
  readonly tombstones: Tombstones;
}

export function distillerOf(context: Context, host: Host, till: Till): Distiller {
  const named = host.config.dream.distiller;
  if (named === "extractive") return extractive(context, host);
  if (named === "anthropic") return anthropic(context, host, till);
  return claudeOf(context, host, till);
}

const runtimeOf = ({ node }: Host): Runtime => ({ node: node.path, flags: node.flags });

const kernelAround = (context: Context, { config, node }: Host, childPath: string) =>
  kernelOf(config, fenceWorld(context, node.path, childPath));

function extractive(context: Context, host: Host): Distiller {
  const { files, clock } = context;
  return forkedDistiller({
    name: "extractive",
    childPath: host.childPath,
    env: { LANG: "C.UTF-8" },
    files,
    clock,
    runtime: runtimeOf(host),
    kernel: kernelAround(context, host, host.childPath),
    desk: () => NO_REQUESTS,
    limits: { wallMs: host.config.dream.maxMinutes * MINUTE },
  });
}

function anthropic(context: Context, host: Host, till: Till): Distiller {
  const { files, clock } = context;
  const settings = settingsOnce(context, host.config);
  const childPath = join(dirname(host.childPath), "anthropic-child.mjs");
  const kernel = kernelAround(context, host, childPath);
  const setup = { childPath, files, clock, runtime: runtimeOf(host), kernel, caFile: caFile(context.env, files) };
  const keeper = keeperOf(context, host, till);
  const distiller = anthropicDistiller({
    ...setup,
    prepare: async (job) => {
      const known = await settings(job);
      const prepared = await prepare(context, host, { till, job, settings: known });
      if (!job.mayWait || isBatchless(keeper, known.baseURL)) return prepared;
      const desk = { ...prepared.desk, batch: batchDesk(keeper, prepared.desk.hold, known) };
      return { ...prepared, desk, settings: { ...known, batch: true } };
    },
    estimate: async (job) => {
      const known = await settings(job);
      const ledger = await till.ledger();
      return estimateOf(job.brief, known, (key) => ledger.cacheGet(key, clock.now()) !== null);
    },
  });
  const look = async (job: LookJob): Promise<Looked> => {
    const known = await settings(job);
    const through = async (order: LookOrder) => {
      const prepared = await prepare(context, host, { till, job, settings: known });
      return lookThrough(setup, prepared, { ...job, order });
    };
    const price = (model: string) => priceOf(model, host.config.model, "short");
    return lookAtBatch(keeper, job, { settings: known, price, through });
  };
  return { ...distiller, look };
}

function keeperOf({ files, clock, random }: Context, { config, store }: Host, { book }: Till): KeeperWorld {
  const token = () => Buffer.from(random(8)).toString("hex");
  return { files, clock, token, book, store, scanInterval: gateLimits(config).scanInterval };
}

/** The key of one run is looked for once: a password manager that asks for a finger should not ask twice. */
function settingsOnce(context: Context, config: Config) {
  let known: AnthropicSettings | null = null;
  return async ({ signal }: Pick<DistillJob, "signal">): Promise<AnthropicSettings> => {
    known ??= await settingsOf(context, config, signal);
    return known;
  };
}

async function prepare(
  context: Context,
  { config, store }: Host,
  by: { till: Till; job: Pick<DistillJob, "run">; settings: AnthropicSettings },
): Promise<Prepared & { readonly desk: PaidDesk }> {
  const { till, job, settings } = by;
  const { clock } = context;
  const ledger = await till.ledger();
  const cache = {
    cacheGet: (key: string) => ledger.cacheGet(key, clock.now()),
    // Asked before a person forgot it, answered afterwards: by a batch a day later.
    cachePut: (key: string, value: string) =>
      ledger.cachePut(
        key,
        withoutForgotten(value, (text) => wasForgotten(till.tombstones, text)),
        clock.now(),
      ),
  };
  const minutes = config.dream.maxMinutes;
  const desk = openDesk({ book: till.book, caps: capsOf(config), cache, clock, store: store.name, minutes }, job.run);
  const { wallMs, late, explain, close } = desk;
  return { settings, desk, wallMs, late, explain, close };
}

/** @throws MemdError misconfigured: no usable key, `bad-base-url` */
export async function settingsOf(
  { env, files }: Pick<Context, "env" | "files">,
  config: Config,
  signal: AbortSignal,
): Promise<AnthropicSettings> {
  const { model } = config;
  const baseURL = usableBaseUrl({ env }, config);
  const key = await findKey({ files, env, model }, signal);
  return {
    key: key.value,
    baseURL,
    proxy: proxyFor(env, baseURL)?.url.href ?? null,
    auth: key.kind === "token" ? "bearer" : model.auth,
    // One session at a time, split where it is long; the conversation over the memory may grow.
    extract: { name: model.extract, price: priceOf(model.extract, model, "short") },
    consolidate: { name: model.consolidate, price: priceOf(model.consolidate, model, "long") },
    maxTokens: model.maxTokens,
    parallel: model.parallel,
    idleSeconds: model.idleSeconds,
    requestSeconds: model.requestSeconds,
    keepRatePercent: model.keepRatePercent,
    tone: model.tone,
    batch: false,
  };
}
