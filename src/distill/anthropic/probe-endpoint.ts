/** What an endpoint can do, found out by a fenced child: the parent holds the key, and a strange endpoint is met where nothing can be read. */
import { iso } from "../../base/clock.ts";
import { MemdError } from "../../base/errors.ts";
import type { Usage } from "../../ports.ts";
import { type ForkSetup, runChild } from "../fork.ts";
import { type Probed, readProbed } from "./ability.ts";

export interface ProbeJob {
  /** Id of the run that the few requests are booked on. */
  readonly run: string;
  /** Folder that the child may read, empty or missing; the caller removes it. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** No model has a say in what is probed: the brief is empty, and nothing is judged. */
const EMPTY = {
  schema: 1,
  store: "probe",
  digest: { sessions: [], tokens: 0, redacted: {}, taken: [] },
  memory: { topics: [], index: null, others: [] },
  context: [],
} as const;

/**
 * Tries the endpoint that `setup.desk` gives settings for: at most six requests of some hundred tokens, none repeated, each reserved at
 * that desk before and reported after.
 * @param setup `childPath` is the bundle of the anthropic child
 * @returns one finding for each ability, in a fixed order, and what was spent; an endpoint that is away or refuses the key is a finding too
 * @throws MemdError over-budget; and as a forked distiller does
 */
export async function probeEndpoint(
  setup: ForkSetup,
  { run, folder, signal }: ProbeJob,
): Promise<{ readonly abilities: readonly Probed[]; readonly usage: Usage }> {
  const brief = { ...EMPTY, now: iso(setup.clock.now()) };
  const judge = () => ({ accepted: false, rule: "malformed", detail: "nothing is judged here" }) as const;
  const { last, usage } = await runChild(setup, "probe", {
    run,
    folder,
    signal,
    brief,
    judge,
    progress: () => undefined,
  });
  const abilities = readProbed(last);
  if (abilities) return { abilities, usage };
  throw new MemdError({
    code: "child-protocol",
    family: "rejected",
    message: "the child that tried the endpoint gave no findings",
    hint: "This is a bug in memd: please report it.",
  });
}
