/** The kernel's fence by bubblewrap, tried from inside; without it nothing here can be tested. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildChild } from "../../scripts/build.mjs";
import { nodeFiles } from "../../src/base/files.ts";
import { checkConfig } from "../../src/config/check.ts";
import { configOf } from "../../src/config/config.ts";
import { extract } from "../../src/distill/extractive/index.ts";
import { findFence } from "../../src/distill/kernel/find.ts";
import { parseProposal } from "../../src/memory/schema.ts";
import { NO_USAGE } from "../../src/ports.ts";
import { kernelOf } from "../../src/steps/kernel.ts";
import { drive } from "./children/kernel-driver.ts";
import { emptyBrief, makeWorld, type World } from "./world.ts";

const CHILDREN = join(import.meta.dirname, "children");
const NO_BWRAP = spawnSync("bwrap", ["--unshare-user", "--ro-bind", "/", "/", "true"]).status !== 0;
if (NO_BWRAP)
  process.stderr.write(
    "\n*** NOT TESTED: the fence by bubblewrap: it is not installed, or may not make namespaces here ***\n\n",
  );

let root: string;
let home: string;
let victim: ChildProcess;
let servers: Server[];
let port: number;
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "memd 用户 $HOME %h ' \"-")));
  home = join(root, "home");
  for (const folder of [".ssh", "state/briefs/one", "state/briefs/other", "app"])
    mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, ".ssh", "id_ed25519"), "private");
  writeFileSync(join(home, "state", "secret.txt"), "private");
  writeFileSync(join(home, "state", "briefs", "other", "brief.json"), "private");
  writeFileSync(join(home, "state", "briefs", "one", "brief.json"), `{"word":"hello"}`);
  for (const name of ["kernel-escape.mjs", "forever.mjs"]) copyFileSync(join(CHILDREN, name), join(home, "app", name));
  victim = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"], { stdio: "ignore" });
  servers = [createServer(), createServer(), createServer()];
  const [tcp, unix, abstract] = servers;
  await Promise.all([
    new Promise<void>((done) => tcp?.listen(0, done)),
    new Promise<void>((done) => unix?.listen(join(home, "agent.sock"), done)),
    new Promise<void>((done) => abstract?.listen(`\0memd-test-${process.pid}`, done)),
  ]);
  const address = tcp?.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => {
  victim.kill("SIGKILL");
  for (const server of servers) server.close();
  rmSync(root, { recursive: true, force: true });
});

function world(more: { env?: Record<string, string>; node?: string } = {}) {
  const env = { PATH: process.env["PATH"] ?? "" };
  const app = join(home, "app", "kernel-escape.mjs");
  return { env, node: process.execPath, childPath: app, hidden: [home, join(home, "not-there")], ...more };
}

const attempt = (name: string, args: unknown, more: Partial<Parameters<typeof drive>[0]> = {}) => {
  const script = join(home, "app", name);
  const job = { world: world(), network: false, folder: join(home, "state", "briefs", "one"), readable: [script] };
  return drive({ ...job, program: [script, JSON.stringify(args)], ...more });
};

const tryOut = (more: Partial<Parameters<typeof drive>[0]> = {}) =>
  attempt(
    "kernel-escape.mjs",
    {
      home,
      secret: join(home, "state", "secret.txt"),
      sibling: join(home, "state", "briefs", "other", "brief.json"),
      tmp: root,
      victim: victim.pid,
      port,
      socket: join(home, "agent.sock"),
      abstract: `memd-test-${process.pid}`,
    },
    more,
  );

/** What went through, of what was tried. */
const through = (told: Record<string, unknown>) =>
  Object.entries(told).flatMap(([name, result]) => (result === "DONE" ? [name] : []));

const everything = () => readdirSync(root, { recursive: true }).map(String).sort();

