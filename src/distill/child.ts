/**
 * The forked child: reads the brief in its current folder, runs the distiller that its argument names, sends the proposal, goes.
 * The brief's text is data: nothing of it is ever run, imported or taken as a path.
 */
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { isMemdError } from "../base/errors.ts";
import { parseBrief } from "../digest/parse-brief.ts";
import { BRIEF_FILE } from "./brief-folder.ts";
import { ENGINES } from "./engines.ts";
import { fenceHoles, noFence } from "./fence.ts";
import { type Home, openHome } from "./home.ts";
import { type Failure, type FromChild, isFailureFamily } from "./protocol.ts";

/** Where the parent put the channel. */
const CHANNEL_FD = 3;

async function distill(name: string, home: Home): Promise<FromChild> {
  const holes = fenceHoles(BRIEF_FILE, process.execPath);
  if (holes.length > 0) throw noFence(holes.join(", "));
  await home.say({ type: "hello", fence: "node" });
  const engine = ENGINES.get(name);
  if (!engine) throw new Error(`no distiller is named ${JSON.stringify(name)}`);
  const brief = parseBrief(JSON.parse(readFileSync(BRIEF_FILE, "utf8")));
  return { type: "proposal", proposal: await engine(brief, home) };
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

const home = openHome(new Socket({ fd: CHANNEL_FD }), () => process.exit(1));
const last = await distill(process.argv[2] ?? "", home).catch(
  (error) => ({ type: "failed", ...failureOf(error) }) as const,
);
await home.say(last);
process.exit(0);
