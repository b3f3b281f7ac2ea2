/** Takes statements that one memory holds into another one, with the words that carry them: judged by every rule, recorded, undoable. */
import type { Digest, DigestSession } from "../digest/digest.ts";
import { judge } from "../memory/judge.ts";
import type { MemoryTree, MemoryType } from "../memory/model.ts";
import type { AcceptedOperation, Citation, Cite, Operation } from "../memory/operation.ts";
import { apply } from "../store/apply.ts";
import { readMemory } from "../store/read.ts";
import { byHand, type Hand, keepUndo, recordByHand } from "./by-hand.ts";
import { compileStep } from "./compile.ts";
import { filesOf } from "./files-of.ts";
import { originsOf } from "./origins.ts";
import type { DreamWorld } from "./world.ts";

export interface Carried {
  /** Where it goes; made when it is not there. */
  readonly topic: {
    readonly slug: string;
    readonly type: MemoryType;
    readonly title: string;
    readonly description: string;
  };
  readonly statement: string;
  readonly why?: string | undefined;
  readonly how?: string | undefined;
  readonly citations: readonly Citation[];
}

/**
 * Adds and never takes away: what the other memory says otherwise stays as it stands there.
 * @param cause what the run is called in the ledger
 * @returns the run's id; null when nothing was taken, or the lock is held: the next dream tries again
 */
export async function carryInto(world: DreamWorld, carried: readonly Carried[], cause: string): Promise<string | null> {
  if (carried.length === 0) return null;
  const done = await byHand(world, (hand) => carryUnder(world, hand, { carried, cause }));
  return done === null || typeof done === "string" ? done : null;
}

async function carryUnder(
  world: DreamWorld,
  hand: Hand,
  { carried, cause }: { carried: readonly Carried[]; cause: string },
): Promise<string | null> {
  const { place, files, store } = world;
  const accepted = judged(world, hand, carried);
  if (accepted.length === 0) return null;
  const result = apply({
    ...place,
    files,
    changeset: compileStep(world, hand, { snapshot: hand.snapshot, accepted }),
    run: { id: hand.id, at: hand.at },
    snapshot: hand.snapshot,
    recompile: (snapshot, leave) => compileStep(world, hand, { snapshot, accepted, leave }),
    record: keepUndo(world),
    mayWrite: hand.mayWrite,
  });
  if (result.outcome !== "applied") return null;
  const { topics } = readMemory(files, store.memory).tree;
  const entries = topics.reduce((sum, topic) => sum + topic.entries.length, 0);
  world.state.save({ shape: { topics: topics.length, entries } });
  const { changes } = result.changeset;
  await recordByHand(world, hand, { cause, files: filesOf(result.changeset.files), changes });
  return hand.id;
}

function judged(world: DreamWorld, hand: Hand, carried: readonly Carried[]): readonly AcceptedOperation[] {
  const { operations, digest } = proposalOf(carried, hand.snapshot.tree);
  const context = {
    now: hand.at,
    digest,
    context: [],
    tree: hand.snapshot.tree,
    timeZone: world.timeZone,
    isTombstone: (key: string) => world.tombstones.has(key),
    originOf: originsOf(world, hand.snapshot),
  };
  const { accepted } = judge({ operations }, context);
  return accepted.filter(({ operation: { op } }) => op === "add" || op === "create-topic");
}

/** The quotes as sessions of their own, so that the same rules judge them that judge every proposal. */
function proposalOf(carried: readonly Carried[], tree: MemoryTree): { operations: Operation[]; digest: Digest } {
  const sessions: DigestSession[] = [];
  const cite = (citation: Citation): Cite => {
    sessions.push(sessionOf(citation, `S${sessions.length + 1}`));
    return { utterance: `S${sessions.length}:1`, quote: citation.quote };
  };
  const known = new Set(tree.topics.map(({ slug }) => slug));
  const operations = carried.flatMap(({ topic, statement, why, how, citations }): Operation[] => {
    const { slug, ...about } = topic;
    const create: Operation[] = known.has(slug) ? [] : [{ op: "create-topic", topic: slug, ...about }];
    known.add(slug);
    return [...create, { op: "add", topic: slug, text: statement, why, how, cites: citations.map(cite) }];
  });
  return { operations, digest: { sessions, tokens: 0, redacted: {}, taken: [] } };
}

function sessionOf(
  { session, client, file, line, record, speaker, at, quote }: Citation,
  label: string,
): DigestSession {
  const time = at === null ? Number.NaN : Date.parse(at);
  const who = speaker === "log" ? ("log" as const) : ("user" as const);
  const utterance = { label: `${label}:1`, speaker: who, trust: who, text: quote, line, record, dates: [] };
  const utterances = [{ ...utterance, at: Number.isNaN(time) ? null : time }];
  return { label, session, client, file, cwd: null, headless: false, utterances };
}
