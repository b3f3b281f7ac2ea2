/** Who wrote an entry, and since when it stands: evidence tells memd's own, an earlier run's look tells how old the others are. */
import { iso } from "../base/clock.ts";
import { type KnownEntries, loadKnownEntries, saveKnownEntries } from "../ledger/known-entries.ts";
import { statementKey } from "../memory/entry.ts";
import type { Entry, MemoryTree, Topic } from "../memory/model.ts";
import type { Origin } from "../memory/rules/rule.ts";
import { readEvidence } from "../store/evidence.ts";
import type { MemorySnapshot } from "../store/read.ts";
import type { DreamWorld } from "./world.ts";

const nameOf = (topic: Topic, entry: Entry) => `${topic.slug}\n${statementKey(entry.statement)}`;

/** Looks an entry up; made once per run. */
export function originsOf(world: DreamWorld, snapshot: MemorySnapshot): (topic: Topic, entry: Entry) => Origin {
  const own = ownNames(world);
  const known = loadKnownEntries(world.files, world.store.state);
  return (topic, entry) => {
    const name = nameOf(topic, entry);
    if (own.has(name)) return { by: "ours", foreignSince: null };
    return { by: "agent", foreignSince: sinceOf(name, { known, topic, snapshot }) };
  };
}

function ownNames(world: DreamWorld): ReadonlySet<string> {
  const { records } = readEvidence(world.files, world.place.evidence);
  return new Set(records.map(({ topic, key }) => `${topic}\n${key}`));
}

/** An entry that the first run finds is of unknown age; a later one appeared when its file was last written. */
function sinceOf(name: string, at: { known: KnownEntries | null; topic: Topic; snapshot: MemorySnapshot }): string | null {
  const seen = at.known?.get(name);
  if (seen !== undefined) return seen;
  const mtime = at.snapshot.stats.get(at.topic.file)?.mtime;
  return at.known === null || mtime === undefined ? null : iso(mtime);
}

/** Notes what stands in memory now, for the next run's question. */
export function rememberEntries(world: DreamWorld, snapshot: MemorySnapshot, now: MemoryTree): void {
  const originOf = originsOf(world, snapshot);
  const entries = now.topics.flatMap((topic) =>
    topic.entries.flatMap((entry): [string, string | null][] => {
      const { by, foreignSince } = originOf(topic, entry);
      return by === "ours" ? [] : [[nameOf(topic, entry), foreignSince]];
    }),
  );
  saveKnownEntries(world.files, world.store.state, new Map(entries));
}
