/** What the running daemon adds to what the disk tells. Without a socket this costs one lstat; with one, at most 300 ms, and two
 * seconds more before a daemon is said to hang. */
import { iso } from "../base/clock.ts";
import { askFacts } from "../live/client.ts";
import type { LiveCondition, LiveFacts } from "../live/facts.ts";
import { findSocket } from "../live/place.ts";
import type { Context } from "./context.ts";

/** As `status` prints it; without a daemon nobody watches and nobody dreams. */
export interface DaemonView {
  readonly running: boolean;
  readonly pid: number | null;
  readonly since: string | null;
  readonly watching: number;
  readonly version: string | null;
  readonly configLoadedAt: string | null;
  readonly dreaming: LiveFacts["dreaming"];
  readonly next: LiveFacts["next"];
}

const NONE: DaemonView = {
  running: false,
  pid: null,
  since: null,
  watching: 0,
  version: null,
  configLoadedAt: null,
  dreaming: [],
  next: null,
};

export interface Live {
  readonly daemon: DaemonView;
  readonly conditions: readonly LiveCondition[];
}

export async function liveOf(context: Context): Promise<Live> {
  const { files, paths, clock } = context;
  const path = findSocket(files, paths.state);
  if (path === null) return { daemon: NONE, conditions: [] };
  const seen = await askFacts(path);
  if (seen.state === "running") {
    const { conditions, ...facts } = seen.facts;
    return { daemon: { running: true, ...facts }, conditions };
  }
  const since = iso(files.lstat(path)?.mtime ?? clock.now());
  return {
    daemon: NONE,
    conditions: [{ ...(seen.state === "stale" ? gone(path) : silent(path)), store: null, since }],
  };
}

function gone(path: string) {
  return {
    code: "daemon-gone",
    message: `the daemon that listened on ${path} is gone and did not stop: it was killed, or it crashed`,
    hint: "Start it again: memd service start, or memd daemon. memd service logs shows its last words.",
  };
}

function silent(path: string) {
  return {
    code: "daemon-silent",
    message: `the daemon does not answer on ${path}: it hangs, or it is another version`,
    hint: "Start it anew: memd service restart. What is shown here stands on the disk.",
  };
}
