/**
 * Adds to the part of a memory that a team shares, where the store says so: a run of its own over `team/`, with its own undo. It never
 * changes or removes what the team has.
 */
import { classify } from "../base/errors.ts";
import { rememberStore } from "../config/stores.ts";
import { openTombstones } from "../ledger/tombstones.ts";
import type { Notice } from "../memory/changeset.ts";
import { statementKey } from "../memory/entry.ts";
import type { Shareable } from "../memory/shared.ts";
import { titleOf } from "../memory/topic.ts";
import type { Store } from "../ports.ts";
import { readEvidence } from "../store/evidence.ts";
import { placeOf } from "./build.ts";
import { type Carried, carryInto } from "./carry.ts";
import { refreshProposal, sharingOf } from "./proposal.ts";
import { stateOf } from "./state.ts";
import type { DreamWorld } from "./world.ts";

/**
 * After the memory has changed, under its lease.
 * @returns what is wrong with the shared part; it never sinks the run
 */
export async function shareWithTeam(world: DreamWorld): Promise<Notice[]> {
  const notices = refreshProposal(world);
  try {
    const sharing = sharingOf(world);
    if (sharing?.target) await write(world, sharing.target, sharing.shareable);
    return notices;
  } catch (error) {
    const { message, hint } = classify(error, `share with the team in ${world.store.memory}`);
    return [...notices, { code: "team-failed", message, hint }];
  }
}

/** Only what a person's words carry; the rules judge it again, against what the team has. */
async function write(world: DreamWorld, memory: string, shareable: readonly Shareable[]): Promise<void> {
  const team = teamWorld(world, memory);
  const { records } = readEvidence(world.files, world.place.evidence);
  const carried = shareable.flatMap(({ topic, entry }): Carried[] => {
    const key = statementKey(entry.statement);
    const record = records.findLast((item) => item.topic === topic.slug && item.key === key);
    if (!record || topic.type === null || world.tombstones.has(key)) return [];
    const about = { slug: topic.slug, type: topic.type, title: titleOf(topic), description: topic.description ?? "" };
    const { statement, why, how } = entry;
    return [{ topic: about, statement, why: why ?? undefined, how: how ?? undefined, citations: record.citations }];
  });
  const run = await carryInto(team, carried, "team");
  if (run !== null) rememberStore(world.files, team.store, run);
}

function teamWorld(world: DreamWorld, memory: string): DreamWorld {
  const { files, lease, random, events } = world;
  const own: Store = {
    ...world.store,
    name: `${world.store.name}-team`,
    layout: "team",
    memory,
    sessions: [],
    logs: [],
  };
  const store: Store = { ...own, state: `${world.store.state}-team` };
  const place = placeOf(files, store, lease.machineId);
  const tombstones = openTombstones(files, store.state, random);
  return { ...world, store, place, sources: [], tombstones, state: stateOf(world, store, events) };
}
