import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openNotify } from "../../src/service/notify.ts";

const PID = 4_321;
let folder: string;
let troubles: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "memd-notify-"));
  troubles = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (env: Record<string, string | undefined>) =>
  openNotify({ env, pid: PID, trouble: (why) => troubles.push(why) });

/** A `systemd-notify` that writes down what it is told. */
function program(script: string): string {
  const path = join(folder, "systemd-notify");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return `${folder}:/usr/bin:/bin`;
}

describe("telling the service manager", () => {
  it("does nothing where nobody listens", async () => {
    const notify = open({ PATH: "/nowhere" });
    expect([notify.way, notify.pingMs]).toEqual(["none", null]);
    await notify.ready();
    expect(troubles).toEqual([]);
  });

  it("writes to the descriptor that was handed over under its name", async () => {
    const path = join(folder, "socket");
    const descriptor = openSync(path, "w");
    const names = [...Array.from({ length: descriptor - 3 }, (_, i) => `other${i}`), "notify"];
    const notify = open({
      NOTIFY_SOCKET: "/run/x",
      LISTEN_PID: String(PID),
      LISTEN_FDS: String(names.length),
      LISTEN_FDNAMES: names.join(":"),
    });
    await notify.ready();
    await notify.reloading();
    closeSync(descriptor);
    expect(notify.way).toBe("descriptor");
    expect(readFileSync(path, "utf8")).toMatch(/^READY=1RELOADING=1\nMONOTONIC_USEC=\d+$/);
  });

  it("else asks systemd-notify, in order, and hands it nothing but the socket", async () => {
    const PATH = program(`echo "$* for $NOTIFY_SOCKET with$SECRET" >> ${folder}/heard`);
    const notify = open({ NOTIFY_SOCKET: "/run/x", PATH, SECRET: "s3cret" });
    expect(notify.way).toBe("program");
    await Promise.all([notify.ready(), notify.status("idle;\n 3 stores\u001B[31m"), notify.ping(), notify.stopping()]);
    expect(readFileSync(join(folder, "heard"), "utf8").trimEnd().split("\n")).toEqual(
      ["READY=1", "STATUS=idle; 3 stores [31m", "WATCHDOG=1", "STOPPING=1"].map((said) => `${said} for /run/x with`),
    );
  });

  it("takes another process's descriptor for what it is: not ours", () => {
    const env = { NOTIFY_SOCKET: "/run/x", LISTEN_PID: "1", LISTEN_FDS: "1", LISTEN_FDNAMES: "notify" };
    expect(open(env).way).toBe("program");
  });

  it.each([
    [{ WATCHDOG_USEC: "60000000" }, 20_000],
    [{ WATCHDOG_USEC: "60000000", WATCHDOG_PID: String(PID) }, 20_000],
    [{ WATCHDOG_USEC: "60000000", WATCHDOG_PID: "1" }, null],
    [{ WATCHDOG_USEC: "soon" }, null],
    [{}, null],
  ])("pings in thirds of the manager's patience, and only when it is ours: %j", (env, expected) => {
    expect(open(env).pingMs).toBe(expected);
  });

  it("leaves no child anything to speak to the manager with", () => {
    const env = {
      NOTIFY_SOCKET: "/run/x",
      WATCHDOG_USEC: "1",
      WATCHDOG_PID: "1",
      LISTEN_FDS: "1",
      LISTEN_PID: "1",
      LISTEN_FDNAMES: "notify",
      HOME: "/home/a",
    };
    open(env);
    expect(env).toEqual({ HOME: "/home/a" });
  });

  it("says once that it is not heard, and goes on", async () => {
    const notify = open({ NOTIFY_SOCKET: "/run/x", PATH: program("exit 1") });
    await notify.ready();
    await notify.status("idle");
    expect(troubles).toEqual([expect.stringContaining("does not hear us")]);
  });
});
