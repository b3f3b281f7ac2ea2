/** The state of one store, as a run or the daemon keeps it: what it says of conditions goes to the event log as it changes. */
import type { Context } from "../commands/context.ts";
import type { EventSink } from "../ledger/event.ts";
import { conditionEvents } from "../ledger/event-log.ts";
import { loadStoreState, saveStoreState } from "../ledger/store-state.ts";
import type { Store } from "../ports.ts";
import type { DreamWorld } from "./world.ts";

/** What another process has written since is kept: each save changes only the parts that it names. */
export function stateOf(
  { files, random }: Pick<Context, "files" | "random">,
  store: Store,
  events: EventSink,
): DreamWorld["state"] {
  let known = loadStoreState(files, store.state);
  return {
    current: () => known,
    save: (next) => {
      const before = loadStoreState(files, store.state);
      known = { ...before, ...next };
      saveStoreState(files, store.state, { state: known, token: Buffer.from(random(8)).toString("hex") });
      for (const event of conditionEvents(store.name, before.conditions, known.conditions)) events.emit(event);
    },
  };
}
