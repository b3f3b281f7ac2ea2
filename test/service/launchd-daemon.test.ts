/** The built daemon as launchd starts it: again and again, with nothing but an exit status to tell it to stop. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { readStarts } from "../../src/service/starts.ts";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "memd-launchd-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("the daemon under launchd", () => {
  const daemon = () =>
    spawnSync(process.execPath, [MEMD, "daemon"], {
      env: { PATH: process.env["PATH"], HOME: home, MEMD_SERVICE: "launchd", XPC_SERVICE_NAME: "dev.memd.daemon" },
      encoding: "utf8",
    });

  it("ends clean at the fifth start that fails, and says so where a person looks", () => {
    mkdirSync(join(home, ".config/memd"), { recursive: true });
    writeFileSync(join(home, ".config/memd/config.yaml"), "gates: [broken\n");
    const ends = Array.from({ length: 7 }, () => daemon().status);
    expect(ends).toEqual([78, 78, 78, 78, 0, 0, 0]);
    expect(readStarts(nodeFiles, join(home, ".local/state/memd")).gaveUp).toContain("78 (misconfigured)");
    const log = spawnSync("tail", ["-n", "1", join(home, ".local/state/memd/logs/memd.log")], { encoding: "utf8" });
    expect(log.stdout).toContain("too many starts failed");
  });

  it("is ended from outside its loop when that hangs, and not while it turns", async () => {
    const script = join(home, "hang.mjs");
    const source = resolve(import.meta.dirname, "../../src/service/hang.ts");
    await build({ entryPoints: [source], bundle: true, platform: "node", format: "esm", outfile: script });
    const run = async (then: string) => {
      const code = `import { watchForHang } from ${JSON.stringify(script)};
        const watch = watchForHang({ pid: process.pid, trouble: console.error, looks: 20, lookMs: 20 });
        let turns = 0;
        const timer = setInterval(() => { watch.turned(); if (++turns === 100) { clearInterval(timer); ${then} } }, 10);`;
      const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      let said = "";
      child.stderr.on("data", (text) => {
        said += text;
      });
      const [status, signal] = await once(child, "close");
      return { status, signal, said };
    };
    expect(await run("process.exit(0)")).toEqual({ status: 0, signal: null, said: "" });
    expect(await run("for (;;);")).toEqual({
      status: null,
      signal: "SIGKILL",
      said: expect.stringContaining("the loop hangs"),
    });
  });
});
