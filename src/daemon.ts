/**
 * The resident loop: waits for a hint, a tick or a signal, asks for dreams, and classifies what went wrong. Hints only say "look again";
 * what is due is worked out from what the stores' own files say, so that a missed event, a week of sleep or a set clock costs time alone.
 */
import { inOrder } from "./base/in-order.ts";
import { pump } from "./daemon/dreams.ts";
import { lookAround, lookAtSome, recoverAll, refresh } from "./daemon/round.ts";
import { factsOf, makeState, noteTrouble, type State, sizesOf, statusLine, UPGRADED } from "./daemon/state.ts";
import type { DaemonWorld, End } from "./daemon/world.ts";
import { MINUTE } from "./gate/verdict.ts";
import type { Desk, DreamAnswer, DreamAsk, ReloadAnswer } from "./live/desk.ts";
import type { TriggerListener, Wake } from "./triggers/open.ts";

export type { DaemonWorld, End } from "./daemon/world.ts";

export interface Daemon {
  readonly desk: Desk;
  /** When the stores are found and watched, and what killed runs left is taken back. */
  readonly ready: Promise<void>;
  wake(wake: Wake): void;
  stop(end: End): void;
  /** How much it holds, by what: none of it grows with time. */
  sizes(): Readonly<Record<string, number>>;
  /** When nothing goes on. */
  idle(): Promise<void>;
  /** When everything is closed; a dream that was going on is rolled back then. */
  readonly done: Promise<End>;
}

/** Managers wait longer; a dream that is aborted rolls back within a second. */
const STOP_WITHIN = 4_500;

/** @throws MemdError when the configuration is not valid */
export async function startDaemon(world: DaemonWorld): Promise<Daemon> {
  const state = makeState(world, await world.load());
  const tasks = inOrder((error) => void noteTrouble(state, null, "look around", error));
  const on: TriggerListener = { wake: (what) => later(answer(state, what, on)), beat: () => beat(state) };
  const later = (task: () => Promise<void>) => void tasks.add(task).catch(() => undefined);
  state.triggers = await world.open(state.settings, on);
  const ready = tasks.add(() => settleIn(state));
  later(() => lookAround(state, "scan"));
  let coming: Promise<ReloadAnswer> | null = null;
  // One that has not begun reads what stands on the disk then: who asks meanwhile shares it.
  const reloadSoon = () => {
    coming ??= tasks.add(() => {
      coming = null;
      return reload(state, on);
    });
    return coming;
  };
  const idle = async () => {
    while (tasks.size > 0 || state.dreaming.size > 0) {
      await tasks.empty();
      await Promise.all([...state.dreaming.values()].map(({ ended }) => ended));
    }
  };
  return {
    desk: {
      facts: () => factsOf(state),
      dream: async (ask) => dreamNow(state, ask),
      reload: reloadSoon,
    },
    ready,
    wake: on.wake,
    stop: state.end,
    sizes: () => sizesOf(state),
    idle,
    done: state.ended.then((end) => closeDown(state, end, idle)),
  };
}

async function settleIn(state: State): Promise<void> {
  await refresh(state);
  await recoverAll(state);
  state.world.manager.status(statusLine(state));
}

/** One wake after the other: two rounds at once would only see the same. */
const answer = (state: State, wake: Wake, on: TriggerListener) => async (): Promise<void> => {
  const { world } = state;
  if (state.closing) return;
  // Before anything is loaded: the rooms of another program do not fit this one.
  if (world.upgraded()) return state.end(UPGRADED);
  if (wake.cause === "hint") return lookAtSome(state, wake.stores);
  if (wake.cause === "scan" && wake.leap !== 0)
    world.log.info("the clock moved by itself: a suspend, or it was set", { ms: Math.round(wake.leap) });
  if (wake.cause === "scan" && world.configMark() !== state.settings.mark) await reload(state, on);
  await refresh(state);
  await lookAround(state, wake.cause === "discover" ? "hint" : wake.cause);
  world.manager.status(statusLine(state));
};

