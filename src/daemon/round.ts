/** A round: which stores are there, and which of them are due. The truth that every hint only leads to sooner. */
import type { Store } from "../ports.ts";
import { glanceAt, isMended, pump } from "./dreams.ts";
import { keepOnly, noteTrouble, type State } from "./state.ts";
import type { Cause } from "./world.ts";

/** Stores between two breaths: a first glance reads a file, some 50 us. */
const BATCH = 64;

const FINDING = "find the stores";

/** Finds the stores anew and watches what feeds them. What cannot be found now stays as it was. */
export async function refresh(state: State): Promise<void> {
  const { world, settings, triggers, troubles } = state;
  let isFine = true;
  const trouble = (thrown: unknown) => {
    isFine = false;
    noteTrouble(state, null, FINDING, thrown);
  };
  try {
    const found = await world.stores(settings, trouble);
    state.stores = new Map(found.map((store) => [store.memory, store]));
    keepOnly(state, state.stores);
  } catch (error) {
    trouble(error);
  }
  if (isFine) troubles.set(null, FINDING, null);
  triggers?.follow([...state.stores.values()]);
  troubles.set(null, "watch", triggers?.trouble ?? null);
}

/** Looks at every store, and lets those that are due stand in the line. */
export async function lookAround(state: State, cause: Cause): Promise<void> {
  const { world } = state;
  let looked = 0;
  for (const store of state.stores.values()) {
    if (state.closing) return;
    const takingBack = lookAt(state, store, cause);
    if (takingBack) await takingBack;
    if (++looked % BATCH === 0) await world.timers.breathe();
  }
  state.roundAt = world.clock.monotonic();
  pump(state);
}

/** Looks at those that a hint named. */
export async function lookAtSome(state: State, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const store = state.stores.get(key);
    if (store) await lookAt(state, store, "hint");
  }
  pump(state);
}

/** Done at once where nothing was left behind: a thousand promises would cost as much as the looks. */
function lookAt(state: State, store: Store, cause: Cause): Promise<void> | null {
  if (state.dreaming.has(store.memory)) return null;
  if (glanceAt(state, store)?.isHeld) return takeBack(state, store).then(() => queueIfDue(state, store, cause));
  queueIfDue(state, store, cause);
  return null;
}

function queueIfDue(state: State, store: Store, cause: Cause): void {
  const { world, triggers, line, glances } = state;
  const key = store.memory;
  const glance = glances.get(key)?.isHeld ? glanceAt(state, store) : glances.get(key);
  if (!glance) return;
  const afresh = !glance.open && glance.gate === "cool-down" && isMended(state, store);
  const now = world.clock.now();
  if (!glance.open && !afresh) return;
  if (triggers && !triggers.windows.isOpen(now)) return;
  line.add(key, { store, cause, afresh, queuedAt: now });
}

/** At start, before anything else: what killed runs left is taken back. */
export async function recoverAll(state: State): Promise<void> {
  for (const store of state.stores.values()) if (!state.closing) await takeBack(state, store);
}

async function takeBack(state: State, store: Store): Promise<void> {
  const { world, settings, troubles } = state;
  try {
    await world.recover(store, settings);
    troubles.set(store.name, TAKING_BACK, null);
  } catch (error) {
    noteTrouble(state, store.name, TAKING_BACK, error);
  }
}

const TAKING_BACK = "take back a killed run";
