/**
 * A home whose memory and state can be put back, with worlds in it that fail or die: what the proof runs its dreams on.
 * Sessions are never copied, since no dream may change them: a place that was read stays a place in the same file.
 */
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Files } from "../../src/base/files.ts";
import { isRecord } from "../../src/base/json.ts";
import { type Processes, systemProcesses } from "../../src/base/process.ts";
import type { DreamRequest } from "../../src/dream.ts";
import { TIMING } from "../../src/lock/occupancy.ts";
import type { Distiller } from "../../src/ports.ts";
import { type Ended, runDream } from "../../src/steps/run.ts";
import { chooseUndo, undoRun } from "../../src/steps/undo.ts";
import type { DreamWorld } from "../../src/steps/world.ts";
import { type FaultyFiles, untilDeath } from "../support/faulty-files.ts";
import { DAY, HOUR, type Home, makeHome, manualClock } from "../support/home.ts";

/** Memory-backed where there is such a thing: crash tests sync thousands of times, and no power fails here. */
const SCRATCH = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Above every pid that Linux gives out (2^22) and macOS (99,999): no process has it. */
const FIRST_DEAD_PID = 2 ** 22 + 1;

const NO_SIGNAL = new AbortController().signal;

export interface Acting {
  readonly files?: Files;
  readonly distiller?: Distiller;
  readonly request?: Partial<DreamRequest>;
  readonly signal?: AbortSignal;
  readonly config?: unknown;
  /** A minute has passed: a lock directory that names nobody is given up. */
  readonly later?: boolean;
}

export interface Stage extends Home {
  /** From now on `reset` brings back what memory and state are now. */
  keep(): void;
  reset(): void;
  /** A dream in a process of its own. */
  act(acting?: Acting): Promise<Ended>;
  /** Takes a run back, in a process of its own. */
  takeBack(run: string, acting?: Acting): Promise<unknown>;
  /** Time passes for what lies about in the state directory: processes that only look may write there, so a sweep spares young files. */
  ageTemps(): void;
  /** As `act` and `takeBack`, until the process dies or the work ends. */
  dying<T>(files: FaultyFiles, work: () => Promise<T>): Promise<{ done: T } | { threw: unknown } | "death">;
}

/** The process of a world: alive in its own eyes, and dead for every later one. */
function processesOf(pid: number): Processes {
  const system = systemProcesses(process);
  const self = { ...system.self, pid };
  const liveness = (asked: number) => (asked === pid ? "alive" : system.liveness(asked));
  return { self, liveness, start: (asked) => (asked === pid ? self.start : system.start(asked)) };
}

/** Pure, and the slowest thing to make: the worlds of one test process share it. */
let redactor: ReturnType<DreamWorld["redactor"]> | null = null;

function worldIn(home: Home, pid: number, { files, distiller, config, later }: Acting): DreamWorld {
  const world = home.world({ ...(files && { files }), ...(distiller && { distiller }), ...(config ? { config } : {}) });
  // The heartbeat carries the system's time, which the clock of a stage has nothing to do with: without `later` it never looks stale.
  const timing = later ? TIMING : world.lease.timing;
  return {
    ...world,
    redactor: () => (redactor ??= world.redactor()),
    lease: { ...world.lease, processes: processesOf(pid), timing },
  };
}

const REQUEST: DreamRequest = { now: true, dryRun: false, keepBrief: false, cause: "now", progress: () => undefined };

export function makeStage(): Stage {
  const home = makeHome(manualClock(), SCRATCH);
  const kept = join(home.root, "kept");
  const parts = [home.memory, join(home.root, "state")];
  const copy = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true });
    if (existsSync(from)) cpSync(from, to, { recursive: true, preserveTimestamps: true });
  };
  let pid = FIRST_DEAD_PID;
  const using = async <T>(acting: Acting, use: (world: DreamWorld) => Promise<T>): Promise<T> => {
    const world = worldIn(home, pid++, acting);
    try {
      return await use(world);
    } finally {
      await world.close();
    }
  };
  return {
    ...home,
    keep: () => {
      for (const [i, part] of parts.entries()) copy(part, join(kept, String(i)));
    },
    reset: () => {
      for (const [i, part] of parts.entries()) copy(join(kept, String(i)), part);
    },
    act: (acting = {}) =>
      using(acting, (world) => runDream(world, acting.signal ?? NO_SIGNAL, { ...REQUEST, ...acting.request })),
    takeBack: (run, acting = {}) =>
      using(acting, async (world) => {
        const { record } = chooseUndo([world], run);
        return undoRun(world, { record, force: false });
      }),
    ageTemps: () => {
      const folder = join(home.root, "state");
      const old = new Date(home.clock.now() - 2 * HOUR);
      for (const path of pathsOf(folder)) if (path.includes("memd-tmp")) utimesSync(join(folder, path), old, old);
    },
    dying: async (files, work) => {
      const outcome = await work().then(
        (done) => ({ done }),
        (threw: unknown) => ({ threw }),
      );
      return files.dead() ? "death" : outcome;
    },
  };
}