describe.skipIf(NO_BWRAP)("inside bubblewrap, with no permission model around", () => {
  it("nothing is read, written, signalled, traced or reached but the brief", async () => {
    const before = everything();
    const { name, code, told, stderr } = await tryOut();
    expect({ name, code, stderr }).toEqual({ name: "bubblewrap", code: 7, stderr: expect.any(String) });
    expect(Object.keys(told).length).toBeGreaterThan(40);
    expect(through(told)).toEqual([]);
    expect(told).toMatchObject({ brief: "hello", env: ["TZ"] });
    expect(everything()).toEqual(before);
  });

  it("a distiller that asks an endpoint has the network, and still no file and no socket file of the user", async () => {
    const { told } = await tryOut({ network: true });
    // An abstract socket belongs to the network; bubblewrap cannot keep it out.
    expect(through(told).filter((name) => !/^(connect to it by|send to the world)/.test(name))).toEqual([
      "connect to this machine",
      "connect to one without a file",
    ]);
    expect(told["localhost"]).toMatch(/^(127\.0\.0\.1|::1)$/);
  });

  it("a Node in the user's home runs, behind a link too, and shows nothing beside it", async () => {
    const folder = join(home, ".nvm", "versions", "v20", "bin");
    mkdirSync(folder, { recursive: true });
    copyFileSync(process.execPath, join(folder, "node"));
    writeFileSync(join(folder, "secret.txt"), "private");
    symlinkSync(join(folder, "node"), join(home, "node"));
    const { name, told } = await tryOut({ world: world({ node: join(folder, "node") }) });
    expect(name).toBe("bubblewrap");
    expect(through(told)).toEqual([]);
    expect(
      (await findFence({ ...world({ node: join(home, "node") }), files: nodeFiles }, { network: false })).fence,
    ).not.toBeNull();
  });

  it("ends with memd, whatever memd dies of and the child thinks of it", async () => {
    await expectGone((child) => child.kill("SIGKILL"), "never");
  });

  it("is gone when memd ends it", async () => {
    await expectGone(() => undefined, "at once");
  });
});

/** Runs memd's part in a process of its own, whose child speaks once and would stay for ever. */
async function expectGone(act: (memd: ChildProcess) => void, end: "never" | "at once"): Promise<void> {
  const script = join(home, "app", "forever.mjs");
  const mark = `mark-${process.pid}-${end}`;
  const { build } = await import("esbuild");
  const driver = join(root, "driver.mjs");
  await build({
    entryPoints: [join(CHILDREN, "kernel-driver-main.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: driver,
  });
  const folder = join(home, "state", "briefs", "one");
  const job = { world: world(), network: false, folder, readable: [script], program: [script, mark], end };
  const memd = spawn(process.execPath, [driver, JSON.stringify(job)], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((heard) => memd.stdout?.once("data", heard));
  if (end === "never") expect(living(mark, memd.pid).length).toBeGreaterThan(1);
  act(memd);
  await expect.poll(() => living(mark, memd.pid), { timeout: 20_000 }).toEqual([]);
}

function living(mark: string, but: number | undefined): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || pid === String(but)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(mark);
    } catch {
      return false;
    }
  });
}

