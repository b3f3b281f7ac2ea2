import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { Distiller } from "../../src/ports.ts";
import { DAY, type Home, inProcess, MACHINE, makeHome, talk } from "../support/home.ts";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");

let home: Home;
beforeEach(() => {
  home = makeHome({ ...systemClock, move: () => undefined });
  mkdirSync(join(home.root, "state", "memd"), { recursive: true });
  writeFileSync(join(home.root, "state", "memd", "machine.json"), JSON.stringify({ id: MACHINE }));
});
afterEach(() => home.remove());

async function dreamNow(): Promise<number | null> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home.root, XDG_STATE_HOME: join(home.root, "state") };
  const child = spawn(
    process.execPath,
    [MEMD, "dream", "--now", "--memory", home.memory, "--sessions", home.sessions],
    { env, stdio: "ignore" },
  );
  const [code] = await once(child, "exit");
  return code;
}

it("of fifty dreams at once, the first one held open, 49 exit 4 and one changeset comes of it", async () => {
  home.session("a", talk(["Bugs are tracked in the Linear project ORBIT."], Date.now() - DAY));
  let others: (number | null)[] = [];
  const heldOpen: Distiller = {
    name: "extractive",
    distill: async (job) => {
      others = await Promise.all(Array.from({ length: 49 }, dreamNow));
      return inProcess.distill(job);
    },
  };
  const { report } = await home.dream({}, { distiller: heldOpen });
  expect(others).toEqual(Array.from({ length: 49 }, () => 4));
  expect(report).toMatchObject({ outcome: "done", reason: null });
  expect(home.read("MEMORY.md").match(/^- \[/gm)).toHaveLength(1);
  expect(await dreamNow()).toBe(0);
  expect(home.read("MEMORY.md").match(/^- \[/gm)).toHaveLength(1);
});
