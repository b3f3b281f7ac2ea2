/** The service on a real systemd: a machine booted for this file, and the built memd as its person calls it. One story, told in order. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR, talk, transcript } from "../support/home.ts";
import { bootMachine, HOME, INSIDE, type Machine, machineOrSkip, PERSON, until } from "../support/machine.ts";

const CAN = machineOrSkip("the service on a real systemd");
const PROJECT = `${HOME}/.claude/projects/-home-memdtest-app`;
const MEMORY = `${PROJECT}/memory`;
const CONFIG = `${HOME}/.config/memd/config.yaml`;
const UNIT = `${HOME}/.config/systemd/user/memd.service`;
const STATE = `${HOME}/.local/state/memd`;
const QUICK = "daemon:\n  debounceSeconds: 1\n  debounceMaxSeconds: 5\n";
const NOW = Date.now();

/** Loaded into the daemon by a drop-in: a loop that hangs, and an end that is none of memd's own, when the test asks for them. */
const PRANKS = `
if (process.argv.includes("daemon")) {
  process.on("SIGUSR2", () => { for (;;); });
  const fs = require("node:fs");
  if (fs.existsSync("${STATE}/crash")) process.exit(3);
  if (fs.existsSync("${STATE}/newer")) { fs.unlinkSync("${STATE}/newer"); process.exit(75); }
}`;

