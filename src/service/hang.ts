/**
 * Ends a process whose loop hangs, where no manager does: a thread of its own looks whether the loop still turns. launchd has no watchdog;
 * it starts anew what did not end clean.
 */
/** Looks without a turn of the loop until the end: a minute, as under systemd. Counted, not timed: after a suspend one long wait is one look. */
const LOOKS = 6;
const LOOK_MS = 10_000;

/** Runs in the thread. SIGKILL, as nothing gentler reaches a loop that does not turn; written before, so that the log's last line says why. */
const WATCH = `
const { workerData } = process.getBuiltinModule("node:worker_threads");
const { writeSync } = process.getBuiltinModule("node:fs");
const turns = new Int32Array(workerData.turns);
const idle = new Int32Array(new SharedArrayBuffer(4));
let seen = -1;
let silent = 0;
for (;;) {
  Atomics.wait(idle, 0, 0, workerData.lookMs);
  const now = Atomics.load(turns, 0);
  silent = now === seen ? silent + 1 : 0;
  seen = now;
  if (silent < workerData.looks) continue;
  writeSync(2, "memd: the loop hangs; this process ends itself, and the service manager starts another\\n");
  process.kill(workerData.pid, "SIGKILL");
}`;

export interface HangWatch {
  /** The loop turns, and gets on. */
  turned(): void;
}

export interface HangSetup {
  readonly pid: number;
  /** Told when the thread itself fails; the process goes on without it. */
  readonly trouble: (why: string) => void;
  /** For tests. */
  readonly looks?: number;
  /** Between two looks. */
  readonly lookMs?: number;
}

export function watchForHang({ pid, trouble, looks = LOOKS, lookMs = LOOK_MS }: HangSetup): HangWatch {
  const turns = new SharedArrayBuffer(4);
  const counter = new Int32Array(turns);
  // Loaded where it is used: under launchd alone.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(WATCH, { eval: true, execArgv: [], workerData: { turns, pid, looks, lookMs } });
  worker.on("error", ({ message }) => trouble(`a hung loop would not be noticed: ${message}`));
  worker.unref();
  return {
    turned: () => void Atomics.add(counter, 0, 1),
  };
}
