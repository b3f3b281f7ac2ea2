import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildChild } from "../../scripts/build.mjs";
import { systemClock } from "../../src/base/clock.ts";
import { systemProcesses } from "../../src/base/process.ts";
import { openChannel } from "../../src/distill/channel.ts";
import { extract } from "../../src/distill/extractive/index.ts";
import { NO_REQUESTS } from "../../src/distill/fork.ts";
import { startChild } from "../../src/distill/kept-child.ts";
import { parseProposal } from "../../src/memory/schema.ts";
import { type Brief, NO_USAGE } from "../../src/ports.ts";
import { emptyBrief, isGone, makeWorld, type World } from "./world.ts";

let dist: string;
let child: string;
beforeAll(async () => {
  dist = realpathSync(mkdtempSync(join(tmpdir(), "memd-dist-")));
  child = await buildChild(dist);
});
afterAll(() => rmSync(dist, { recursive: true, force: true }));

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

const said = (text: string, n: number) => ({
  label: `S1:${n}`,
  speaker: "user" as const,
  trust: "user" as const,
  text,
  at: Date.UTC(2026, 2, 9, 10, n),
  dates: [],
  line: n,
  record: null,
});

function talk(...texts: string[]): Brief {
  const session = { label: "S1", session: "a", client: "claude-code", file: "/a.jsonl", cwd: "/a", headless: false };
  const utterances = texts.map((text, i) => said(text, i + 1));
  return {
    ...emptyBrief("app"),
    digest: { sessions: [{ ...session, utterances }], tokens: 100, redacted: {}, taken: [] },
  };
}

describe("the distiller's child", () => {
  it("proposes what the distiller finds, and nothing else differs from running it here", async () => {
    const brief = talk("Please remember: the staging database listens on port 5433.", "Never push to main on Fridays.");
    const told = await world.run(child, null, { readable: [], job: { brief } });
    expect(told.error).toBeNull();
    expect(told.distilled).toEqual({
      ...parseProposal(extract(brief)),
      usage: NO_USAGE,
      fence: "node",
    });
    expect(told.distilled?.proposal.operations.length).toBeGreaterThan(0);
    expect(isGone(told.pid)).toBe(true);
  });

  it("takes no text of the brief for code, a path or a key", async () => {
    const nasty = [
      "__proto__",
      "constructor",
      "`process.exit(1)`",
      "../../etc/passwd",
      "\u2028'; process.exit(1); //",
      "}\n{",
    ];
    const told = await world.run(child, null, {
      readable: [],
      job: { brief: { ...talk(...nasty), store: "__proto__" } },
    });
    expect(told.error).toBeNull();
  });

  it("refuses a brief that has not its form, and says where", async () => {
    const brief = { ...emptyBrief("app"), now: "x".repeat(100) };
    const told = await world.run(child, null, { readable: [], job: { brief } });
    expect(told.error).toMatchObject({
      family: "rejected",
      code: "bad-brief",
      message: expect.stringContaining("now"),
    });
  });

  it("says so when it has no distiller of that name", async () => {
    const told = await world.run(child, null, { readable: [], name: "claude" });
    expect(told.error).toMatchObject({ family: "rejected", code: "distiller-bug" });
  });

  it("refuses to run when nothing holds it", async () => {
    mkdirSync(world.folder);
    writeFileSync(join(world.folder, "brief.json"), JSON.stringify(talk("Remember: a.")));
    const bare = { file: process.execPath, args: [child, "extractive"] };
    const kept = await startChild(bare, { cwd: world.folder, env: {}, outputBytes: 1e6, flooded: () => undefined });
    const judge = () => ({ accepted: true, rule: null, detail: "" }) as const;
    const desk = { ...NO_REQUESTS, progress: () => undefined, judge };
    const channel = openChannel(kept.channel, {
      desk,
      clock: systemClock,
      heard: () => undefined,
      breach: () => undefined,
    });
    await kept.ended;
    expect(channel.last).toMatchObject({ failed: { family: "misconfigured", code: "no-fence" } });
    expect(JSON.stringify(channel.last)).toContain(
      "it can read outside its brief, it can write, it can start processes",
    );
  });
});

describe("when memd itself is killed", () => {
  const children = join(import.meta.dirname, "children");
  beforeAll(async () => {
    const entryPoints = ["parent.ts", "patient.ts"].map((name) => join(children, name));
    await build({
      entryPoints,
      bundle: true,
      platform: "node",
      format: "esm",
      outExtension: { ".js": ".mjs" },
      outdir: dist,
    });
  });

  it.each([
    ["waits for an answer", () => join(dist, "patient.mjs")],
    ["is in an endless loop", () => join(children, "misbehave.mjs")],
  ])("a child that %s goes too", async (_, childPath) => {
    const job = { folder: world.folder, childPath: childPath(), speak: join(children, "speak.mjs") };
    const memd = spawn(process.execPath, [join(dist, "parent.mjs"), JSON.stringify(job)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pid = await new Promise<number>((resolve) => memd.stdout.once("data", (text) => resolve(Number(text))));
    expect(systemProcesses(process).liveness(pid)).toBe("alive");
    memd.kill("SIGKILL");
    await expect.poll(() => systemProcesses(process).liveness(pid), { timeout: 20_000 }).toBe("dead");
  });
});