describe.skipIf(!CAN)("the service on a real systemd", () => {
  let machine: Machine;
  beforeAll(() => {
    machine = bootMachine();
    machine.write(`${HOME}/app/.git/HEAD`, "ref: refs/heads/main\n");
    machine.write(CONFIG, QUICK);
    machine.write(`${HOME}/pranks.cjs`, PRANKS);
    machine.write(`${HOME}/.ssh/id_ed25519`, "a key\n");
    machine.write(`${HOME}/.aws/credentials`, "another\n");
    machine.write(`${HOME}/other/notes.txt`, "another project\n");
    machine.root("loginctl", "enable-linger", PERSON);
    if (!until(() => machine.person("systemctl", "--user", "is-system-running").stdout.startsWith("running")))
      throw new Error("the person's manager did not start");
  });
  afterAll(() => machine?.halt());

  const ctl = (...args: string[]) => machine.person("systemctl", "--user", ...args);
  const property = (name: string) => ctl("show", "memd.service", "-p", name, "--value").stdout.trim();
  const journal = () => machine.person("journalctl", "--user", "-u", "memd.service", "-o", "cat", "--no-pager").stdout;
  const json = (...args: string[]) => JSON.parse(machine.memd(...args, "--json").stdout);
  const exists = (path: string) => machine.person("test", "-e", path).status === 0;
  const read = (path: string) => machine.person("cat", path).stdout;
  const dropIn = (text: string) => {
    machine.write(`${UNIT}.d/test.conf`, text);
    ctl("daemon-reload");
  };
  const session = (name: string, texts: readonly string[]) =>
    machine.write(`${PROJECT}/${name}.jsonl`, transcript(name, talk(texts, NOW - 5 * HOUR), `${HOME}/app`));

  /** A dream that is held where it is cannot end before the test gets to it. */
  const holdDistiller = () =>
    expect(until(() => machine.person("pkill", "-STOP", "-f", "^/usr/bin/node.*distiller-child").status === 0)).toBe(
      true,
    );

  it("is installed by one command, which returns when it is ready, and needs nothing done twice", () => {
    const first = machine.memd("service", "install");
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(first.stdout).toContain(`${UNIT}: installed`);
    expect(property("ActiveState")).toBe("active");
    expect(property("UnitFileState")).toBe("enabled");
    expect(property("StatusText")).toMatch(/^idle; /);
    const pid = property("MainPID");
    const second = machine.memd("service", "install");
    expect(second).toMatchObject({ status: 0 });
    expect(second.stdout).toContain("already up to date");
    expect(property("MainPID")).toBe(pid);
    expect(json("status").daemon).toMatchObject({ running: true, pid: Number(pid) });
    expect(machine.memd("service", "status")).toMatchObject({ status: 0, stdout: expect.stringContaining("running") });
  });

  it("is taken by systemd without a word of complaint", () => {
    const verified = machine.person("systemd-analyze", "--user", "verify", UNIT);
    expect([verified.status, verified.stdout, verified.stderr]).toEqual([0, "", ""]);
    const score = machine.person(
      "systemd-analyze",
      "--user",
      "security",
      "--offline=yes",
      "--threshold=56",
      "--no-pager",
      UNIT,
    );
    expect(score.status).toBe(0);
  });

  it("dreams because five transcripts appear", () => {
    for (let n = 1; n <= 5; n++)
      session(`11111111-0000-4000-8000-00000000000${n}`, [
        "hello there, let us look at the build of this project",
        `Please remember: always run the checks with make check-${n} before a commit.`,
      ]);
    expect(until(() => exists(`${MEMORY}/MEMORY.md`))).toBe(true);
    expect(until(() => json("status").stores[0]?.lastRun?.outcome === "done")).toBe(true);
    expect(read(`${MEMORY}/MEMORY.md`)).toContain(".md)");
    // The unit forbids the namespaces that bubblewrap needs; the user's systemd makes them.
    expect(json("show", "last").fence).toBe("systemd");
    expect(machine.memd("why", "make check-3").stdout).toContain("make check-3");
    expect(until(() => property("StatusText").startsWith("idle"))).toBe(true);
    expect(journal()).toMatch(/done/);
  });

  it("stays up while it is quiet, is killed when its loop hangs, and is started again", () => {
    dropIn(`[Service]\nWatchdogSec=4s\nRestartSec=200ms\nEnvironment="NODE_OPTIONS=--require=${HOME}/pranks.cjs"\n`);
    expect(machine.memd("service", "restart").status).toBe(0);
    const pid = property("MainPID");
    const heard = () => Number(property("WatchdogTimestampMonotonic"));
    const first = heard();
    expect(until(() => heard() - first > 6_000_000)).toBe(true);
    expect([property("MainPID"), property("NRestarts")]).toEqual([pid, "0"]);
    ctl("kill", "--kill-whom=main", "--signal=USR2", "memd.service");
    expect(until(() => property("NRestarts") === "1" && property("ActiveState") === "active")).toBe(true);
    expect(property("MainPID")).not.toBe(pid);
    expect(journal()).toContain("Watchdog timeout");
    // User edits are kept, and are no reason to complain.
    expect(machine.memd("service", "install").stdout).toContain("already up to date");
  });

  it("reads its configuration anew on a reload, and keeps the old one when the new one is broken", () => {
    const pid = property("MainPID");
    machine.write(CONFIG, `${QUICK}gates:\n  minSessions: 4\n`);
    expect(ctl("reload", "memd.service").status).toBe(0);
    expect(until(() => journal().includes("configuration reloaded"))).toBe(true);
    machine.write(CONFIG, "gates: [broken\n");
    ctl("reload", "memd.service");
    expect(until(() => journal().includes("configuration kept"))).toBe(true);
    expect([property("ActiveState"), property("MainPID")]).toEqual(["active", pid]);
    machine.write(CONFIG, QUICK);
    ctl("reload", "memd.service");
  });

  it("takes a dream back that is stopped half way, and ends clean", () => {
    machine.person("rm", "-rf", MEMORY, `${STATE}/stores`);
    const before = read(`${MEMORY}/.consolidate-lock`);
    const texts = Array.from(
      { length: 6_000 },
      (_, n) => `please look at module number ${n} and say what it does, then go on`,
    );
    for (let n = 1; n <= 5; n++) session(`22222222-0000-4000-8000-00000000000${n}`, texts);
    expect(until(() => exists(`${MEMORY}/.memd/lease.json`), 900)).toBe(true);
    holdDistiller();
    expect(machine.memd("service", "stop").status).toBe(0);
    expect([property("Result"), property("ExecMainStatus"), property("ActiveState")]).toEqual([
      "success",
      "0",
      "inactive",
    ]);
    expect(exists(`${MEMORY}/.memd/lease.json`)).toBe(false);
    expect(exists(`${MEMORY}/.memd/lease.lock`)).toBe(false);
    expect(read(`${MEMORY}/.consolidate-lock`)).toBe(before);
    expect(machine.person("pgrep", "-u", PERSON, "node").stdout).toBe("");
    expect(
      journal()
        .trimEnd()
        .split("\n")
        .some((line) => line.includes("SIGTERM")),
    ).toBe(true);
  });

  it("leaves no child behind when it is killed in the middle of a dream, and takes that dream back when it is up again", () => {
    // The dream that was stopped has counted the sessions a moment ago, and ten minutes lie between two counts.
    machine.person("rm", "-rf", `${STATE}/stores`);
    expect(machine.memd("service", "start").status).toBe(0);
    expect(until(() => exists(`${MEMORY}/.memd/lease.json`), 900)).toBe(true);
    holdDistiller();
    const old = read(`/sys/fs/cgroup${property("ControlGroup")}/cgroup.procs`)
      .trim()
      .split("\n");
    expect(ctl("kill", "--kill-whom=main", "--signal=KILL", "memd.service").status).toBe(0);
    expect(until(() => property("NRestarts") === "1" && property("ActiveState") === "active")).toBe(true);
    expect(old.filter((pid) => exists(`/proc/${pid}`))).toEqual([]);
    machine.person("sh", "-c", `rm ${PROJECT}/22222222-*.jsonl`);
    expect(until(() => !exists(`${MEMORY}/.memd/lease.json`))).toBe(true);
    expect(json("status").stores[0].lock.state).toBe("free");
    expect(machine.memd("service", "stop").status).toBe(0);
    expect(until(() => machine.person("pgrep", "-u", PERSON, "node").stdout === "")).toBe(true);
  });

  it("is started again when it asks for that, as after an update", () => {
    machine.write(`${STATE}/newer`, "");
    ctl("start", "--no-block", "memd.service");
    expect(until(() => property("NRestarts") === "1" && property("ActiveState") === "active")).toBe(true);
    expect(machine.memd("service", "stop").status).toBe(0);
  });

  it("stays down, and says why, when its configuration is broken: no second start", () => {
    machine.write(CONFIG, "gates: [broken\n");
    const started = machine.memd("service", "start");
    expect(started.status).toBe(78);
    expect(started.stderr).toContain("exit status 78");
    expect([property("ActiveState"), property("NRestarts"), property("ExecMainStatus")]).toEqual(["failed", "0", "78"]);
    const status = machine.memd("service", "status");
    expect(status.status).toBe(5);
    expect(status.stdout).toContain("failed; exit-code, exit status 78");
    const last = machine
      .memd("service", "logs", "--lines", "20")
      .stdout.split("\n")
      .filter((line) => /node\[\d+\]/.test(line));
    expect(last.at(-1)).toContain("config.yaml is not valid");
    machine.write(CONFIG, QUICK);
    expect(machine.memd("service", "start").status).toBe(0);
  });

  it("is given up by systemd after a few starts when it can never stay up", () => {
    machine.write(`${STATE}/crash`, "");
    ctl("restart", "--no-block", "memd.service");
    expect(until(() => property("ActiveState") === "failed" && Number(property("NRestarts")) >= 4)).toBe(true);
    expect(property("Result")).toBe("exit-code");
    expect(journal()).toContain("Start request repeated too quickly");
    expect(machine.memd("service", "status")).toMatchObject({
      status: 5,
      stdout: expect.stringMatching(/restarts {2}[45]/),
    });
    machine.person("rm", `${STATE}/crash`);
    // A person's start is not refused for the starts before it.
    expect(machine.memd("service", "start").status).toBe(0);
  });

  it("is up again after the machine started anew, with nobody logged in", () => {
    machine.reboot();
    expect(until(() => property("ActiveState") === "active")).toBe(true);
    expect(json("service", "status")).toMatchObject({
      installed: true,
      warnings: [],
      state: { state: "running", enabled: true },
    });
  });

  it("holds no key, neither in its unit nor anywhere that others may look", () => {
    const key = "sk-ant-api03-a-key-of-nobody";
    machine.write(CONFIG, `${QUICK}dream:\n  distiller: anthropic\n`);
    const installed = machine.person(
      "env",
      `ANTHROPIC_API_KEY=${key}`,
      "/usr/bin/node",
      `${INSIDE}/dist/memd.js`,
      "service",
      "install",
      "--json",
    );
    expect(JSON.parse(installed.stdout).warnings).toEqual([expect.objectContaining({ code: "key-not-in-service" })]);
    const pid = property("MainPID");
    const seen = [
      installed.stdout,
      read(UNIT),
      ctl("show", "memd.service").stdout,
      ctl("show-environment").stdout,
      machine.root("cat", `/proc/${pid}/environ`, `/proc/${pid}/cmdline`).stdout,
      journal(),
    ];
    expect(seen.filter((text) => text.includes(key))).toEqual([]);
    machine.write(CONFIG, QUICK);
    expect(machine.memd("service", "install").status).toBe(0);
  });

  it("says how to linger where it does not, in JSON too", () => {
    machine.root("loginctl", "disable-linger", PERSON);
    const [warning] = JSON.parse(machine.memd("service", "install", "--dry-run", "--json").stdout).warnings;
    expect(warning).toMatchObject({
      code: "no-linger",
      hint: expect.stringContaining(`sudo loginctl enable-linger ${PERSON}`),
    });
    machine.root("loginctl", "enable-linger", PERSON);
    expect(until(() => property("ActiveState") === "active")).toBe(true);
  });

  it("takes away only what is its own: drop-ins, state and memory stay", () => {
    machine.write(`${MEMORY}/MEMORY.md`, "# Memory\n");
    const gone = machine.memd("service", "uninstall");
    expect(gone).toMatchObject({ status: 0, stdout: expect.stringContaining(`removed ${UNIT}`) });
    expect(gone.stdout).toContain("drop-ins");
    expect([exists(UNIT), exists(`${UNIT}.d/test.conf`), exists(STATE), exists(`${MEMORY}/MEMORY.md`)]).toEqual([
      false,
      true,
      true,
      true,
    ]);
    machine.person("rm", "-r", `${UNIT}.d`);
    ctl("daemon-reload");
    expect(property("LoadState")).toBe("not-found");
    expect(machine.person("pgrep", "-u", PERSON, "node").stdout).toBe("");
    expect(machine.memd("service", "uninstall").stdout).toContain("There is no service");
    expect(machine.memd("service", "status").status).toBe(78);
    expect(machine.memd("service", "uninstall", "--purge").status).toBe(2);
    expect(machine.memd("service", "uninstall", "--purge", "--yes").status).toBe(0);
    expect([exists(STATE), exists(`${MEMORY}/MEMORY.md`)]).toEqual([false, true]);
  });
});
