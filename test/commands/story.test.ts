import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, photograph, START, talk, transcript } from "../support/home.ts";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");
const SAMPLE = resolve(import.meta.dirname, "../../config/sample");

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "memd-cli-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const env = () => ({ PATH: process.env["PATH"] ?? "", HOME: home, TZ: "UTC" });
const adHoc = () => ["--memory", join(home, "memory"), "--sessions", join(home, "sessions")];

function memd(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [MEMD, ...args], { env: env(), cwd: home, encoding: "utf8" });
}

function json(...args: string[]) {
  const { status, stdout } = memd(...args, "--json");
  return { status, value: JSON.parse(stdout) };
}

describe("memd in an empty home", () => {
  beforeEach(() => cpSync(SAMPLE, join(home, "sessions"), { recursive: true }));

  it("dreams, explains every sentence, and takes it all back", () => {
    const first = json("dream", "--now", ...adHoc());
    expect(first.status).toBe(0);
    expect(first.value.runs[0]).toMatchObject({
      outcome: "done",
      distiller: "extractive",
      fence: expect.stringMatching(/^(bubblewrap|systemd|sandbox-exec|node)$/),
      reason: null,
      code: null,
    });
    const { id } = first.value.runs[0];
    const why = json("why", "MinIO").value;
    expect(why.entries[0]).toMatchObject({ type: "project", run: id });
    const [citation] = why.entries[0].citations;
    expect(citation).toMatchObject({ client: "claude-code", speaker: "user" });
    const line = readFileSync(citation.file, "utf8").split("\n")[citation.line - 1] ?? "";
    expect(JSON.parse(line).message.content).toContain(citation.quote);
    expect(json("show", "last").value.changes.length).toBeGreaterThan(3);
    const undone = json("undo", id);
    expect(undone).toMatchObject({ status: 0, value: { run: id, conflicts: [] } });
    expect(readdirSync(join(home, "memory")).filter((name) => !name.startsWith("."))).toEqual([]);
    const history = json("history").value.runs;
    expect(history.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["done", "undone"]);
  });

  it("says that something is not proposed again only where the run said something", () => {
    json("dream", "--now", ...adHoc());
    memd("pin", "MinIO");
    expect(memd("undo", "last").stdout).not.toContain("not proposed again");
    const dreamt = json("history").value.runs.at(-1).id;
    expect(memd("undo", dreamt).stdout).toContain("not proposed again");
    // The undo is taken back: what was said stands once more.
    const undo = json("history").value.runs[0].id;
    expect(memd("undo", undo).stdout).not.toContain("not proposed again");
  });

  it("does not propose again what was undone, and says why", () => {
    json("dream", "--now", ...adHoc());
    const entry = json("why", "MinIO").value.entries[0].text.split("\n")[0];
    memd("undo", "last");
    rmSync(join(home, "memory", ".memd", "store.json"));
    const again = json("dream", "--now", ...adHoc()).value.runs[0];
    expect(again.operations.rejected.map(({ rule }: { rule: string }) => rule)).toContain("tombstone");
    expect(again.files.created).toEqual([]);
    const statement = entry.replace(/^- /, "").replace(/ \[created.*$/, "");
    const whyNot = json("why-not", statement).value;
    expect(whyNot.tombstones).toEqual([expect.objectContaining({ cause: "undo" })]);
    expect(whyNot.refused[0]).toMatchObject({ rule: "tombstone" });
  });

  it("says which gate is closed and when it opens", () => {
    memd("dream", "--now", ...adHoc());
    const { value } = json("status", ...adHoc());
    const [store] = value.stores;
    expect(store.gates.map(({ gate }: { gate: string }) => gate)).toEqual([
      "time",
      "cool-down",
      "budget",
      "throttle",
      "sessions",
      "lock",
    ]);
    expect(store.gates[0]).toMatchObject({ open: false });
    expect(Date.parse(store.gates[0].opensAt) - Date.parse(store.lastConsolidatedAt)).toBe(DAY);
    expect(store).toMatchObject({
      layout: "custom",
      paused: false,
      lock: { state: "free" },
      sessions: { seen: 2, unread: 0 },
    });
    expect(store.topics).toBeGreaterThan(3);
    expect(memd("dream", ...adHoc()).status).toBe(3);
    expect(memd("status", ...adHoc()).stdout).toContain("time gate closed, opens in 24 h");
  });

  it("prints nothing but one JSON document on stdout with --json, errors included", () => {
    const refused = memd(
      "dream",
      "--now",
      "--memory",
      join(home, "memory"),
      "--sessions",
      join(home, "nowhere"),
      "--json",
    );
    expect(refused.status).toBe(78);
    expect(JSON.parse(refused.stdout).runs[0]).toMatchObject({ outcome: "failed", code: "no-such-folder" });
    const unknown = memd("status", "--jsno");
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toContain("Did you mean --json?");
  });

  it("keeps the fences of a lock: of many dreams at once one runs, the others exit 4, and one changeset comes of it", async () => {
    mkdirSync(join(home, "memory", ".memd"), { recursive: true });
    const children = Array.from({ length: 12 }, () =>
      spawn(process.execPath, [MEMD, "dream", "--now", ...adHoc()], { env: env(), stdio: "ignore" }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes.filter((code) => code !== 0 && code !== 4)).toEqual([]);
    const history = json("history", "--limit", "50").value.runs;
    expect(history.filter(({ outcome }: { outcome: string }) => outcome === "done").length).toBe(1);
    expect(existsSync(join(home, "memory", ".memd", "lease.lock"))).toBe(false);
  });

  it("answers SIGTERM within the run: exit 130, stamp rolled back, lock free", async () => {
    const big = talk(
      Array.from({ length: 4_000 }, (_, i) => `please look at module number ${i} and say what it does, then go on`),
      START - DAY,
    );
    writeFileSync(join(home, "sessions", "big.jsonl"), transcript("big", big));
    const child = spawn(process.execPath, [MEMD, "dream", "--now", ...adHoc()], { env: env(), stdio: "ignore" });
    const lease = join(home, "memory", ".memd", "lease.json");
    while (!existsSync(lease) && child.exitCode === null) await new Promise((next) => setImmediate(next));
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code).toBe(130);
    expect(existsSync(lease)).toBe(false);
    expect(existsSync(join(home, "memory", ".consolidate-lock"))).toBe(false);
    expect(memd("dream", "--now", ...adHoc()).status).toBe(0);
  });

  it("names the nearest command, store and run", () => {
    memd("dream", "--now", ...adHoc());
    expect(memd("drem").stderr).toContain("Did you mean memd dream?");
    expect(memd("show", "zzz")).toMatchObject({ status: 2 });
    expect(memd("status", ...adHoc(), "--store", "nope").status).toBe(2);
    expect(memd("undo").stderr).toContain("undo wants a RUN");
  });

  it("is paused, bounded and told apart by its config file", () => {
    mkdirSync(join(home, ".config", "memd"), { recursive: true });
    const file = join(home, ".config", "memd", "config.yaml");
    writeFileSync(file, `stores:\n  - name: app\n    memory: ~/memory\n    sessions: [~/sessions]\n    paused: true\n`);
    expect(memd("dream", "--now").status).toBe(3);
    expect(json("status").value.stores[0]).toMatchObject({ name: "app", paused: true });
    writeFileSync(file, "gates:\n  minHour: 3\n");
    const refused = memd("dream");
    expect(refused.status).toBe(78);
    expect(refused.stderr).toContain("did you mean gates.minHours?");
  });
});

describe("memd over Claude Code's own folders", () => {
  const project = () => join(home, "code", "app");
  const claude = () => join(home, ".claude", "projects");

  beforeEach(() => {
    mkdirSync(project(), { recursive: true });
    execFileSync("git", ["init", "-q", project()]);
  });

  it("finds the store by the repository in the records, and keeps its memory where Claude Code looks for it", () => {
    const name = project().replace(/[^A-Za-z0-9]/g, "-");
    mkdirSync(join(claude(), name), { recursive: true });
    const at = Date.now() - DAY;
    writeFileSync(
      join(claude(), name, "11111111-2222-3333-4444-555555555555.jsonl"),
      transcript("one", talk(["Bugs are tracked in the Linear project ORBIT."], at), project()),
    );
    const sub = `${name}-web`;
    mkdirSync(join(claude(), sub));
    mkdirSync(join(project(), "web"));
    writeFileSync(
      join(claude(), sub, "66666666-2222-3333-4444-555555555555.jsonl"),
      transcript("two", talk(["Always answer in English."], at), join(project(), "web")),
    );
    const { value, status } = json("dream", "--now");
    expect(status).toBe(0);
    expect(value.runs).toHaveLength(1);
    expect(value.runs[0]).toMatchObject({
      store: "app",
      memory: join(claude(), name, "memory"),
      outcome: "done",
      sessions: { read: 2 },
    });
    expect(readFileSync(join(claude(), name, "memory", "MEMORY.md"), "utf8")).toContain("](");
    expect(json("status").value.stores[0]).toMatchObject({ name: "app", layout: "claude-code" });
  });

  it("says that there is nothing to dream over, and how to name it", () => {
    const { status, stderr } = memd("dream");
    expect(status).toBe(78);
    expect(stderr).toContain("--memory DIR --sessions DIR");
    expect(memd("status").stdout).toContain("No store is known yet");
  });
});

describe("every command", () => {
  const COMMANDS = ["dream", "status", "history", "show", "undo", "why", "why-not"];

  it.each(COMMANDS)("%s has a help with one example and an exit status", (name) => {
    const { stdout, status } = memd(name, "--help");
    expect(status).toBe(0);
    expect(stdout).toContain(`Usage: memd ${name}`);
    expect(stdout.match(/^Example:\n {2}memd /m)).not.toBeNull();
    expect(stdout).toContain("Exit status:");
  });

  it("stands in the overview", () => {
    const { stdout } = memd("--help");
    for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, "m"));
  });

  it("leaves a store that it only looks at as it was", () => {
    cpSync(SAMPLE, join(home, "sessions"), { recursive: true });
    memd("dream", "--now", ...adHoc());
    const before = photograph(join(home, "memory"));
    for (const args of [["status"], ["history"], ["show", "last"], ["why", "x"], ["why-not", "x"]])
      memd(...args, ...adHoc());
    expect(photograph(join(home, "memory"))).toEqual(before);
  });
});
