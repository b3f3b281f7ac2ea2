/** Dreams in their turn: the longest waiting store first, a few at a time, none twice within its gap. */
import { iso } from "../base/clock.ts";
import { classify, EXIT, MemdError } from "../base/errors.ts";
import { isTooSoon } from "../gate/gap.ts";
import type { Store } from "../ports.ts";
import { noteTrouble, type State, statusLine, type Waiting } from "./state.ts";
import type { Dreamt, Glance } from "./world.ts";

/** Begins as many dreams as may go on at once. */
export function pump(state: State): void {
  const { line, dreaming, settings, world } = state;
  while (!state.closing && dreaming.size < settings.config.daemon.parallel) {
    const taken = line.take((key) => !dreaming.has(key));
    if (taken === null) return;
    const [, waiting] = taken;
    if (mayBegin(state, waiting)) begin(state, waiting);
  }
  // Who is not begun now stands in the line: the end of a dream pumps again.
  if (dreaming.size > 0) world.manager.status(statusLine(state));
}

/** Asked again when its turn comes: somebody else may have dreamt meanwhile, or the window has closed. */
function mayBegin(state: State, { store, cause, afresh, queuedAt }: Waiting): boolean {
  if (cause === "now") return true;
  const { world, settings, dreamt, triggers } = state;
  const now = { wall: world.clock.now(), monotonic: world.clock.monotonic() };
  if (triggers && !triggers.windows.admits(queuedAt, now.wall)) return false;
  if (!afresh && isTooSoon(dreamt.get(store.memory), now, settings.waits)) return false;
  const glance = glanceAt(state, store);
  return glance !== null && (glance.open || (afresh && glance.gate === "cool-down"));
}

/** A glance, with what it tells noted; null when the store cannot be looked at. */
export function glanceAt(state: State, store: Store): Glance | null {
  const { world, settings, glances, troubles } = state;
  try {
    const glance = world.glance(store, settings);
    glances.set(store.memory, glance);
    troubles.set(store.name, "look at the stamp", null);
    return glance;
  } catch (error) {
    noteTrouble(state, store.name, "look at the stamp", error);
    glances.delete(store.memory);
    return null;
  }
}

function begin(state: State, waiting: Waiting): void {
  const { world, dreaming, dreamt } = state;
  const { name, memory: key } = waiting.store;
  const now = { wall: world.clock.now(), monotonic: world.clock.monotonic() };
  const before = dreamt.get(key);
  // Before it has begun: whatever becomes of it, the next one keeps the gap.
  dreamt.set(key, { ...now, failed: false });
  const facts = { store: name, run: null, step: "gate", detail: "", since: iso(now.wall) };
  const ended = dreamOnce(state, waiting)
    .then((skipped) => {
      if (!skipped) return;
      if (before) dreamt.set(key, before);
      else dreamt.delete(key);
    })
    .catch((error: unknown) => fail(state, waiting.store, error))
    .finally(() => {
      dreaming.delete(key);
      if (!state.closing && state.stores.has(key)) glanceAt(state, waiting.store);
      world.manager.status(statusLine(state));
      pump(state);
    });
  dreaming.set(key, { facts, begun: now.monotonic, ended });
}

/** @returns true when nothing was done: the gates were closed after all, or somebody else dreams */
async function dreamOnce(state: State, { store, cause, afresh }: Waiting): Promise<boolean> {
  const { world, settings, dreaming, stopping } = state;
  const note = (more: object) => {
    const entry = dreaming.get(store.memory);
    if (entry) entry.facts = { ...entry.facts, ...more };
  };
  await world.timers.breathe();
  const dreamt = await world.dream({
    store,
    settings,
    cause,
    afresh,
    signal: stopping.signal,
    began: (run) => note({ run }),
    progress: (step, detail) => note({ step, detail }),
  });
  settle(state, store, dreamt);
  return dreamt.report.outcome === "skipped";
}

function settle(state: State, store: Store, ended: Dreamt): void {
  const { world, misfits, troubles } = state;
  const { id: run, outcome, reason, code } = ended.report;
  troubles.set(store.name, UNRECORDED, null);
  const facts = { store: store.name, run, outcome, reason, code };
  if (outcome === "failed") settleFailure(state, store, ended);
  else world.log[outcome === "skipped" ? "debug" : "info"](`dream ${outcome}`, facts);
  if (outcome !== "failed" && outcome !== "skipped") misfits.delete(store.memory);
}

function settleFailure(state: State, store: Store, { report, exit }: Dreamt): void {
  const { world, misfits, dreamt } = state;
  const { id: run, reason, code, hint } = report;
  const began = dreamt.get(store.memory);
  if (began) dreamt.set(store.memory, { ...began, failed: true });
  const isOurs = exit === EXIT.interrupted;
  world.log[isOurs ? "info" : "error"](isOurs ? "dream interrupted" : "dream failed", {
    store: store.name,
    run,
    code,
    reason,
    hint: isOurs ? null : hint,
  });
  if (exit === EXIT.misconfigured) misfits.set(store.memory, circumstancesOf(state, store));
  if (exit === EXIT.bug) state.end({ how: "failed", reason: "bug", error: bugIn(store.name, report) });
}

function bugIn(store: string, { id, reason }: Dreamt["report"]): MemdError {
  return new MemdError({
    code: "bug",
    family: "bug",
    message: `run ${id} over ${store} met a fault of memd itself: ${reason}`,
    hint: "Please report it with this log. The service manager starts memd again.",
  });
}

const UNRECORDED = "record a dream";

/** What could not even be recorded. */
function fail(state: State, store: Store, thrown: unknown): void {
  const error = classify(thrown, `dream over ${store.name}`);
  if (error.family === "interrupted") return;
  if (error.family === "misconfigured") state.misfits.set(store.memory, circumstancesOf(state, store));
  noteTrouble(state, store.name, UNRECORDED, error);
}

function circumstancesOf({ world, settings }: State, store: Store): string {
  return `${settings.mark}\n${world.circumstances(store)}`;
}

/** True once what made the last dream fail for good may have been mended. */
export function isMended(state: State, store: Store): boolean {
  const before = state.misfits.get(store.memory);
  return before !== undefined && before !== circumstancesOf(state, store);
}
