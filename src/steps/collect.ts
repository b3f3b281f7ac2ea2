/** Step `collect`: the unread words of the store's sessions and daily logs, and the memory as it stands. Read-only. */
import { dirname, join } from "node:path";
import { iso } from "../base/clock.ts";
import { isMemdError, MemdError } from "../base/errors.ts";
import type { SessionWords } from "../digest/utterance.ts";
import type { Gathered, Run } from "../dream.ts";
import { type Condition, carryConditions } from "../ledger/store-state.ts";
import type { Notice } from "../memory/changeset.ts";
import { foreignLayout } from "../memory/tree.ts";
import type { Brief } from "../ports.ts";
import { type Collected, collect, isSourceNotice, type ReadPlan, scan } from "../sources/collect.ts";
import { type Book, loadBook, saveBook } from "../sources/cursors.ts";
import { projectRoots } from "../sources/project.ts";
import { memdFolder } from "../store/place.ts";
import { type MemorySnapshot, readMemory } from "../store/read.ts";
import { checkWritable } from "../store/writable.ts";
import { projectContext, workspaceContext } from "./context.ts";
import { withoutIgnored } from "./ignored-text.ts";
import type { Doings } from "./origins.ts";
import { bookPath, MARK } from "./places.ts";
import type { DreamWorld } from "./world.ts";

export interface Collection extends Gathered {
  readonly collected: Collected;
  readonly words: readonly SessionWords[];
  readonly book: Book;
  readonly snapshot: MemorySnapshot;
  readonly context: Brief["context"];
  readonly doings: Doings;
}

/** Characters per token are at most four, so that a budget's worth of text is never cut short by collect. */
const CHARS_PER_TOKEN = 4;

/** Assistant and tool text is clipped by the digest: gathering twice the budget leaves it something to choose from. */
const HEADROOM = 2;

/** @throws MemdError misconfigured: `foreign-layout`, `slow-pattern`, and what makes the memory unwritable */
export function collectStep(world: DreamWorld) {
  return async (run: Run): Promise<Collection> => {
    run.request.progress("collect", world.store.memory);
    const snapshot = readMemory(world.files, world.store.memory);
    run.notices.push(...snapshot.notices);
    refuseForeignLayout(world, snapshot);
    if (!run.request.dryRun) checkWritable(world.place, snapshot);
    const book = bookOf(world);
    const since = run.facts.stampBefore ?? 0;
    const plan = { ...planOf(world, run, { book, since }), writesBelow: writtenBelow(world, snapshot.directory) };
    const collected = await readable(world, run, () => collect(plan));
    run.notices.push(...collected.notices);
    run.notices.push(...mixedProjects(world, collected.words));
    noteSessions(run, collected);
    const spoken = collected.words.map((item) => asTalk(item, book));
    const words = withoutIgnored(spoken, world.config.sources.ignore.text);
    const anything = collected.files.some((file) => file.fate === "words");
    const doings = { writes: collected.writes, isPartial: collected.sessions.left > 0 };
    return {
      anything,
      collected,
      words,
      book,
      snapshot,
      doings,
      context: contextOf(world),
    };
  };
}

function contextOf({ files, store }: DreamWorld): Brief["context"] {
  const workspace = store.layout === "workspace" ? dirname(store.memory) : null;
  const rules = workspaceContext(files, workspace);
  return [...rules, ...projectContext(files, store.project === workspace ? null : store.project)];
}

/** Where agents write what this memory holds. */
function writtenBelow({ store }: DreamWorld, directory: string): readonly string[] {
  return store.layout === "workspace" ? [dirname(directory)] : [store.memory, directory];
}

/** The session gate's count; saved, so that `status` shows it and the throttle holds for other processes. */
export async function scanStore(world: DreamWorld, run: Run, since: number): Promise<void> {
  run.request.progress("gate", `scan ${run.store.name}`);
  const book = bookOf(world);
  const found = await readable(world, run, () => scan(planOf(world, run, { book, since })));
  const { seen, counted, unread, dropped } = found.sessions;
  run.notices.push(...found.notices);
  run.facts.sessions = { seen, counted, read: 0, left: unread, dropped };
  run.facts.records = found.records;
  if (run.request.dryRun) return;
  saveBook(world.files, bookPath(world), book, run.id);
  const at = world.clock.now();
  world.state.save({
    lastScan: { at, seen, counted, unread, dropped, oldestUnread: found.oldestUnreadAt },
    conditions: conditionsAfter(world.state.current().conditions, found.notices, iso(at)),
  });
}

