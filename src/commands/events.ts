import { join } from "node:path";
import { EXIT } from "../base/errors.ts";
import { EVENTS_FILE } from "../ledger/event-files.ts";
import { endOfEvents, eventsAfter, type NumberedEvent } from "../ledger/event-reader.ts";
import { type Command, type Input, STORE_OPTIONS, usage } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { waits } from "./waits.ts";
import { sinceWhen } from "./when.ts";

export const eventsCommand: Command = {
  name: "events",
  summary: "what happened, one JSON document per line: for programs; the daemon's dreams and those of the command line",
  operands: "",
  options: {
    follow: { type: "boolean", help: "go on with what happens from now; with --since or --after, what happened first" },
    since: { type: "string", value: "TIME", help: "from this time on: 2026-11-30, an ISO time, or 2h, 3d before now" },
    after: { type: "string", value: "SEQ", help: "from the event after this number on: how a program goes on" },
    ...STORE_OPTIONS,
  },
  example: "memd events --since 24h --follow",
  exits: [
    [0, "printed"],
    [2, "usage"],
    [130, "interrupted, as --follow always ends"],
  ],
  run: runEvents,
};

/** How often the log is looked at: one stat. */
const LOOK_MS = 500;

async function runEvents(context: Context, input: Input): Promise<number> {
  const { files, paths, stdout } = context;
  const follows = input.flag("follow");
  const wanted = filterOf(context, input);
  const asked = input.text("since") !== null || input.text("after") !== null;
  let seq = follows && !asked ? endOfEvents(files, paths.state) : afterOf(input);
  if (input.flag("json") && !follows) {
    printJson(context, { events: [...eventsAfter(files, paths.state, seq)].filter(wanted).map(inOrder) });
    return 0;
  }
  const print = () => {
    for (const event of eventsAfter(files, paths.state, seq)) {
      seq = event.seq;
      if (wanted(event)) stdout.write(`${JSON.stringify(inOrder(event))}\n`);
    }
  };
  print();
  if (!follows) return 0;
  const { signal } = context;
  for (let before = ""; !signal.aborted; ) {
    await waits(LOOK_MS, signal);
    const now = lookOf(context);
    if (now !== before) print();
    before = now;
  }
  return EXIT.interrupted;
}

/** Another one whenever something was appended, or a new file was begun. */
function lookOf({ files, paths }: Context): string {
  const stat = files.lstat(join(paths.state, EVENTS_FILE));
  return stat === null ? "" : `${stat.ino}:${stat.size}`;
}

/** What every event has comes first, as a person reads it. */
function inOrder({ v, seq, at, event, ...rest }: NumberedEvent) {
  return { v, seq, at, event, ...rest };
}

function afterOf(input: Input): number {
  const text = input.text("after") ?? "0";
  if (!/^\d{1,15}$/.test(text))
    throw usage(`--after ${JSON.stringify(text)} is no number`, "Give the seq of an event.");
  return Number(text);
}

function filterOf(context: Context, input: Input): (event: NumberedEvent) => boolean {
  const names = new Set(input.texts("store"));
  const since = input.text("since") === null ? 0 : sinceWhen(input.text("since") ?? "", context.clock.now());
  if (since === null)
    throw usage(
      `--since ${JSON.stringify(input.text("since"))} is no time`,
      "Write 2026-11-30, 2026-11-30T08:00Z, 90min, 2h or 3d.",
    );
  return (event) =>
    Date.parse(event.at) >= since &&
    (names.size === 0 || (typeof event["store"] === "string" && names.has(event["store"])));
}
