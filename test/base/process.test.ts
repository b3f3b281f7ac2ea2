import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { isRunning, type Processes, systemProcesses } from "../../src/base/process.ts";

const processes = systemProcesses(process);
const onLinux = process.platform === "linux";

describe("a process", () => {
  it("is alive while it runs and dead afterwards", async () => {
    expect(processes.liveness(process.pid)).toBe("alive");
    const child = spawn("sleep", ["60"]);
    const pid = child.pid ?? 0;
    const identity = { pid, start: processes.start(pid), boot: processes.self.boot };
    expect(isRunning(processes, identity)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect([processes.liveness(pid), isRunning(processes, identity)]).toEqual(["dead", false]);
  });

  it.each([0, 1, -1, 2 ** 31, 2 ** 40, 1.5, Number.NaN])("with pid %d is dead, and nothing is signalled", (pid) => {
    expect(processes.liveness(pid)).toBe("dead");
  });

  it.runIf(onLinux)("that was killed but not yet waited for is dead", async () => {
    // The shell becomes a program that waits for no child.
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"]);
    onTestFinished(() => void parent.kill("SIGKILL"));
    const line = await createInterface({ input: parent.stdout })[Symbol.asyncIterator]().next();
    const child = Number(line.value);
    const read = (path: string) => readFileSync(path, "utf8");
    await expect.poll(() => read(`/proc/${parent.pid}/comm`)).toBe("sleep\n");
    process.kill(child, "SIGKILL");
    await expect.poll(() => read(`/proc/${child}/status`)).toMatch(/^State:\s+Z/m);
    expect(processes.liveness(child)).toBe("dead");
  });

  it.runIf(onLinux)("tells when it started and in which boot", () => {
    expect(processes.self).toEqual({
      pid: process.pid,
      start: expect.stringMatching(/^\d+$/),
      boot: execFileSync("cat", ["/proc/sys/kernel/random/boot_id"], { encoding: "utf8" }).trim(),
    });
    expect(processes.start(2 ** 22 + 1)).toBeNull();
  });
});

describe("an identity that was left behind", () => {
  const host = (parts: Partial<Processes>): Processes => ({
    self: { pid: 10, start: "1", boot: "today" },
    liveness: () => "alive",
    start: () => "100",
    ...parts,
  });
  const left = { pid: 77, start: "100", boot: "today" };
  it.each([
    ["runs: same boot, same start", host({}), left, true],
    ["is gone: dead pid", host({ liveness: () => "dead" }), left, false],
    ["is gone: its pid was given out again", host({ start: () => "200" }), left, false],
    ["is gone: the machine was started anew", host({}), { ...left, boot: "yesterday" }, false],
    ["runs, as another user", host({ liveness: () => "other-user" }), left, true],
    ["is gone: its pid is another user's now", host({ liveness: () => "other-user", start: () => "200" }), left, false],
    ["runs, where the system tells no start", host({ start: () => null }), left, true],
    ["runs, where the system told no start and no boot", host({}), { pid: 77, start: null, boot: null }, true],
  ])("%s", (_, processes, identity, running) => {
    expect(isRunning(processes, identity)).toBe(running);
  });
});
