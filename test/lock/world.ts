import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import type { Liveness, Processes } from "../../src/base/process.ts";
import type { LeaseWorld } from "../../src/lock/occupancy.ts";

export const NOW = Date.UTC(2026, 10, 30, 12);
export const HOUR = 3_600_000;

export const LIVE = 4242;
export const DEAD = 4343;
export const OTHER_USER = 4444;
export const SELF = 4545;

export function scratch(): string {
  const path = mkdtempSync(join(tmpdir(), "memd-lock-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A machine on which LIVE and SELF run, DEAD does not, and OTHER_USER may not be signalled. */
export function processes(overrides: Partial<Processes> = {}): Processes {
  const known: Record<number, Liveness> = { [LIVE]: "alive", [SELF]: "alive", [OTHER_USER]: "other-user" };
  return {
    self: { pid: SELF, start: "100", boot: "boot-1" },
    liveness: (pid) => known[pid] ?? "dead",
    start: (pid) => (pid === LIVE || pid === SELF ? "100" : null),
    ...overrides,
  };
}

let counter = 0;

/** Counts up, so that every token differs. */
export function random(bytes: number): Uint8Array {
  counter += 1;
  const result = new Uint8Array(bytes);
  new DataView(result.buffer).setUint32(0, counter);
  return result;
}

export function world(overrides: Partial<LeaseWorld> = {}): LeaseWorld {
  return {
    files: nodeFiles,
    processes: processes(),
    clock: { now: () => Date.now(), monotonic: () => 0 },
    random,
    machineId: "machine-1",
    ...overrides,
  };
}

/** The same file verbs, each call noted by its name. */
export function counted(calls: string[], files: Files = nodeFiles): Files {
  return new Proxy(files, {
    get(target, name, receiver) {
      const verb: unknown = Reflect.get(target, name, receiver);
      if (typeof verb !== "function") return verb;
      return (...args: unknown[]) => {
        calls.push(String(name));
        return verb.apply(target, args);
      };
    },
  });
}