describe.skipIf(NO_BWRAP)("a distiller inside bubblewrap", () => {
  let child: string;
  let place: World;
  beforeAll(async () => {
    child = await buildChild(join(root, "dist"));
  });
  beforeEach(() => {
    place = makeWorld();
  });
  afterEach(() => place.remove());

  const kernel = async (network: boolean) => {
    const found = await findFence({ ...world(), files: nodeFiles }, { network });
    if (found.fence === null) throw new Error(found.why);
    return found.fence;
  };
  const isGone = () => expect.poll(() => living(place.root, undefined), { timeout: 10_000 }).toEqual([]);
  const SHORT = { idleMs: 1_500, wallMs: 3_000, graceMs: 200 };

  it("proposes what it proposes outside", async () => {
    const said = {
      label: "S1:1",
      speaker: "user",
      trust: "user",
      at: Date.UTC(2026, 2, 9),
      dates: [],
      line: 1,
    } as const;
    const session = {
      label: "S1",
      session: "a",
      client: "claude-code",
      file: "/a",
      cwd: "/a",
      headless: false,
    } as const;
    const utterances = [{ ...said, text: "Please remember: the staging database listens on port 5433.", record: null }];
    const digest = { sessions: [{ ...session, utterances }], tokens: 9, redacted: {}, taken: [] };
    const brief = { ...emptyBrief("app"), digest };
    const told = await place.run(child, null, { readable: [], kernel, job: { brief } });
    expect(told.distilled).toEqual({ ...parseProposal(extract(brief)), usage: NO_USAGE, fence: "bubblewrap" });
    expect(told.distilled?.proposal.operations.length).toBeGreaterThan(0);
    await isGone();
  });

  it.each([
    ["a kill of itself", {}, "child-died"],
    ["a kill of its group", {}, "child-died"],
    ["too large a heap", { heapMb: 32 }, "child-died"],
    ["too many buffers", { dataMb: 1_100 }, "child-died"],
    ["too long on the processor", { cpuSeconds: 1 }, "child-died"],
    ["an endless loop", SHORT, "child-timeout"],
    ["deafness to signals", SHORT, "child-timeout"],
    ["a flood of output", {}, "child-protocol"],
  ])("is gone after %s", async (way, limits, code) => {
    const told = await place.run("misbehave", way, { kernel, limits });
    expect(told.error?.code).toBe(code);
    await isGone();
  });

  it("is gone after an abort", async () => {
    const abort = new AbortController();
    const job = { signal: abort.signal, progress: () => abort.abort() };
    const told = await place.run("misbehave", "chatter without end", { kernel, job });
    expect(told.error?.code).toBe("interrupted");
    await isGone();
  });
});

describe("dream.fence", () => {
  const config = (fence: string) => configOf(checkConfig({ dream: { fence } }).values);
  const nowhere = () => ({ ...world({ env: { PATH: join(root, "empty") } }), files: nodeFiles });

  it("required runs nothing where there is no fence, and writes no brief", async () => {
    const place = makeWorld();
    const told = await place.run("show-env", null, { kernel: kernelOf(config("required"), nowhere()) });
    expect(told.error).toMatchObject({ family: "misconfigured", code: "no-kernel-fence" });
    expect({ pid: told.pid, files: Object.keys(place.snapshot()).includes("brief") }).toEqual({ pid: 0, files: false });
    place.remove();
  });

  it("auto goes on with Node's permission model alone, and says so", async () => {
    const place = makeWorld();
    const told = await place.run("show-env", null, { kernel: kernelOf(config("auto"), nowhere()) });
    expect(told.distilled?.fence).toBe("node");
    expect(told.progress[0]).toContain("Node's permission model holds it alone");
    place.remove();
  });

  it("off asks for none", () => {
    expect(kernelOf(config("off"), nowhere())).toBeUndefined();
  });
});

describe("without a fence that holds", () => {
  const fake = (name: string, text: string) => {
    const folder = join(root, `bin-${name}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "bwrap"), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return folder;
  };

  it.each([
    ["there is no program", () => join(root, "empty"), /neither bubblewrap nor/],
    [
      "it may not make namespaces",
      () => fake("refused", "echo 'bwrap: No permissions to create a new namespace' >&2; exit 1"),
      /No permissions/,
    ],
    [
      "it holds nothing",
      () => fake("open", `while [ "$1" != -- ]; do shift; done; shift; exec "$@"`),
      /can be read inside it|can be written inside it/,
    ],
    ["it says nothing", () => fake("silent", "exit 0"), /does not start/],
    ["it hangs", () => fake("hangs", "exec sleep 60"), /did not start within/],
  ])("%s: that is told", async (_, folder, why) => {
    const patienceMs = why.source.includes("within") ? 200 : 5_000;
    const found = await findFence(
      { ...world({ env: { PATH: folder() } }), files: nodeFiles, patienceMs },
      { network: false },
    );
    expect(found).toMatchObject({ fence: null, why: expect.stringMatching(why) });
  });
});
