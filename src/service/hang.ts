/**
 * Ends a process whose loop hangs, where no manager does: a thread of its own looks whether the loop still turns. launchd has no watchdog;
 * it starts anew what did not end clean.
 */
import { Worker } from "node:worker_threads";

/** Looks without a turn of the loop until the end: a minute, as under systemd. Counted, not timed: after a suspend one long wait is one look. */
const LOOKS = 6;
const LOOK_MS = 10_000;

/** Runs in the thread. SIGKILL, as nothing gentler reaches a loop that does not turn; written before, so that the log's last line says why. */
const WATCH = `
const { workerData } = require("node:worker_threads");
const { writeSync } = require("node:fs");
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
  end(): Promise<void>;
}

/** @param limits for tests: looks without a turn, and ms between looks */
export function watchForHang(
  pid: number,
  limits: { looks: number; lookMs: number } = { looks: LOOKS, lookMs: LOOK_MS },
): HangWatch {
  const turns = new SharedArrayBuffer(4);
  const counter = new Int32Array(turns);
  const worker = new Worker(WATCH, { eval: true, workerData: { turns, pid, ...limits } });
  worker.unref();
  return {
    turned: () => void Atomics.add(counter, 0, 1),
    end: async () => void (await worker.terminate()),
  };
}
