/** The log that `memd service logs` shows where no journal keeps it. */
import { appendFileSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { launchdManager } from "../../src/service/launchd.ts";
import { showTail } from "../../src/service/log-tail.ts";
import { systemPrograms } from "../../src/service/programs.ts";

let folder: string;
let log: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "memd-logs-")));
  log = join(folder, "memd.log");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const programs = systemPrograms({ PATH: process.env["PATH"] });
const line = (msg: string, more: object = {}) =>
  `${JSON.stringify({ level: "info", at: "2026-11-30T08:00:00.000Z", ...more, msg })}\n`;

describe("the log file of the service", () => {
  it("is shown as people read it, and given to programs as it stands", async () => {
    writeFileSync(log, line("started", { pid: 7 }) + line("dream done", { store: "app", run: "r 1" }));
    const manager = launchdManager({ programs, uid: 501, path: join(folder, "memd.plist"), log });
    const shown: string[] = [];
    expect(await manager.showLog({ lines: 1, follow: false }, (text) => shown.push(text))).toBe(0);
    expect(shown).toEqual(['2026-11-30T08:00:00.000Z info  dream done store=app run="r 1"']);
    expect(await manager.readLog(2)).toEqual(
      [line("started", { pid: 7 }), line("dream done", { store: "app", run: "r 1" })].map((text) => text.trimEnd()),
    );
  });

  it("is followed, also when it is rotated", { timeout: 20_000 }, async () => {
    writeFileSync(log, line("one"));
    const shown: string[] = [];
    const kept: { tail?: { kill(): void } } = {};
    let heard: () => void = () => undefined;
    const until = (text: string) =>
      new Promise<void>((done) => {
        heard = () => shown.at(-1)?.endsWith(text) && done();
        heard();
      });
    const { spawn } = await import("node:child_process");
    const ended = showTail(
      {
        ...programs,
        // As the real one, with a handle by which this test can end it.
        follow: (file, args, hear) =>
          new Promise((resolve) => {
            const child = spawn(file, [...args], { stdio: ["ignore", "pipe", "ignore"] });
            kept.tail = child;
            let rest = "";
            child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
              const lines = (rest + chunk).split("\n");
              rest = lines.pop() ?? "";
              for (const one of lines) hear?.(one);
            });
            child.on("close", (code) => resolve(code ?? 0));
          }),
      },
      log,
      {
        query: { lines: 10, follow: true },
        print: (text) => {
          shown.push(text);
          heard();
        },
      },
    );
    await until("one");
    appendFileSync(log, line("two"));
    await until("two");
    renameSync(log, `${log}.old`);
    writeFileSync(log, line("three"));
    await until("three");
    kept.tail?.kill();
    expect(await ended).toBe(0);
  });

  it("says by its exit status that there is none", async () => {
    expect(await programs.follow("tail", ["-n", "1", log], () => undefined)).not.toBe(0);
    expect(await programs.follow(join(folder, "no-such-program"), [], () => undefined)).toBe(127);
  });
});
