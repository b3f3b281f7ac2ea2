/** Step `digest`: the words become numbered, redacted, dated and bounded evidence. */

import { makeBreath } from "../base/breath.ts";
import { iso } from "../base/clock.ts";
import { sealBrief } from "../digest/brief.ts";
import type { Digest } from "../digest/digest.ts";
import { makeDigest } from "../digest/make.ts";
import type { Run } from "../dream.ts";
import type { Brief } from "../ports.ts";
import type { Collection } from "./collect.ts";
import type { DreamWorld } from "./world.ts";

export function digestStep(world: DreamWorld) {
  return async (run: Run, { words }: Collection): Promise<Digest> => {
    run.request.progress("digest", `${words.length} sessions`);
    const digest = await makeDigest(words, {
      tokens: world.config.dream.evidenceTokens,
      timeZone: world.timeZone,
      redactor: await world.redactor(),
      breath: makeBreath(world.clock),
    });
    run.facts.utterances = digest.sessions.reduce((sum, { utterances }) => sum + utterances.length, 0);
    run.facts.evidenceTokens = digest.tokens;
    run.facts.redacted = digest.redacted;
    noteLeft(run, digest);
    return digest;
  };
}

/** What the budget cut off is read in part or left; both stay unread. */
function noteLeft(run: Run, digest: Digest): void {
  const cut = digest.taken.filter(({ until }) => until !== "all").length;
  const sessions = run.facts.sessions;
  if (!sessions) return;
  const untouched = digest.taken.filter(({ until }) => until === 0).length;
  run.facts.sessions = { ...sessions, read: sessions.read - untouched, left: sessions.left + cut };
}

/** What the distiller may see, as one value. */
export function briefStep(world: DreamWorld) {
  return async (run: Run, { snapshot, context }: Collection, digest: Digest): Promise<Brief> => {
    const brief: Brief = {
      schema: 1,
      store: world.store.name,
      now: iso(run.startedAt),
      digest,
      memory: snapshot.tree,
      context,
    };
    return sealBrief(brief, await world.redactor());
  };
}
