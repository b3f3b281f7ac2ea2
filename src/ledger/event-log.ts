/**
 * The event log: `events.jsonl` in the state directory, written by the daemon and by `memd dream` from the command line at the same
 * time. An event costs one append, without a lock: its number is the place of its line in the stream, which readers work out.
 * A counter in the line would need a lock and a look at the file's end for each event: seven file verbs instead of one.
 */
import { join } from "node:path";
import { type Clock, iso } from "../base/clock.ts";
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { clip, wellFormed } from "../base/text.ts";
import type { Notice } from "../memory/changeset.ts";
import { EVENT_VERSION, type Event, type EventSink } from "./event.ts";
import { checkEnd, EVENTS_FILE } from "./event-files.ts";

/** Far more than any event of ours; a message from outside that is longer is cut. */
const MAX_TEXT = 500;

/** A sixteenth of a whole file: how far one may grow beyond its size. */
const CHECK_AFTER = 65_536;

export interface EventLogWorld {
  readonly files: Files;
  readonly clock: Clock;
  /** The state directory; made when there is something to tell. */
  readonly state: string;
  /** Unique to this process. */
  readonly token: () => string;
}

/** Opens nothing: the first event does. */
export function openEventLog(world: EventLogWorld): EventSink {
  const { files, clock, state } = world;
  const path = join(state, EVENTS_FILE);
  let trouble: Notice | null = null;
  /** Characters that may be appended before the file's end is looked at again. */
  let sure = 0;
  /** The last line may be torn: by a crash before this process, or by our own append that failed half way. */
  const separator = (): string => {
    if (sure > 0) return "";
    files.mkdir(state, 0o700);
    return checkEnd(world, state).torn ? "\n" : "";
  };
  const emit = (event: Event): void => {
    const line = `${JSON.stringify({ v: EVENT_VERSION, at: iso(clock.now()), ...shortened(event) })}\n`;
    try {
      const before = separator();
      files.append(path, before + line, 0o600);
      [sure, trouble] = [(sure > 0 ? sure : CHECK_AFTER) - line.length, null];
    } catch (error) {
      if (systemCode(error) === null) throw error;
      [sure, trouble] = [0, unwritable(path, error)];
    }
  };
  return {
    emit,
    get trouble() {
      return trouble;
    },
  };
}

/** One line of each text: what a condition quotes from memory stands on the lines below, and must not outlive `memd forget` here. */
function shortened(event: Event): Event {
  const cut = Object.entries(event).map(([key, value]) => [
    key,
    typeof value === "string" ? clip(wellFormed(value.split("\n", 1)[0] ?? ""), MAX_TEXT) : value,
  ]);
  return Object.fromEntries(cut);
}

function unwritable(path: string, error: unknown): Notice {
  return {
    code: "events-unwritable",
    message: `cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`,
    hint: "Nothing else is affected; give this user permission to write there, or free some space.",
  };
}

/** What began and what ended to be wrong between two looks at one store. A condition is known by its code; its words may change. */
export function conditionEvents(
  store: string | null,
  before: readonly Notice[],
  after: readonly Notice[],
): readonly Event[] {
  const codes = (list: readonly Notice[]) => new Set(list.map(({ code }) => code));
  const [old, now] = [codes(before), codes(after)];
  const raised = [...now].filter((code) => !old.has(code));
  return [
    ...raised.map((code): Event => {
      const message = after.find((item) => item.code === code)?.message ?? "";
      return { event: "condition-raised", store, code, message };
    }),
    ...[...old].filter((code) => !now.has(code)).map((code): Event => ({ event: "condition-cleared", store, code })),
  ];
}
