/** What `status` knows of one store, from small files only: no scan, no transcript, no database. */
import { childPath } from "../base/child-path.ts";
import { iso } from "../base/clock.ts";
import { systemCode } from "../base/errors.ts";
import type { BatchFacts } from "../gate/batch.ts";
import { FREE } from "../gate/budget.ts";
import { type GateFacts, type GateLimits, judgeGates } from "../gate/judge.ts";
import type { Verdict } from "../gate/verdict.ts";
import { waitingBatch } from "../ledger/batch.ts";
import { type Pause, pauseIn } from "../ledger/pause.ts";
import { type Condition, loadStoreState, type StoreState } from "../ledger/store-state.ts";
import { lockState } from "../lock/occupancy.ts";
import { readStamp, type Stamp } from "../lock/stamp.ts";
import { BUDGET } from "../memory/model.ts";
import { INDEX } from "../memory/names.ts";
import { isFed, type Store } from "../ports.ts";
import { backlogOf } from "../steps/limits.ts";
import { overdueConditions } from "../steps/overdue.ts";
import { type Paused, pausesUnder } from "../steps/pause.ts";
import { laidOut } from "../store/layout.ts";
import { expiringConditions } from "./expiring.ts";
import type { StatusWorld } from "./status-world.ts";

export interface GateView {
  readonly gate: string;
  readonly open: boolean;
  readonly reason: string | null;
  readonly opensAt: string | null;
}

export interface StoreView {
  readonly name: string;
  readonly layout: Store["layout"];
  readonly memory: string;
  readonly topics: number;
  readonly entries: number;
  readonly paused: boolean;
  /** `all`, `store` or `config`; null when it is not paused. */
  readonly pausedBy: Paused["by"] | null;
  readonly index: {
    readonly lines: number;
    readonly bytes: number;
    readonly maxLines: number;
    readonly maxBytes: number;
  };
  readonly lastConsolidatedAt: string | null;
  readonly lock: {
    readonly state: "free" | "held" | "stale";
    readonly pid: number | null;
    readonly since: string | null;
  };
  /** None where other stores feed this one. */
  readonly gates: readonly GateView[];
  /** Parts of sessions that were sent off to be read at the batch price; null when none wait. */
  readonly batch: { readonly parts: number; readonly since: string; readonly lookAt: string } | null;
  readonly scannedAt: string | null;
  readonly sessions: {
    readonly seen: number;
    readonly counted: number;
    readonly unread: number;
    readonly dropped: Readonly<Record<string, number>>;
    /** Since when they cannot be read; the counts are those of the last scan that could. */
    readonly unreadableSince: string | null;
  };
  readonly lastRun: StoreState["lastRun"];
  /** The last run, whatever came of it. */
  readonly lastAttemptAt: string | null;
  readonly lastSuccessAt: string | null;
  /** The last dream that changed memory. */
  readonly lastChangedAt: string | null;
  readonly questions: number;
  readonly conditions: readonly (Condition & { readonly store: string })[];
}

/** Counts lines and bytes of MEMORY.md; zero when there is none or it cannot be read (a condition of its own then). */
function indexSize(world: StatusWorld, store: Store): { lines: number; bytes: number; trouble: string | null } {
  try {
    const path = childPath(store.memory, INDEX);
    const files = laidOut(world.files, store);
    const text = files.readText(path);
    const lines = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
    // Bytes that are no UTF-8 read as U+FFFD, which has a length of its own.
    const bytes = text.includes("\uFFFD") ? (files.lstat(path)?.size ?? 0) : Buffer.byteLength(text);
    return { lines, bytes, trouble: null };
  } catch (error) {
    const code = systemCode(error);
    if (code === null) throw error;
    return { lines: 0, bytes: 0, trouble: code === "ENOENT" || code === "ENOTDIR" ? null : code };
  }
}

function gateView(verdict: Verdict): GateView {
  if (verdict.open) return { gate: verdict.gate, open: true, reason: null, opensAt: null };
  return {
    gate: verdict.gate,
    open: false,
    reason: `${verdict.reason}: ${verdict.detail}`,
    opensAt: verdict.opensAt === null ? null : iso(verdict.opensAt),
  };
}

interface LockView {
  readonly lock: StoreView["lock"];
  readonly gate: GateView;
  /** When the store was last consolidated: what a killed run wrote is rolled back before the next one, and does not count. */
  readonly stamp: number;
}

function lockView(world: StatusWorld, store: Store, onDisk: Stamp): LockView {
  const found = lockState(world.lease, store.memory, onDisk);
  const stamp = found.state === "stale" ? (found.prior ?? onDisk.stamp) : onDisk.stamp;
  if (found.state === "free")
    return {
      lock: { state: "free", pid: null, since: null },
      gate: { gate: "lock", open: true, reason: null, opensAt: null },
      stamp,
    };
  const pid = found.state === "held" ? found.by.pid : found.pid;
  const since = found.since === null ? null : iso(found.since);
  const reason = found.state === "held" ? `held by ${found.by.program}${pid === null ? "" : ` (pid ${pid})`}` : null;
  return {
    lock: { state: found.state, pid, since },
    gate: { gate: "lock", open: found.state !== "held", reason, opensAt: null },
    stamp,
  };
}