/** A configuration that is not valid leaves the one that was, and says so. */
async function reload(state: State, on: TriggerListener): Promise<ReloadAnswer> {
  const { world, troubles } = state;
  world.manager.reloading();
  const answered = await loadAnew(state, on);
  world.emit({ event: "daemon-reloaded", ...answered });
  world.log[answered.outcome === "reloaded" ? "info" : "error"](`configuration ${answered.outcome}`, {
    message: answered.message,
  });
  if (answered.outcome === "reloaded") {
    troubles.set(null, "configuration", null);
    await refresh(state);
    await lookAround(state, "scan");
  }
  world.manager.ready();
  world.manager.status(statusLine(state));
  return answered;
}

async function loadAnew(state: State, on: TriggerListener): Promise<ReloadAnswer> {
  const { world, settings } = state;
  try {
    const next = await world.load();
    // Closed first: both together may want more watches than there are.
    await state.triggers?.close();
    Object.assign(state, { settings: next, triggers: await world.open(next, on), loadedAt: world.clock.now() });
    return { outcome: "reloaded", message: "" };
  } catch (error) {
    const { code, message, hint, family } = noteTrouble(state, null, "configuration", error);
    // Until it changes again there is nothing new to say.
    if (family !== "bug") state.settings = { ...settings, mark: world.configMark() };
    return { outcome: "kept", message: `${message} (${code}) ${hint}` };
  }
}

/** The loop turns, and gets on: a round that never ends, or a dream beyond its own cap, is for the manager to end. */
function beat(state: State): void {
  const { world, dreaming, roundAt, settings } = state;
  const now = world.clock.monotonic();
  const { gates, dream } = settings.config;
  const roundIsLate = now - roundAt > 3 * Math.max(1, gates.scanMinutes) * MINUTE + dream.maxMinutes * MINUTE;
  const dreamIsLate = [...dreaming.values()].some(({ begun }) => now - begun > (dream.maxMinutes + 5) * MINUTE);
  if (!roundIsLate && !dreamIsLate) world.manager.ping();
}

/** `dream --now` through the socket: in the line like all others, past the gates that a person may pass. */
function dreamNow(state: State, { stores, now }: DreamAsk): DreamAnswer {
  const wanted = [...state.stores].filter(([, { name }]) => stores.length === 0 || stores.includes(name));
  const known = new Set(wanted.map(([, { name }]) => name));
  const unknown = stores.filter((name) => !known.has(name)).map((store) => ({ store, reason: "unknown-store" }));
  if (state.closing)
    return { accepted: [], held: [], refused: wanted.map(([, { name }]) => ({ store: name, reason: "stopping" })) };
  const held = wanted.filter(([key]) => state.dreaming.has(key)).map(([, { name }]) => name);
  const free = wanted.filter(([key]) => !state.dreaming.has(key));
  const queuedAt = state.world.clock.now();
  for (const [key, store] of free) state.line.add(key, { store, cause: now ? "now" : "hint", afresh: false, queuedAt });
  pump(state);
  return { accepted: free.map(([, { name }]) => name), held, refused: unknown };
}

async function closeDown(state: State, end: End, idle: () => Promise<void>): Promise<End> {
  const { world, stopping } = state;
  world.manager.stopping();
  let cancel: () => void = () => undefined;
  const patience = new Promise<void>((resolve) => {
    const wait = () => {
      cancel = world.timers.after(STOP_WITHIN, resolve);
    };
    if (stopping.signal.aborted) wait();
    else stopping.signal.addEventListener("abort", wait, { once: true });
  });
  await Promise.race([idle(), patience]);
  cancel();
  await state.triggers?.close();
  world.emit({ event: "daemon-stopped", pid: world.pid, reason: end.reason });
  return end;
}