/** Counts of an earlier scan must not pass for those of now: since when nothing can be read is kept beside them. */
async function readable<T>(world: DreamWorld, run: Run, read: () => Promise<T>): Promise<T> {
  const note = (since: string | null) => {
    if (run.request.dryRun || (world.state.current().unreadableSince === null) === (since === null)) return;
    world.state.save({ unreadableSince: since });
  };
  try {
    const found = await read();
    note(null);
    return found;
  } catch (error) {
    if (isMemdError(error) && error.family === "misconfigured") note(iso(world.clock.now()));
    throw error;
  }
}

/** A scan tells anew what is wrong with the sources; the rest stands as the last run found it. */
function conditionsAfter(before: readonly Condition[], notices: readonly Notice[], at: string): readonly Condition[] {
  const others = before.filter(({ code }) => !isSourceNotice(code));
  return carryConditions(before, [...others, ...notices], at);
}

/** A memory directory that was removed or is new has no `.memd`: its sessions are all unread, whatever an older book says. */
function bookOf(world: DreamWorld): Book {
  const { files, store } = world;
  const known = files.lstat(join(memdFolder(store.memory), MARK)) !== null;
  return known ? loadBook(files, bookPath(world)).book : { files: new Map(), seen: new Set() };
}

function planOf(world: DreamWorld, run: Run, at: { book: Book; since: number }): ReadPlan {
  const { ignore } = world.config.sources;
  return {
    files: world.files,
    book: at.book,
    sources: world.sources,
    project: world.store.project,
    formerly: world.store.formerly ?? [],
    found: world.store.layout === "claude-code" ? world.store.sessions : (world.store.found ?? []),
    headless: world.headless,
    ignore: { sessions: ignore.sessions, paths: ignore.paths, projects: ignore.projects },
    since: at.since,
    ownSessions: new Set(),
    ownFolders: world.ownFolders,
    maxChars: world.config.dream.evidenceTokens * CHARS_PER_TOKEN * HEADROOM,
    signal: run.signal,
    progress: (text) => run.request.progress("collect", text),
  };
}

function noteSessions(run: Run, { sessions, records }: Collected): void {
  const { seen, read, left, dropped } = sessions;
  run.facts.sessions = { seen, counted: run.facts.sessions?.counted || read, read, left, dropped };
  run.facts.records = records;
}

/** From this many human turns on a session without a terminal is a person at an editor, not a script's one shot. */
const TALK_TURNS = 2;

/** A person's words carry the same trust wherever they were typed; only one-shot runs stay `headless`. */
function asTalk(words: SessionWords, book: Book): SessionWords {
  if (!words.headless) return words;
  const turns =
    words.utterances.filter(({ trust }) => trust === "headless").length + (book.files.get(words.file)?.turns ?? 0);
  if (turns < TALK_TURNS) return words;
  const utterances = words.utterances.map((item) =>
    item.trust === "headless" ? { ...item, trust: "user" as const } : item,
  );
  return { ...words, headless: false, utterances };
}

/** Folder names are lossy: `/a-b` and `/a/b` share one. A store that names no project takes both, and says so. */
function mixedProjects(world: DreamWorld, words: readonly SessionWords[]): Notice[] {
  if (world.store.project !== null) return [];
  const rootOf = projectRoots(world.files);
  const roots = [...new Set(words.flatMap(({ cwd }) => (cwd === null ? [] : [rootOf(cwd)])))].sort();
  if (roots.length < 2) return [];
  const named = roots.slice(0, 5).join(", ");
  return [
    {
      code: "several-projects",
      message: `sessions of ${roots.length} projects feed this one memory: ${named}${roots.length > 5 ? ", …" : ""}`,
      hint: "If they should stay apart, list a store for each in the configuration, with its `project`.",
    },
  ];
}

function refuseForeignLayout(world: DreamWorld, snapshot: MemorySnapshot): void {
  const why = foreignLayout(snapshot.tree);
  if (why === null) return;
  throw new MemdError({
    code: "foreign-layout",
    family: "misconfigured",
    message: `${world.store.memory} does not look like a memory directory: ${why}`,
    hint: "Name another directory, or move these files; memd touches nothing here.",
  });
}
