/** The user's own memory: what several projects' memories say of the person. It has no sessions of its own; their evidence feeds it. */
import { basename, dirname } from "node:path";
import { rememberStore } from "../config/stores.ts";
import type { Digest, DigestSession } from "../digest/digest.ts";
import { statementKey } from "../memory/entry.ts";
import { judge } from "../memory/judge.ts";
import type { AcceptedOperation, Citation, Cite, Operation } from "../memory/operation.ts";
import { type Habit, habitsIn, type Told } from "../memory/person.ts";
import type { Files, Store } from "../ports.ts";
import { remoteNames } from "../sources/moves.ts";
import { apply } from "../store/apply.ts";
import { evidencePath, readEvidence } from "../store/evidence.ts";
import { laidOut } from "../store/layout.ts";
import { readMemory } from "../store/read.ts";
import { byHand, type Hand, keepUndo, recordByHand } from "./by-hand.ts";
import { compileStep } from "./compile.ts";
import { filesOf } from "./files-of.ts";
import { originsOf } from "./origins.ts";
import type { DreamWorld } from "./world.ts";

const TOPIC = "about-the-user";

/**
 * Takes into the user's own memory what holds for the person.
 * @param world of that memory
 * @param stores the projects'
 * @returns the run's id; null when there was nothing new, or the lock is held: the next dream tries again
 */
export async function rememberPerson(world: DreamWorld, stores: readonly Store[]): Promise<string | null> {
  const habits = newHabits(world, stores);
  if (habits.length === 0) return null;
  const done = await byHand(world, (hand) => take(world, hand, habits));
  return done === null || typeof done === "string" ? done : null;
}

/** A look without the lock: most dreams bring nothing for here. */
function newHabits(world: DreamWorld, stores: readonly Store[]): Habit[] {
  const projects = stores.filter(({ layout, paused }) => layout !== "person" && !paused);
  const told = projects.flatMap((store) => toldBy(world.files, store));
  const habits = habitsIn(told, new Set(projects.flatMap((store) => namesOf(world.files, store))));
  const { tree } = readMemory(world.files, world.store.memory);
  const known = new Set(tree.topics.flatMap(({ entries }) => entries.map(({ statement }) => statementKey(statement))));
  return habits.filter(({ statement }) => {
    const key = statementKey(statement);
    return !known.has(key) && !world.tombstones.has(key);
  });
}

/** What a project's memory says of the user, as far as a person's words carry it. */
function toldBy(files: Files, store: Store): Told[] {
  const { records } = readEvidence(files, evidencePath(files, { directory: store.memory, state: store.state }));
  if (records.length === 0) return [];
  const { tree } = readMemory(laidOut(files, store), store.memory);
  const project = store.project ?? store.memory;
  return tree.topics
    .filter(({ type }) => type === "user")
    .flatMap(({ slug, entries }) =>
      entries.flatMap(({ statement, unconfirmed }) => {
        const key = statementKey(statement);
        const record = records.findLast((item) => item.topic === slug && item.key === key);
        const citations = record?.citations.filter(({ speaker }) => speaker === "user") ?? [];
        return unconfirmed || citations.length === 0 ? [] : [{ project, statement, citations }];
      }),
    );
}

/** Folders that are nobody's name. */
const ANYWHERE =
  /^(?:|home|users|user|code|src|source|sources|projects?|work|workspaces?|repos?|repositories|git|github|gitlab|dev|develop|development|tmp|srv|opt|var|mnt|data|go|documents|desktop|memory|\.claude|[a-z])$/;

/** Names of the project and of whose it is: its folder, the one around it, its remote's parts. */
function namesOf(files: Files, { name, project }: Store): string[] {
  const folders = project === null ? [] : [basename(project), basename(dirname(project))];
  const remote = project === null ? [] : remoteNames(files, project);
  return [name, ...folders, ...remote].map((part) => part.toLowerCase()).filter((part) => !ANYWHERE.test(part));
}

async function take(world: DreamWorld, hand: Hand, habits: readonly Habit[]): Promise<string | null> {
  const { place, files, store } = world;
  const accepted = judged(world, hand, habits);
  if (accepted.length === 0) return null;
  const compiled = { snapshot: hand.snapshot, accepted };
  const result = apply({
    ...place,
    files,
    changeset: compileStep(world, hand, compiled),
    run: { id: hand.id, at: hand.at },
    snapshot: hand.snapshot,
    recompile: (snapshot, leave) => compileStep(world, hand, { snapshot, accepted, leave }),
    record: keepUndo(world),
    mayWrite: hand.mayWrite,
  });
  if (result.outcome !== "applied") return null;
  const { topics } = readMemory(files, store.memory).tree;
  world.state.save({
    shape: { topics: topics.length, entries: topics.reduce((n, { entries }) => n + entries.length, 0) },
  });
  const written = { files: filesOf(result.changeset.files), changes: result.changeset.changes };
  await recordByHand(world, hand, { cause: "person", ...written });
  rememberStore(files, store, hand.id);
  return hand.id;
}

/** The quotes as sessions of their own: the same rules judge them as any proposal. */
function judged(world: DreamWorld, hand: Hand, habits: readonly Habit[]): readonly AcceptedOperation[] {
  const { topics } = hand.snapshot.tree;
  const sessions: DigestSession[] = [];
  const cite = (citation: Citation): Cite => {
    sessions.push(sessionOf(citation, `S${sessions.length + 1}`));
    return { utterance: `S${sessions.length}:1`, quote: citation.quote };
  };
  const adds = habits.map(({ statement, citations }): Operation => {
    return { op: "add", topic: TOPIC, text: statement, cites: citations.map(cite) };
  });
  const digest: Digest = { sessions, tokens: 0, redacted: {}, taken: [] };
  const operations = topics.some(({ slug }) => slug === TOPIC) ? adds : [CREATE, ...adds];
  return judge(
    { operations },
    {
      now: hand.at,
      digest,
      context: [],
      tree: hand.snapshot.tree,
      timeZone: world.timeZone,
      isTombstone: (key) => world.tombstones.has(key),
      originOf: originsOf(world, hand.snapshot),
    },
  ).accepted;
}

const CREATE: Operation = {
  op: "create-topic",
  topic: TOPIC,
  type: "user",
  title: "About the user",
  description: "Read before answering: who the user is, background, language and preferences",
};

function sessionOf({ session, client, file, line, record, at, quote }: Citation, label: string): DigestSession {
  const time = at === null ? Number.NaN : Date.parse(at);
  const utterance = { label: `${label}:1`, speaker: "user", trust: "user", text: quote, line, record } as const;
  const utterances = [{ ...utterance, at: Number.isNaN(time) ? null : time, dates: [] }];
  return { label, session, client, file, cwd: null, headless: false, utterances };
}
