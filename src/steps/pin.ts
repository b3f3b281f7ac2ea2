/** Marks entries that no dream may change, or takes the mark off again; as one transaction that can be undone. */
import { MemdError } from "../base/errors.ts";
import type { Change } from "../memory/changeset.ts";
import { editPins } from "../memory/pin.ts";
import { readOwnLines } from "../store/own-lines.ts";
import type { MemorySnapshot } from "../store/read.ts";
import { type Plan, transact } from "../store/transaction.ts";
import { byHand, type FileFates, type Hand, keepUndo, recordByHand } from "./by-hand.ts";
import { filesOf } from "./files-of.ts";
import { type Match, matchEntries } from "./matching.ts";
import type { DreamWorld } from "./world.ts";

export interface PinConflict {
  readonly file: string;
  /** `not-writable`: the file is locked, or the mark finds no place in the entry. `changed-meanwhile`: others kept writing. */
  readonly reason: "not-writable" | "changed-meanwhile";
  readonly entries: readonly string[];
}

export interface PinDone {
  readonly run: string | null;
  readonly files: FileFates;
  /** Entries whose mark changed; those that were so already do not count. */
  readonly entries: number;
  readonly conflicts: readonly PinConflict[];
}

/** Entries of one store that a person named. */
export interface Named {
  readonly world: DreamWorld;
  readonly snapshot: MemorySnapshot;
  readonly matches: readonly Match[];
}

/**
 * The entries meant by the words, in all stores.
 * @throws MemdError usage: `no-such-entry`; `ambiguous-entry` for more than one without `all`, naming them
 */
export function chooseEntries(
  read: readonly { world: DreamWorld; snapshot: MemorySnapshot }[],
  ask: { words: string; all: boolean },
): Named[] {
  const found = read
    .map(({ world, snapshot }) => ({ world, snapshot, matches: matchEntries(snapshot.tree, ask.words) }))
    .filter(({ matches }) => matches.length > 0);
  const entries = found.flatMap(({ matches }) => matches);
  if (entries.length === 0) {
    throw new MemdError({
      code: "no-such-entry",
      family: "usage",
      message: `no entry matches ${JSON.stringify(ask.words)}`,
      hint: "memd why TEXT finds entries by their words.",
    });
  }
  if (entries.length > 1 && !ask.all) {
    const list = entries.map(({ topic, entry }) => `\n  ${topic.slug}: ${entry.statement}`).join("");
    throw new MemdError({
      code: "ambiguous-entry",
      family: "usage",
      message: `${entries.length} entries match ${JSON.stringify(ask.words)}:${list}`,
      hint: "Give more of the entry's words, or --all.",
    });
  }
  return found;
}

interface PinPlan {
  readonly plan: Plan;
  readonly conflicts: readonly PinConflict[];
}

function planPins(
  world: DreamWorld,
  snapshot: MemorySnapshot,
  mark: { words: ReadonlySet<string>; pinned: boolean; leave: ReadonlySet<string> },
): PinPlan {
  const conflicts: PinConflict[] = [];
  const files: Plan["files"][number][] = [];
  const changes: Change[] = [];
  for (const topic of snapshot.tree.topics) {
    const entries = topic.entries.filter(({ id }) => mark.words.has(id));
    if (entries.length === 0 || mark.leave.has(topic.file)) continue;
    const edit = editPins(topic, mark.words, mark.pinned);
    if (edit === null) {
      conflicts.push({ file: topic.file, reason: "not-writable", entries: entries.map(({ raw }) => raw) });
      continue;
    }
    files.push({ file: topic.file, before: topic.text, after: edit.text, mtime: null });
    const reason = mark.pinned ? "pinned" : "unpinned";
    changes.push(
      ...edit.changed.map(
        ({ before, after }): Change => ({
          operation: "revise",
          topic: topic.slug,
          before,
          after,
          reason,
          citations: [],
        }),
      ),
    );
  }
  const nothing = { retired: [], evidenceAdded: [], evidenceRemoved: [] };
  return { plan: { files, changes, ...nothing, ownLines: readOwnLines(world.files, world.store.memory) }, conflicts };
}

/** Marks the named entries of one store; a value for the held lock, as a dream has one. */
export async function pinEntries(named: Named, pinned: boolean): Promise<PinDone | { readonly held: string }> {
  const words = new Set(named.matches.map(({ entry }) => entry.id));
  return byHand(named.world, (hand) => pinUnder(named.world, hand, { words, pinned }));
}

async function pinUnder(
  world: DreamWorld,
  hand: Hand,
  mark: { words: ReadonlySet<string>; pinned: boolean },
): Promise<PinDone> {
  let planned = planPins(world, hand.snapshot, { ...mark, leave: new Set() });
  const replan = (snapshot: MemorySnapshot, leave: ReadonlySet<string>) => {
    planned = planPins(world, snapshot, { ...mark, leave });
    return planned.plan;
  };
  const run = { id: hand.id, at: hand.at };
  const job = {
    place: { ...world.place, files: world.files },
    kind: "apply" as const,
    run,
    snapshot: hand.snapshot,
    plan: planned.plan,
  };
  const done = transact({ ...job, replan, record: keepUndo(world), mayWrite: hand.mayWrite });
  const left = done.left.map((file): PinConflict => ({ file, reason: "changed-meanwhile", entries: [] }));
  const conflicts = [...planned.conflicts, ...left];
  const applied = done.outcome === "applied";
  const files = filesOf(applied && done.undo ? done.undo.files : []);
  const changes = applied && done.undo ? done.undo.changes : [];
  if (applied) await recordByHand(world, hand, { cause: mark.pinned ? "pin" : "unpin", files, changes });
  return { run: applied ? hand.id : null, files, entries: changes.length, conflicts };
}
