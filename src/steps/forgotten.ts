/**
 * What a person had a client forget does not live on in memory: entries that rest on such sessions alone go to the archive, in a run that
 * can be undone; of those that rest on others too, only the quotes go. Sessions that are merely gone say nothing: clients delete old ones.
 */
import type { EvidenceRecord, Notice } from "../memory/changeset.ts";
import { statementKey } from "../memory/entry.ts";
import type { Entry, MemoryTree, Topic } from "../memory/model.ts";
import { nameEntries } from "../memory/named-entries.ts";
import type { AcceptedOperation, Citation } from "../memory/operation.ts";
import { limitsOf } from "../memory/store-limits.ts";
import { clientTeller } from "../sources/detect.ts";
import { editEvidence, readEvidence } from "../store/evidence.ts";
import type { Collection } from "./collect.ts";
import type { DreamWorld } from "./world.ts";

const REASON = "source-deleted";

interface Forgetting {
  readonly all: ReadonlySet<string>;
  /** Without those that an earlier run has seen to: what an undo brought back since then stays. */
  readonly fresh: ReadonlySet<string>;
  /** The latest of each entry. */
  readonly records: ReadonlyMap<string, EvidenceRecord>;
}

const nameOf = ({ client, session }: Pick<Citation, "client" | "session">) => `${client}:${session}`;

/** Null when nothing new is to be forgotten. */
function forgettingIn(world: DreamWorld, { collected }: Pick<Collection, "collected">): Forgetting | null {
  const { files, config, store, place } = world;
  const teller = clientTeller(files, config.formats);
  const all = new Set(
    collected.forgotten.map(({ path, session }) => nameOf({ client: store.format ?? teller(path), session })),
  );
  const known = new Set(world.state.current().forgotten);
  const fresh = new Set([...all].filter((name) => !known.has(name)));
  if (fresh.size === 0) return null;
  const { records } = readEvidence(files, place.evidence);
  return { all, fresh, records: new Map(records.map((record) => [`${record.topic}\n${record.key}`, record])) };
}

/** Entries of memd's that rest on nothing but forgotten sessions. */
function orphansIn(tree: MemoryTree, { all, fresh, records }: Forgetting): { topic: Topic; entry: Entry }[] {
  const isOrphan = (topic: Topic, entry: Entry) => {
    const citations = records.get(`${topic.slug}\n${statementKey(entry.statement)}`)?.citations ?? [];
    return citations.every((one) => all.has(nameOf(one))) && citations.some((one) => fresh.has(nameOf(one)));
  };
  return tree.topics.flatMap((topic) =>
    topic.entries.filter((entry) => isOrphan(topic, entry)).map((entry) => ({ topic, entry })),
  );
}

const mayGo = ({ topic, entry }: { topic: Topic; entry: Entry }) =>
  !entry.pinned && !topic.pinned && topic.locked === null;

/**
 * What goes in this run beside what was accepted: no more than any run may retire, and nothing that newer words have just changed. The
 * last of a topic first, since equal entries are counted from the top.
 */
export function retireForgotten(
  world: DreamWorld,
  gathered: Pick<Collection, "collected" | "snapshot">,
  accepted: readonly AcceptedOperation[],
): AcceptedOperation[] {
  const forgetting = forgettingIn(world, gathered);
  if (forgetting === null) return [];
  const { tree } = gathered.snapshot;
  const changed = new Set(accepted.flatMap(({ operation }) => nameEntries(operation)));
  return orphansIn(tree, forgetting)
    .filter((one) => mayGo(one) && !changed.has(one.entry.id))
    .slice(0, limitsOf(tree).maxRetired)
    .reverse()
    .map(({ topic: { slug }, entry: { id } }) => ({
      operation: { op: "retire", topic: slug, entry: id, reason: REASON, cites: [] },
      citations: [],
    }));
}

/**
 * After the memory was written: quotes of forgotten sessions go where others carry the entry, and the sessions are done with once nothing
 * rests on them alone. An entry that went keeps its evidence, which an undo needs.
 */
export function settleForgotten(
  world: DreamWorld,
  gathered: Pick<Collection, "collected" | "snapshot">,
  after: MemoryTree,
): Notice[] {
  const forgetting = forgettingIn(world, gathered);
  if (forgetting === null) return [];
  const { all, fresh } = forgetting;
  editEvidence(
    world.files,
    { path: world.place.evidence, token: `${world.lease.machineId}-forgotten` },
    { record: (record) => withoutQuotes(record, all), keepsDamaged: () => true },
  );
  const left = orphansIn(after, forgetting);
  if (!left.some(mayGo)) world.state.save({ forgotten: [...world.state.current().forgotten, ...fresh] });
  return noticeOf(orphansIn(gathered.snapshot.tree, forgetting).length - left.length, left.length);
}

function withoutQuotes(record: EvidenceRecord, all: ReadonlySet<string>): EvidenceRecord {
  const citations = record.citations.filter((one) => !all.has(nameOf(one)));
  return citations.length === 0 || citations.length === record.citations.length ? record : { ...record, citations };
}

function noticeOf(gone: number, left: number): Notice[] {
  if (gone + left === 0) return [];
  const rest =
    left === 0 ? "" : `; ${left} more stay for now: a run retires a quarter of a memory, and nothing that is pinned`;
  return [
    {
      code: REASON,
      message: `entries that rested on sessions which their client was told to forget went to the archive: ${gone}${rest}`,
      hint: "memd undo brings them back; memd forget takes them out of the archive and the records too.",
    },
  ];
}
