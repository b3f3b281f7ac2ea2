/** What the loop knows between two turns. All of it can be lost: the stores' own files say what is due. */
import { iso } from "../base/clock.ts";
import { classify, MemdError } from "../base/errors.ts";
import { makeTroubles, type Troubles } from "../base/standing.ts";
import { makeTurns, type Turns } from "../base/turns.ts";
import type { Began } from "../gate/gap.ts";
import type { Dreaming, LiveFacts, NextLook } from "../live/facts.ts";
import type { Store } from "../ports.ts";
import type { Triggers } from "../triggers/open.ts";
import type { Cause, DaemonWorld, End, Glance, Settings } from "./world.ts";

/** A store in the line, by the path of its memory. */
export interface Waiting {
  readonly store: Store;
  readonly cause: Cause;
  readonly afresh: boolean;
  /** Epoch ms. */
  readonly queuedAt: number;
}

export interface InDream {
  facts: Dreaming;
  /** Monotonic ms. */
  readonly begun: number;
  readonly ended: Promise<void>;
}

export interface State {
  readonly world: DaemonWorld;
  /** Epoch ms. */
  readonly since: number;
  settings: Settings;
  loadedAt: number;
  /** By the path of the memory directory, as everything below. */
  stores: ReadonlyMap<string, Store>;
  triggers: Triggers | null;
  readonly line: Turns<string, Waiting>;
  readonly dreaming: Map<string, InDream>;
  /** The last dream of each store in this process. */
  readonly dreamt: Map<string, Began>;
  /** Stores whose last dream failed for good, and how things stood then. */
  readonly misfits: Map<string, string>;
  readonly glances: Map<string, Glance>;
  readonly troubles: Troubles;
  /** No dream begins any more. */
  closing: boolean;
  /** Ends those that go on. */
  readonly stopping: AbortController;
  /** When the last round was through, monotonic ms. */
  roundAt: number;
  /** Ends the loop: at once, or as the new program once nothing goes on. What is asked for at once wins. */
  readonly end: (end: End) => void;
  readonly ended: Promise<End>;
}

export function makeState(world: DaemonWorld, settings: Settings): State {
  const { clock } = world;
  let tellEnd: (end: End) => void = () => undefined;
  const ended = new Promise<End>((resolve) => {
    tellEnd = resolve;
  });
  const end = (end: End) => {
    state.closing = true;
    if (end.how !== "upgraded") state.stopping.abort(interrupted(end.reason));
    tellEnd(end);
  };
  const state: State = {
    world,
    since: clock.now(),
    settings,
    loadedAt: clock.now(),
    stores: new Map(),
    triggers: null,
    line: makeTurns(),
    dreaming: new Map(),
    dreamt: new Map(),
    misfits: new Map(),
    glances: new Map(),
    troubles: toldTroubles(world),
    closing: false,
    stopping: new AbortController(),
    roundAt: clock.monotonic(),
    end,
    ended,
  };
  return state;
}

/** Whatever comes to stand, or is over, is logged and told to those who listen. */
function toldTroubles({ clock, log, emit }: DaemonWorld): Troubles {
  return makeTroubles(clock.now, ({ about, code, message, hint }, raised) => {
    if (raised) {
      log.warn(message, { code, store: about, hint });
      emit({ event: "condition-raised", store: about, code, message });
    } else {
      log.info("no longer so", { code, store: about });
      emit({ event: "condition-cleared", store: about, code });
    }
  });
}

function interrupted(reason: string): MemdError {
  const hint = "Nothing was changed, unless apply had begun; then it is finished or taken back at the next start.";
  return new MemdError({ code: "interrupted", family: "interrupted", message: reason, hint });
}

/** Forgets what is about stores that are gone: nothing here grows with the months. */
export function keepOnly(state: State, stores: ReadonlyMap<string, Store>): void {
  const names = new Set([...stores.values()].map(({ name }) => name));
  for (const map of [state.dreamt, state.misfits, state.glances])
    for (const key of map.keys()) if (!stores.has(key)) map.delete(key);
  state.line.keepOnly((key) => stores.has(key));
  state.troubles.keepOnly((name) => names.has(name));
}

export function sizesOf({ stores, line, dreaming, dreamt, misfits, glances, troubles }: State): Record<string, number> {
  const sizes = { stores, line, dreaming, dreamt, misfits, glances };
  const counted = Object.entries(sizes).map(([name, { size }]) => [name, size]);
  return { ...Object.fromEntries(counted), troubles: troubles.all.length };
}

export const UPGRADED: End = { how: "upgraded", reason: "upgraded" };

/** A fault of the program ends it loudly; everything else stands as a condition until it is over. */
export function noteTrouble(state: State, about: string | null, kind: string, thrown: unknown): MemdError {
  const error = classify(thrown, kind);
  // What this process has not loaded yet may be gone with the program that it belongs to.
  if (error.family === "bug")
    state.end(state.world.upgraded() ? UPGRADED : { how: "failed", reason: error.code, error });
  else if (error.family !== "interrupted") state.troubles.set(about, kind, error);
  return error;
}

export function factsOf(state: State): LiveFacts {
  const { world, triggers } = state;
  return {
    version: world.version,
    pid: world.pid,
    since: iso(state.since),
    watching: triggers?.watching ?? 0,
    dreaming: [...state.dreaming.values()].map(({ facts }) => facts),
    next: nextLook(state),
    configLoadedAt: iso(state.loadedAt),
    conditions: state.troubles.all.map(({ about, code, message, hint, since }) => ({
      code,
      store: about,
      message,
      hint,
      since: iso(since),
    })),
  };
}

/** The store whose turn it is, else the one whose gate opens first. */
function nextLook({ world, stores, glances, triggers }: State): NextLook | null {
  const window = triggers?.windows.opensAt(world.clock.now()) ?? null;
  let next: { store: string; at: number | null; gate: string | null } | null = null;
  for (const [key, glance] of glances) {
    const store = stores.get(key)?.name;
    if (store === undefined) continue;
    const own = glance.open ? null : glance.opensAt;
    if (!glance.open && own === null) {
      next ??= { store, at: null, gate: glance.gate };
      continue;
    }
    const isWindow = window !== null && window > (own ?? 0);
    const at = isWindow ? window : (own ?? world.clock.now());
    if (next === null || next.at === null || at < next.at)
      next = { store, at, gate: isWindow ? "window" : glance.open ? null : glance.gate };
  }
  return next && { ...next, at: next.at === null ? null : iso(next.at) };
}

/** What `systemctl status` shows: times as times, so that the line changes only when something happens. */
export function statusLine(state: State): string {
  const facts = factsOf(state);
  const [dream] = facts.dreaming;
  const places = `${state.stores.size} stores, ${facts.watching} folders watched`;
  const wrong = facts.conditions.length === 0 ? "" : `; ${facts.conditions.length} conditions`;
  if (dream) return `dreaming of ${dream.store} since ${dream.since}; ${places}${wrong}`;
  const { next } = facts;
  const then = next?.at ? `; next ${next.store} at ${next.at}` : "";
  return `idle; ${places}${then}${wrong}`;
}
