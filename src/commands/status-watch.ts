/** `status --watch`: the page drawn anew on a terminal, a line for each change elsewhere, a document for each change with --json. */
import { iso } from "../base/clock.ts";
import { EXIT } from "../base/errors.ts";
import { follow } from "../live/follow.ts";
import { findSocket } from "../live/place.ts";
import { isFed } from "../ports.ts";
import type { Context } from "./context.ts";
import { renderStatus } from "./render-status.ts";
import type { Status } from "./status.ts";
import type { StoreView } from "./status-view.ts";
import { waits } from "./waits.ts";

/** Without a daemon the disk is looked at; with one it says when. */
const LOOK_MS = 2_000;
/** A dream's steps come faster than anybody reads. */
const LEAST_MS = 250;

const CLEAR = "\u001B[H\u001B[J";

export async function watchStatus(context: Context, look: () => Promise<Status>, asJson: boolean): Promise<number> {
  const { signal, stdout } = context;
  const print = asJson ? documents(context) : stdout.terminal ? pages(context) : lines(context);
  while (!signal.aborted) {
    print(await look());
    await waits(LEAST_MS, signal);
    await somethingHappens(context, signal);
  }
  return EXIT.interrupted;
}

/** Ends with the daemon's next event, when it is time to look anyway, or with the signal. */
async function somethingHappens({ files, paths }: Context, signal: AbortSignal): Promise<void> {
  const path = findSocket(files, paths.state);
  if (path === null) return waits(LOOK_MS, signal);
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  const followed = follow(path, ({ event }) => event !== "following" && enough.abort(), either);
  await waits(LOOK_MS, either);
  enough.abort();
  await followed;
}

function pages(context: Context): (status: Status) => void {
  return (status) => context.stdout.write(`${CLEAR}${renderStatus(context, status)}`);
}

/** Times at which something computed was looked at are no change. */
function documents(context: Context): (status: Status) => void {
  let before = "";
  return (status) => {
    const now = JSON.stringify(status, (key, value) => (key === "since" ? undefined : value));
    if (now !== before) context.stdout.write(`${JSON.stringify(status)}\n`);
    before = now;
  };
}

/** One line per store, per condition and for the daemon, whenever it is another one than before. */
function lines(context: Context): (status: Status) => void {
  let before = new Map<string, string>();
  return (status) => {
    const now = new Map(linesOf(status));
    const changed = [...now].filter(([about, text]) => before.get(about) !== text);
    const gone = [...before.keys()].filter((about) => !now.has(about)).map((about) => `${about} is over`);
    const at = iso(context.clock.now());
    for (const text of [...changed.map(([about, told]) => `${about}: ${told}`), ...gone])
      context.stdout.write(`${at} ${text}\n`);
    before = now;
  };
}

function linesOf({ daemon, stores, conditions }: Status): [string, string][] {
  const dreams = daemon.dreaming.map(({ store, step }) => `${store} (${step})`).join(", ");
  const running = `running, pid ${daemon.pid}${dreams === "" ? "" : `, dreaming of ${dreams}`}`;
  return [
    ["daemon", daemon.running ? running : "not running"],
    ...stores.map((view): [string, string] => [view.name, storeLine(view)]),
    ...conditions.map(({ store, code, message }): [string, string] => [
      `condition ${code}${store === null ? "" : ` of ${store}`}`,
      message,
    ]),
  ];
}

function storeLine(view: Omit<StoreView, "conditions">): string {
  const { paused, gates, sessions, lastRun, lastSuccessAt } = view;
  const closed = gates.find(({ open }) => !open);
  const gate = closed ? `${closed.gate} gate closed` : "all gates open";
  const due = isFed(view) ? "follows the projects" : gate;
  return [
    paused ? "paused" : due,
    ...(isFed(view) ? [] : [`${sessions.counted} new and ${sessions.unread} unread sessions`]),
    `last run ${lastRun === null ? "none" : `${lastRun.outcome} ${lastRun.at}`}`,
    `last success ${lastSuccessAt ?? "none"}`,
  ].join(", ");
}