function indexConditions(
  store: Store,
  index: { lines: number; bytes: number; trouble: string | null },
  at: string,
): Omit<Condition, "store">[] {
  if (index.trouble) {
    return [
      {
        code: "index-unreadable",
        message: `cannot read ${store.memory}/MEMORY.md (${index.trouble})`,
        hint: "Give this user permission to read it.",
        since: at,
      },
    ];
  }
  if (index.lines <= BUDGET.indexWarnLines && index.bytes <= BUDGET.indexBytes) return [];
  const over = index.lines > BUDGET.indexLines || index.bytes > BUDGET.indexBytes;
  const message = `MEMORY.md has ${index.lines} lines and ${index.bytes} bytes; agents load ${BUDGET.indexLines} lines and ${BUDGET.indexBytes} bytes`;
  return [
    {
      code: over ? "index-over-limit" : "index-near-limit",
      message,
      hint: "Merge or shorten lines that you wrote; agents cut the tail without a word.",
      since: at,
    },
  ];
}

/** @throws the system error when the state directory cannot be read */
export function viewStores(world: StatusWorld, stores: readonly Store[], limits: GateLimits): StoreView[] {
  const all = pauseIn(world.files, world.state);
  return stores.map((store) => viewUnder(world, store, { limits, all }));
}

interface Around {
  readonly limits: GateLimits;
  /** The pause of all stores. */
  readonly all: Pause | null;
}

function viewUnder(world: StatusWorld, store: Store, { limits, all }: Around): StoreView {
  const now = world.clock.now();
  const state = loadStoreState(world.files, store.state);
  const onDisk = readStamp(world.lease, store.memory, now);
  const { gate: lockGate, lock, stamp } = lockView(world, store, onDisk);
  const facts = {
    stamp,
    backlog: backlogOf(state),
    failure: state.failure,
    batch: waitingBatch(world.files, store.state),
    budget: world.budget ?? FREE,
    lastScan: state.lastScan?.at ?? null,
    counted: state.lastScan?.counted ?? null,
  };
  const index = indexSize(world, store);
  const pauses = pausesUnder(all, world.files, store);
  const standing = [
    ...standingOf(store, state, { facts, now, limits, isPaused: pauses.length > 0 }),
    ...(onDisk.notice ? [{ ...onDisk.notice, since: iso(now) }] : []),
    ...indexConditions(store, index, iso(now)),
  ];
  return {
    ...pastOf(state),
    name: store.name,
    layout: store.layout,
    memory: store.memory,
    paused: pauses.length > 0,
    pausedBy: pauses[0]?.by ?? null,
    index: { lines: index.lines, bytes: index.bytes, maxLines: BUDGET.indexLines, maxBytes: BUDGET.indexBytes },
    lastConsolidatedAt: stamp > 0 ? iso(stamp) : null,
    lock,
    gates: isFed(store) ? [] : [...judgeGates(facts, now, limits).map(gateView), lockGate],
    batch: batchView(facts.batch),
    conditions: standing.map((condition) => ({ ...condition, store: store.name })),
  };
}

interface Now {
  readonly facts: GateFacts;
  readonly now: number;
  readonly limits: GateLimits;
  readonly isPaused: boolean;
}

/** What the last run left, and what time alone has made wrong since; `overdue` is told as of now. */
function standingOf(store: Store, state: StoreState, { facts, now, limits, isPaused }: Now): Condition[] {
  const left = state.conditions.filter(({ code }) => code !== "overdue");
  if (isFed(store)) return left;
  return [
    ...left,
    ...expiringConditions(store.name, state, { now, expiringAfter: limits.expiringAfter }),
    ...overdueConditions({ name: store.name, paused: isPaused }, state, { facts, now, limits }),
  ];
}

const batchView = (batch: BatchFacts | null): StoreView["batch"] =>
  batch && { parts: batch.parts, since: iso(batch.since), lookAt: iso(batch.lookAt) };

type Past =
  | "topics"
  | "entries"
  | "scannedAt"
  | "sessions"
  | "lastRun"
  | "lastAttemptAt"
  | "lastSuccessAt"
  | "lastChangedAt"
  | "questions";

/** What earlier scans and runs wrote down. */
function pastOf({ shape, lastScan, ...state }: StoreState): Pick<StoreView, Past> {
  const { unreadableSince, lastRun, lastSuccessAt, lastChangedAt, questions } = state;
  return {
    topics: shape?.topics ?? 0,
    entries: shape?.entries ?? 0,
    scannedAt: lastScan ? iso(lastScan.at) : null,
    sessions: {
      seen: lastScan?.seen ?? 0,
      counted: lastScan?.counted ?? 0,
      unread: lastScan?.unread ?? 0,
      dropped: lastScan?.dropped ?? {},
      unreadableSince,
    },
    lastRun,
    lastAttemptAt: lastRun?.at ?? null,
    lastSuccessAt,
    lastChangedAt,
    questions,
  };
}
