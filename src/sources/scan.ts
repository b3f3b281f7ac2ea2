/** The session gate's look at a store: what is new since the stamp, at the price of a stat per unchanged transcript. */
import { countedShare } from "./counted-share.ts";
import { type Ahead, type FileState, stateOf } from "./cursors.ts";
import { daysOf } from "./days.ts";
import { isUpToDate, type KnownTurns, knownTurns, look, unlessRefused } from "./look.ts";
import {
  addRecords,
  listTargets,
  type Notice,
  type ReadPlan,
  type RecordCounts,
  refuseUnreadable,
  type SessionCounts,
  type Target,
  tally,
  unreadable,
} from "./plan.ts";
import { type Policy, policyOf } from "./policy.ts";
import { isInside } from "./project.ts";
import { sharedFolders } from "./shared-folders.ts";

export interface ScanResult {
  readonly sessions: SessionCounts & {
    /** Sessions with turns after the stamp that were not taken yet, each once for every day on which there were any. */
    readonly counted: number;
    /** Sessions with turns that were not taken yet, whenever they were said. */
    readonly unread: number;
  };
  /** Of the parts that were not taken yet. */
  readonly records: RecordCounts;
  /** Epoch ms: change time of the unread transcript that its client will delete first; null when nothing is unread. */
  readonly oldestUnreadAt: number | null;
  readonly notices: readonly Notice[];
}

/**
 * Counts sessions and updates the book, which the caller then saves. A transcript that the book does not know and that
 * was not touched since the stamp counts as unread without being opened.
 * @throws MemdError misconfigured when a root, or all that lies below, cannot be read: never "0 sessions"
 */
export async function scan(plan: ReadPlan): Promise<ScanResult> {
  const targets = await listTargets(plan);
  const policy = policyOf(plan);
  const known = knownTurns(plan.book);
  const sums = summary(plan.since);
  for (const target of targets) {
    plan.signal.throwIfAborted();
    const { file } = target;
    if (file.trouble) sums.note(file.trouble);
    if (file.drop !== null) sums.drop(file.drop, target);
    else if (!plan.book.files.has(file.path) && file.mtime <= plan.since) sums.unread(target);
    else await scanOne(plan, target, { policy, known, sums });
  }
  forgetVanished(plan, targets);
  const lying = targets.map(({ file }) => ({ file, cwd: plan.book.files.get(file.path)?.cwds[0] }));
  return sums.result(plan, targets.length, sharedFolders(plan, lying, policy.rootOf));
}

interface Tools {
  readonly policy: Policy;
  readonly known: KnownTurns;
  readonly sums: Summary;
}

async function scanOne(plan: ReadPlan, target: Target, { policy, known, sums }: Tools): Promise<void> {
  const state = stateOf(plan.book, target.file.path);
  if (!isUpToDate(state, target)) {
    plan.progress(`look at ${target.file.session}`);
    const found = await unlessRefused(() => look(target, state, known, plan.signal));
    if (found === "refused") return sums.drop("unreadable-file", target);
    if (!found) return sums.drop("gone", target);
  }
  if (state.ahead) judge(state, state.ahead, target, { policy, sums });
}

function judge(state: FileState, ahead: Ahead, target: Target, { policy, sums }: Omit<Tools, "known">): void {
  sums.records(ahead);
  const said = state.turns + ahead.said;
  const times: number[] = [];
  let refused: string | null = null;
  for (const group of ahead.groups) {
    const reason = policy.judge(target.file, group, said);
    if (reason === null) times.push(...(group.days ?? []), group.lastAt);
    else refused ??= reason;
  }
  if (times.length > 0) sums.unread(target, times);
  else if (refused !== null) sums.drop(refused, target);
  else if (said === 0 && ahead.drop !== null) sums.drop(ahead.drop, target);
  else if (ahead.said > 0) sums.drop("copy", target);
  else sums.read();
}

type Summary = ReturnType<typeof summary>;

function summary(since: number) {
  const dropped = tally();
  const [counted, unread] = [sessionSet(), sessionSet()];
  const notices: Notice[] = [];
  const records = { lines: 0, bad: 0, unfinished: 0 };
  const share = countedShare();
  let oldest: number | null = null;
  return {
    note: (notice: Notice) => notices.push(notice),
    drop(reason: string, { file }: Target) {
      dropped.add(reason);
      if (reason === "unreadable-folder") notices.push(unreadable(file.path, "folder"));
      if (reason === "unreadable-file") notices.push(unreadable(file.path, "file"));
      if (file.drop === null) share.drop(reason);
    },
    /** @param times when turns were said that count */
    unread(target: Target, times: readonly number[] = []) {
      const { file } = target;
      share.keep();
      unread.add(target);
      counted.add(
        target,
        times.filter((at) => at > since),
      );
      oldest = Math.min(oldest ?? file.mtime, file.mtime);
    },
    read: share.keep,
    records: (part: RecordCounts) => addRecords(records, part),
    result(plan: ReadPlan, seen: number, more: readonly Notice[]): ScanResult {
      refuseUnreadable(plan, seen, dropped.counts);
      const sessions = { seen, counted: counted.days(), unread: unread.size(), dropped: dropped.counts };
      return {
        sessions,
        records,
        oldestUnreadAt: oldest,
        notices: [...notices, ...share.notices(dropped.counts), ...more],
      };
    },
  };
}

/** Sessions by client and id, which may lie in several files, with when they were spoken in. */
function sessionSet(): { add(target: Target, times?: readonly number[]): void; size(): number; days(): number } {
  const byClient = new Map<string, Map<string, number[]>>();
  const all = () => [...byClient.values()];
  return {
    add({ source, file }, times = []) {
      const sessions = byClient.get(source.client) ?? new Map<string, number[]>();
      byClient.set(source.client, sessions);
      const known = sessions.get(file.session);
      if (known) known.push(...times);
      else sessions.set(file.session, [...times]);
    },
    size: () => all().reduce((sum, { size }) => sum + size, 0),
    days: () =>
      all().reduce((sum, sessions) => [...sessions.values()].reduce((n, times) => n + daysOf(times).length, sum), 0),
  };
}

/** Entries of transcripts that are no longer below their root: their clients delete them after some weeks. */
function forgetVanished(plan: ReadPlan, targets: readonly Target[]): void {
  // As many as are known were met: no need to look for one that was not.
  if (countKnown(plan, targets) === plan.book.files.size) return;
  const present = new Set(targets.map(({ file }) => file.path));
  // A root that lists nothing at all may be a disk that is not mounted; its places are kept.
  const roots = plan.sources
    .map(({ root }) => root)
    .filter((root) => targets.some(({ file }) => isInside(file.path, root)));
  // What lies in a folder or a database that could not be listed has not vanished.
  const closed = targets.flatMap(({ file }) => (file.drop === null ? [] : [file.path]));
  const isHidden = (path: string) =>
    closed.some((whole) => path.startsWith(`${whole}/`) || path.startsWith(`${whole}#`));
  for (const path of plan.book.files.keys())
    if (!present.has(path) && roots.some((root) => isInside(path, root)) && !isHidden(path))
      plan.book.files.delete(path);
}

function countKnown({ book }: ReadPlan, targets: readonly Target[]): number {
  let count = 0;
  for (const { file } of targets) if (book.files.has(file.path)) count++;
  return count;
}
