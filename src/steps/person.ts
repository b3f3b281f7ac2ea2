/** The user's own memory: what several projects' memories say of the person. It has no sessions of its own; their evidence feeds it. */
import { basename, dirname } from "node:path";
import { rememberStore } from "../config/stores.ts";
import { statementKey } from "../memory/entry.ts";
import { type Habit, habitsIn, type Told } from "../memory/person.ts";
import { type Files, isFed, type Store } from "../ports.ts";
import { remoteNames } from "../sources/moves.ts";
import { evidencePath, readEvidence } from "../store/evidence.ts";
import { laidOut } from "../store/layout.ts";
import { readMemory } from "../store/read.ts";
import { carryInto } from "./carry.ts";
import type { DreamWorld } from "./world.ts";

const TOPIC = {
  slug: "about-the-user",
  type: "user",
  title: "About the user",
  description: "Read before answering: who the user is, background, language and preferences",
} as const;

/**
 * Takes into the user's own memory what holds for the person.
 * @param world of that memory
 * @param stores the projects'
 * @returns the run's id; null when there was nothing new, or the lock is held: the next dream tries again
 */
export async function rememberPerson(world: DreamWorld, stores: readonly Store[]): Promise<string | null> {
  const habits = newHabits(world, stores);
  const carried = habits.map((habit) => ({ topic: TOPIC, ...habit }));
  const run = await carryInto(world, carried, "person");
  if (run !== null) rememberStore(world.files, world.store, run);
  return run;
}

/** A look without the lock: most dreams bring nothing for here. */
function newHabits(world: DreamWorld, stores: readonly Store[]): Habit[] {
  const projects = stores.filter((store) => !isFed(store) && !store.paused);
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
