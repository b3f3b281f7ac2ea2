import { classify, EXIT, MemdError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import { nearest } from "../config/nearest.ts";
import type { DreamRequest } from "../dream.ts";
import type { Store } from "../ports.ts";
import type { Ended } from "../steps/run.ts";
import { type Command, type Input, STORE_OPTIONS, usage } from "./command.ts";
import { consentFor } from "./consent.ts";
import { type Context, printJson } from "./context.ts";
import { paintFor } from "./paint.ts";
import { type Progress, progressFor } from "./progress.ts";
import { renderRun } from "./render-run.ts";

export const dreamCommand: Command = {
  name: "dream",
  summary: "consolidate the stores whose gates are open",
  operands: "",
  options: {
    now: { type: "boolean", help: "at once: skip time, cool-down, throttle and sessions; never lock, rules, budget" },
    "dry-run": { type: "boolean", help: "all steps up to validate; print the changes as a diff; touch nothing" },
    headless: { type: "boolean", help: "read one-shot headless sessions too" },
    distiller: { type: "string", value: "NAME", help: "extractive (no model, no cost), anthropic or claude" },
    "keep-brief": { type: "boolean", help: "keep what the distiller was given" },
    yes: { type: "boolean", help: "answer yes to every question, also whether to spend" },
    ...STORE_OPTIONS,
  },
  example: "memd dream --now --dry-run --store app",
  exits: [
    [0, "done or unchanged"],
    [2, "usage"],
    [3, "not due: a gate is closed, or the estimate was declined (no store ran)"],
    [4, "held: another run has the lock (no store ran)"],
    [5, "unavailable: disk full, I/O error, network, an overloaded endpoint; try again later"],
    [6, "rejected: the proposal broke a limit"],
    [7, "over budget: a cap on money, tokens, requests or time"],
    [78, "misconfigured, or no usable key"],
    [130, "interrupted"],
  ],
  run: runDream,
};

/** With several stores the worst outcome decides, in this order; 3 and 4 only when no store ran. */
const WORST: readonly number[] = [130, 78, 1, 6, 7, 5, 0, 4, 3];

/** The exit code of a whole command. No store at all is misconfigured by the caller. */
function worstExit(codes: readonly number[]): number {
  return WORST.find((code) => codes.includes(code)) ?? 0;
}

async function runDream(context: Context, input: Input): Promise<number> {
  const named = distillerFlag(input);
  const { composeStores, runStore } = await import("../compose.ts");
  const { config: loaded, stores } = await composeStores(context, input, { discover: true });
  const config = named === null ? loaded : { ...loaded, dream: { ...loaded.dream, distiller: named } };
  if (stores.length === 0) throw noStores(context);
  const ended: Ended[] = [];
  const askedAt = context.clock.now();
  for (const store of stores) {
    if (context.signal.aborted) break;
    const progress = progressFor(context);
    const request = requestOf(context, input, { store: store.name, askedAt, progress });
    ended.push(await runStore(context, { config, store, headless: input.flag("headless") }, request));
    progress.end();
  }
  const mayTell = !input.flag("dry-run") && input.text("memory") === null;
  const told = mayTell ? await tellPerson(context, { config, stores, ended }) : null;
  print(context, input, ended);
  if (told !== null && !input.flag("json"))
    context.stdout.write(`\nWhat several projects say of you alike is in a memory of your own: memd show ${told}\n`);
  return context.signal.aborted ? EXIT.interrupted : worstExit(ended.map(({ exit }) => exit));
}

/** What the projects have now said of the user alike goes to the user's own memory. What is wrong there is no fault of theirs. */
async function tellPerson(
  context: Context,
  { config, stores, ended }: { config: Config; stores: readonly Store[]; ended: readonly Ended[] },
): Promise<string | null> {
  if (!config.person.enabled || context.signal.aborted) return null;
  if (!ended.some(({ report }) => report.outcome === "done")) return null;
  const { composeDream } = await import("../compose.ts");
  const { personStore } = await import("../config/stores.ts");
  const { rememberPerson } = await import("../steps/person.ts");
  const store = personStore(context.paths, config);
  const world = await composeDream(context, { config, store, headless: false });
  try {
    return await rememberPerson(world, stores);
  } catch (error) {
    const { message, hint } = classify(error, `write the user's own memory in ${store.memory}`);
    context.stderr.write(`${message}\n${hint}\n`);
    return null;
  } finally {
    await world.close();
  }
}

function requestOf(
  context: Context,
  input: Input,
  of: { store: string; askedAt: number; progress: Progress },
): DreamRequest {
  const { store, askedAt, progress } = of;
  return {
    now: input.flag("now"),
    askedAt,
    dryRun: input.flag("dry-run"),
    keepBrief: input.flag("keep-brief"),
    cause: input.flag("now") ? "now" : "scan",
    consent: consentFor(context, input, { store, before: progress.end }),
    progress: progress.step,
  };
}

const DISTILLERS = ["extractive", "anthropic", "claude"] as const;

function distillerFlag(input: Input): (typeof DISTILLERS)[number] | null {
  const given = input.text("distiller");
  const found = DISTILLERS.find((name) => name === given) ?? null;
  if (given === null || found !== null) return found;
  const near = nearest(given, DISTILLERS);
  const known = `There are ${DISTILLERS.join(", ")}.`;
  throw usage(
    `there is no distiller ${JSON.stringify(given)}`,
    near ? `Did you mean --distiller ${near}? ${known}` : known,
  );
}

function print(context: Context, input: Input, ended: readonly Ended[]): void {
  if (input.flag("json")) {
    printJson(context, { runs: ended.map(toJson) });
    return;
  }
  const paint = paintFor(context);
  const texts = ended.map(({ report, diff }) =>
    diff === null ? renderRun(report, paint) : `${renderRun({ ...report, changes: [] }, paint)}\n${diff}`,
  );
  context.stdout.write(texts.join("\n"));
}

/** Without the changes, which `show` prints; with the diff where it is a dry run. */
function toJson({ report, diff }: Ended) {
  const { changes: _, ...rest } = report;
  return diff === null ? rest : { ...rest, diff };
}

function noStores(context: Context): MemdError {
  return new MemdError({
    code: "no-store",
    family: "misconfigured",
    message: "no agent's sessions were found on this machine, and no store is configured",
    hint: `Name one: memd dream --now --memory DIR --sessions DIR, or list it in ${context.paths.configFile}.`,
  });
}
