/** Tries what the endpoint of the configuration can do; the few requests are reserved and counted like any other. */
import { dirname, join } from "node:path";
import { runId } from "../base/ids.ts";
import type { Ability, Probed } from "../distill/anthropic/ability.ts";
import { trusting } from "../distill/anthropic/backend.ts";
import { probeEndpoint } from "../distill/anthropic/probe-endpoint.ts";
import type { ParentDesk } from "../distill/fork.ts";
import { openDesk } from "../steps/desk.ts";
import { settingsOf } from "../steps/distiller.ts";
import { fenceWorld, kernelOf } from "../steps/kernel.ts";
import { capsOf } from "../steps/limits.ts";
import { openMoney } from "../steps/money.ts";
import { caFile } from "../steps/network.ts";
import { removeFolder } from "../steps/remove-folder.ts";
import { type Finding, fine, remark, unable, wrong } from "./finding.ts";
import type { RepairWorld } from "./repair.ts";

/** Without these there is no distilling; the others only make it cheaper or surer. */
const NEEDED: ReadonlySet<Ability> = new Set(["reachable", "key", "models", "streaming", "tools"]);

const WITHOUT: Readonly<Partial<Record<Ability, string>>> = {
  "structured-output": "memd asks for JSON in words, and checks the answer as it always does.",
  caching: "Every turn of a conversation is paid for in full.",
  "count-tokens": "memd counts by itself, and reserves somewhat more.",
  batches: "Leave model.batch off.",
};

/** Code `distiller` when there is nothing to probe; else one finding per ability, `endpoint-…`. */
export async function probeFindings(world: RepairWorld, signal: AbortSignal): Promise<readonly Finding[]> {
  if (world.config.dream.distiller !== "anthropic")
    return [remark("distiller", "there is no endpoint to try", "Set dream.distiller to anthropic.")];
  try {
    return (await probed(world, signal)).map(findingOf);
  } catch (error) {
    return [unable("try the endpoint", error)];
  }
}

async function probed(world: RepairWorld, signal: AbortSignal): Promise<readonly Probed[]> {
  const { files, clock, env, paths, config, host, random } = world;
  const settings = await settingsOf({ env, files }, config, signal);
  const token = () => Buffer.from(random(8)).toString("hex");
  const timeZone = () => config.dream.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { book, breaker } = openMoney({ files, clock, env, token, config, state: paths.state, timeZone });
  const run = runId(clock.now(), random);
  const desk = openDesk({ book, caps: capsOf(config), cache: NO_CACHE, clock, store: "probe", minutes: MINUTES }, run);
  const folder = join(paths.state, "briefs", run);
  files.mkdir(dirname(folder), 0o700);
  const childPath = join(dirname(host.childPath), "anthropic-child.mjs");
  try {
    const { abilities } = await probeEndpoint(
      {
        childPath,
        kernel: kernelOf(config, fenceWorld(world, host.node, childPath)),
        ...trusting(caFile(env, files)),
        files,
        clock,
        runtime: { node: host.node, flags: host.nodeFlags },
        desk: () => ({ ...desk, settings: () => settings }),
      },
      { run, folder, signal },
    );
    if (abilities.every(({ ability, able }) => !NEEDED.has(ability) || able !== false)) breaker.mend();
    return abilities;
  } catch (error) {
    throw desk.explain(error);
  } finally {
    desk.close();
    removeFolder(files, folder);
  }
}

/** Nothing that a probe hears is kept. */
const NO_CACHE: Pick<ParentDesk, "cacheGet" | "cachePut"> = { cacheGet: () => null, cachePut: () => undefined };
/** Wall time that is reserved; six requests take less. */
const MINUTES = 10;

function findingOf({ ability, able, detail }: Probed): Finding {
  const code = `endpoint-${ability}`;
  const name = ability.replaceAll("-", " ");
  if (able === true) return fine(code, `the endpoint: ${name} (${detail})`);
  if (able === null) return remark(code, `the endpoint: ${name} was not tried`, "Mend what was found before it.");
  const message = `the endpoint: no ${name}: ${detail}`;
  return NEEDED.has(ability)
    ? wrong(code, message, "Check model.baseUrl, the key and the models of the configuration.")
    : remark(code, message, WITHOUT[ability] ?? "memd does without.");
}
