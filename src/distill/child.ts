/**
 * What every forked child does: reads the brief in its current folder, runs the engine that its argument names, sends the last word, goes.
 * The brief's text is data: nothing of it is ever run, imported or taken as a path. The only file of the children that reads the process.
 */
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "../base/clock.ts";
import { isMemdError } from "../base/errors.ts";
import { parseBrief } from "../digest/parse-brief.ts";
import type { Brief } from "../ports.ts";
import type { EndpointWorld } from "./anthropic/endpoint.ts";
import { BRIEF_FILE } from "./brief-folder.ts";
import { fenceHoles, noFence } from "./fence.ts";
import { type Home, openHome } from "./home.ts";
import { type Failure, type FromChild, isFailureFamily } from "./protocol.ts";

/** Gives the plain data that is the child's last word: a proposal, or what else the engine was started for. */
export type Engine = (brief: Brief, home: Home, world: EndpointWorld) => unknown;

/** Where the parent put the channel. */
const CHANNEL_FD = 3;

const WORLD: EndpointWorld = { clock: systemClock, random: () => Math.random(), wait: (ms) => wait(ms) };

async function work(engine: Engine | undefined, name: string, home: Home): Promise<FromChild> {
  const holes = fenceHoles(BRIEF_FILE, process.execPath);
  if (holes.length > 0) throw noFence(holes.join(", "));
  await home.say({ type: "hello", fence: "node" });
  if (!engine) throw new Error(`no distiller is named ${JSON.stringify(name)}`);
  const brief = parseBrief(JSON.parse(readFileSync(BRIEF_FILE, "utf8")));
  return { type: "proposal", proposal: await engine(brief, home, WORLD) };
}

/** A bug of a distiller must not end the daemon: it is a refused run, whose brief is kept. */
function failureOf(error: unknown): Failure {
  if (isMemdError(error) && isFailureFamily(error.family)) {
    const { code, family, message, hint, retryAt } = error;
    return { code, family, message: message.slice(0, 2_000), hint: hint.slice(0, 500), retryAt };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    code: "distiller-bug",
    family: "rejected",
    message: `the distiller failed: ${text.slice(0, 1_900)}`,
    hint: "This is a bug in memd: please report it with the brief that memd kept.",
    retryAt: null,
  };
}

/** The whole life of a child; ends the process. */
export async function serve(engines: ReadonlyMap<string, Engine>): Promise<never> {
  const name = process.argv[2] ?? "";
  const home = openHome(new Socket({ fd: CHANNEL_FD }), () => process.exit(1));
  const last = await work(engines.get(name), name, home).catch(
    (error) => ({ type: "failed", ...failureOf(error) }) as const,
  );
  await home.say(last);
  process.exit(0);
}