/** Every Markdown file that an agent would list. */
export function textsOf(home: Home): Record<string, string> {
  const names = existsSync(home.memory) ? readdirSync(home.memory) : [];
  const topics = names.filter((name) => name.endsWith(".md") && !name.startsWith(".")).sort();
  return Object.fromEntries(topics.map((name) => [name, readFileSync(join(home.memory, name), "utf8")]));
}

/** All paths below a folder, relative to it; folders too, with a slash behind. */
export function pathsOf(folder: string, under = ""): string[] {
  if (!existsSync(join(folder, under))) return [];
  return readdirSync(join(folder, under), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(under, entry.name);
      return entry.isDirectory() ? [`${path}/`, ...pathsOf(folder, path)] : [path];
    })
    .sort();
}

/** Why the memory is not fit to be read in this very moment: a file that no whole run left there, or a pointer to nothing. */
export function faultsOf(home: Home, known: readonly Readonly<Record<string, string>>[]): string[] {
  const texts = textsOf(home);
  const cut = Object.entries(texts).filter(([name, text]) => !known.some((one) => one[name] === text));
  return [...cut.map(([name]) => `${name} is not whole`), ...deadPointers(home)];
}

export function deadPointers(home: Home): string[] {
  const path = join(home.memory, "MEMORY.md");
  const index = existsSync(path) ? readFileSync(path, "utf8") : "";
  return [...index.matchAll(/\]\(([^)]+\.md)\)/g)]
    .map((match) => match[1] ?? "")
    .filter((name) => !existsSync(join(home.memory, name)))
    .map((name) => `${name} is named and missing`);
}

const json = (path: string): unknown => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null);

export const linesOf = (path: string): Record<string, unknown>[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line))
    : [];

function archiveOf(home: Home) {
  const root = join(home.memory, ".memd", "archive");
  const files = pathsOf(root).filter((path) => path.endsWith(".jsonl") && !path.includes("memd-tmp"));
  return files.flatMap((path) => linesOf(join(root, path))).map(({ topic, reason, text }) => ({ topic, reason, text }));
}

function tombstonesOf(home: Home): number {
  const saved = json(join(home.state, "tombstones.json"));
  return isRecord(saved) && Array.isArray(saved.tombstones) ? saved.tombstones.length : 0;
}

/** Ids of the runs that were taken back, as the store's state has them. */
export function undoneIn(home: Home): readonly string[] {
  return home.world().state.current().undone;
}

function stampOf(home: Home) {
  const path = join(home.memory, ".consolidate-lock");
  if (!existsSync(path)) return null;
  return { body: readFileSync(path, "utf8"), mtime: lstatSync(path).mtime.getTime() };
}

/** Everything that must be the same however often a run was cut short; run ids and the times of writing are left out. */
export function resultOf(home: Home) {
  const evidence = linesOf(join(home.memory, ".memd", "evidence.jsonl"));
  const paths = [...pathsOf(home.memory), ...pathsOf(join(home.root, "state"))];
  return {
    texts: textsOf(home),
    evidence: evidence.map(({ operation, topic, key, statement, citations }) => ({
      operation,
      topic,
      key,
      statement,
      citations,
    })),
    archive: archiveOf(home),
    ownLines: json(join(home.memory, ".memd", "own-lines.json")),
    stamp: stampOf(home),
    places: json(join(home.state, "cursors.json")),
    foreign: json(join(home.state, "entries.json")),
    tombstones: tombstonesOf(home),
    questions: json(join(home.state, "questions.json")),
    left: paths.filter((path) => /memd-tmp|lease|journal\/.|briefs\/.|stamp\.prior|displaced|damaged/.test(path)),
  };
}

/** Run ids that evidence, archive and undo records name, and that history does not know. */
export async function unrecorded(home: Home): Promise<string[]> {
  const evidence = linesOf(join(home.memory, ".memd", "evidence.jsonl")).map(({ run }) => String(run));
  const root = join(home.memory, ".memd", "archive");
  const archived = pathsOf(root).flatMap((path) => /([^/]+)\.jsonl$/.exec(path)?.[1] ?? []);
  const undoable = pathsOf(join(home.state, "undo")).map((name) => name.replace(/\.json$/, ""));
  const last = json(join(home.state, "last-run.json")) as { id?: string } | null;
  const world = home.world();
  try {
    const ledger = await world.ledger();
    const named = new Set([...evidence, ...archived, ...undoable, ...(last?.id ? [last.id] : [])]);
    return [...named].filter((id) => ledger.find(id).state !== "found").sort();
  } finally {
    await world.close();
  }
}

export const mtimeOf = (home: Home, name: string): number => statSync(join(home.memory, name)).mtime.getTime();

export { DAY, untilDeath };
