/** What a check of the gates leaves behind: the store's verdict where it changed, and since when a dream is due. */
import { iso } from "../base/clock.ts";
import type { Skip } from "../dream.ts";
import type { Gate } from "../gate/verdict.ts";
import type { DreamWorld } from "./world.ts";

/** Closed by one of these, no dream is due; the others only say that it cannot be now. */
const NOT_DUE: ReadonlySet<Gate> = new Set(["time", "sessions"]);

/** Writes nothing while the verdict stays: a closed gate costs what it cost before. @param skip what the gate step came to */
export function noteVerdict(world: DreamWorld, skip: Skip | null): void {
  const closed = skip?.closed ?? null;
  // Paused is a person's wish, and a throttled check has not looked: the last verdict stands.
  if ((skip !== null && closed === null) || closed?.gate === "throttle") return;
  const { verdict, dueSince } = world.state.current();
  const word = closed === null ? "open" : `${closed.gate}: ${closed.reason}`;
  const now = world.clock.now();
  const due = closed === null ? (dueSince ?? now) : NOT_DUE.has(closed.gate) ? null : dueSince;
  if (verdict === word && dueSince === due) return;
  world.state.save({ verdict: word, dueSince: due });
  if (verdict === word) return;
  world.events.emit({
    event: "gate",
    store: world.store.name,
    open: closed === null,
    gate: closed?.gate ?? null,
    reason: closed?.reason ?? null,
    opensAt: closed === null || closed.opensAt === null ? null : iso(closed.opensAt),
  });
}
