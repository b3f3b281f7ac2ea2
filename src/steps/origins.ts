/**
 * Who wrote an entry, and since when it stands. Evidence tells memd's own; an agent's write in a transcript tells an agent's; what appeared
 * between two runs without one is a person's. What stood before memd's first run is an agent's of unknown age: newer words may correct it.
 */
import { basename } from "node:path";
import { iso } from "../base/clock.ts";
import { oneLine } from "../base/text.ts";
import { type KnownEntries, type KnownEntry, loadKnownEntries, saveKnownEntries } from "../ledger/known-entries.ts";
import { statementKey } from "../memory/entry.ts";
import type { Entry, MemoryTree, Topic } from "../memory/model.ts";
import type { Origin } from "../memory/rules/rule.ts";
import type { FileWrite } from "../ports.ts";
import { readEvidence } from "../store/evidence.ts";
import type { MemorySnapshot } from "../store/read.ts";
import type { DreamWorld } from "./world.ts";

/** What a run read of the agents' doings. */
export interface Doings {
  readonly writes: readonly FileWrite[];
  /** Sessions stay unread, whose writes are not known yet: nothing is taken for a person's. */
  readonly isPartial: boolean;
}

const nameOf = (topic: Topic, entry: Entry) => `${topic.slug}\n${statementKey(entry.statement)}`;

/** Looks an entry up; made once per run. @param doings null where no session was read: then nothing new is a person's */
export function originsOf(
  world: DreamWorld,
  snapshot: MemorySnapshot,
  doings: Doings | null = null,
): (topic: Topic, entry: Entry) => Origin {
  const own = ownNames(world);
  const known = loadKnownEntries(world.files, world.store.state);
  return (topic, entry) => {
    const name = nameOf(topic, entry);
    if (own.has(name)) return { by: "ours", foreignSince: null };
    const { by, since } = foreignOf(name, { known, topic, entry, snapshot, doings });
    return { by, foreignSince: since };
  };
}

function ownNames(world: DreamWorld): ReadonlySet<string> {
  const { records } = readEvidence(world.files, world.place.evidence);
  return new Set(records.map(({ topic, key }) => `${topic}\n${key}`));
}

interface Sight {
  readonly known: KnownEntries | null;
  readonly topic: Topic;
  readonly entry: Entry;
  readonly snapshot: MemorySnapshot;
  readonly doings: Doings | null;
}

/** A new entry appeared when its file was last written. */
function foreignOf(name: string, { known, topic, entry, snapshot, doings }: Sight): KnownEntry {
  const seen = known?.get(name);
  if (seen !== undefined) return seen;
  const mtime = snapshot.stats.get(topic.file)?.mtime;
  if (known === null || mtime === undefined) return { since: null, by: "agent" };
  const isPersons =
    doings !== null && !doings.isPartial && !doings.writes.some((write) => explains(write, topic, entry));
  return { since: iso(mtime), by: isPersons ? "person" : "agent" };
}

const fold = (text: string) => oneLine(text).normalize("NFC").toLowerCase();

/** Less says nothing: an edit that puts in "is" would explain everything. */
const TELLING_CHARS = 3;

/** The write holds the entry, or is the part of it that an edit changed. */
function explains({ path, text }: FileWrite, topic: Topic, entry: Entry): boolean {
  if (basename(path) !== topic.file) return false;
  const written = fold(text);
  return (
    written.includes(fold(entry.raw)) ||
    written.includes(fold(entry.statement)) ||
    (written.length >= TELLING_CHARS && fold(entry.raw).includes(written))
  );
}

/** Far more foreign entries than 200 topics hold; those that left memory go first. */
const MAX_KNOWN = 10_000;

/**
 * Notes what stood in memory, for the next run's question. What appeared while this run was at work is left to the next one, which reads
 * the sessions that may explain it; what has left is remembered too, since an undo may bring it back.
 */
export function rememberEntries(
  world: DreamWorld,
  seen: { readonly snapshot: MemorySnapshot; readonly doings: Doings },
  now: MemoryTree,
): void {
  const originOf = originsOf(world, seen.snapshot, seen.doings);
  const stood = new Map(
    seen.snapshot.tree.topics.flatMap((topic) =>
      topic.entries.flatMap((entry): [string, KnownEntry][] => {
        const { by, foreignSince } = originOf(topic, entry);
        return by === "ours" ? [] : [[nameOf(topic, entry), { since: foreignSince, by }]];
      }),
    ),
  );
  const before = loadKnownEntries(world.files, world.store.state) ?? new Map<string, KnownEntry>();
  const all = new Map([...before, ...stood]);
  const stands = new Set(now.topics.flatMap((topic) => topic.entries.map((entry) => nameOf(topic, entry))));
  for (const name of all.keys()) {
    if (all.size <= MAX_KNOWN) break;
    if (!stands.has(name)) all.delete(name);
  }
  saveKnownEntries(world.files, world.store.state, all);
}
