/** The kernel's fence on a machine with systemd, for a person who is not root: by a unit, by bubblewrap, and as the installed service has it. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR, talk, transcript } from "../support/home.ts";
import { bootMachine, HOME, type Machine, machineOrSkip, PERSON, until } from "../support/machine.ts";

const CAN = machineOrSkip("the kernel's fence on a real systemd");
const CHILDREN = join(import.meta.dirname, "children");
const HAS_BWRAP = existsSync(join(process.env["MEMD_TEST_BASE"] ?? "/", "usr/bin/bwrap"));
if (CAN && !HAS_BWRAP) process.stderr.write("\n*** NOT TESTED: bubblewrap for a person: it is not installed ***\n\n");
/** What a shell, a unit file or a mount option could take for its own. */
const ODD = `${HOME}/用户 a b $HOME %h x:y`;
const BRIEF = `${ODD}/state/briefs/one`;

/** Somebody to signal and to trace, sockets to connect to, and memd's part beside them. */
const STAGE = `
import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
const [, , driver, text] = process.argv;
const job = JSON.parse(text);
const victim = spawn("sleep", ["60"]);
const tcp = createServer().listen(0, "::");
createServer().listen(process.env.HOME + "/agent.sock");
createServer().listen("\\0memd-test");
await new Promise((done) => setImmediate(done));
const targets = { ...job.targets, victim: victim.pid, port: tcp.address().port, abstract: "memd-test" };
const env = { ...process.env, ...job.env };
job.world = { ...job.world, env };
job.program = [job.script, job.end ?? JSON.stringify(targets)];
const bare = driver === "none" ? ["sh", ["-c", 'exec "$@" 3>&1 >&2', "sh", process.execPath, ...job.program]] : null;
const child = bare ? spawn(...bare, { cwd: job.folder, stdio: ["ignore", "inherit", "inherit"] }) : spawn(process.execPath, [driver, JSON.stringify(job)], { stdio: ["ignore", "inherit", "inherit"] });
child.on("exit", () => { victim.kill("SIGKILL"); process.exit(0); });
`;

describe.skipIf(!CAN)("on a machine with systemd", () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = bootMachine();
    const outfile = join(process.env["TMPDIR"] ?? "/tmp", `memd-driver-${process.pid}.mjs`);
    const entryPoints = [join(CHILDREN, "kernel-driver-main.ts")];
    const bundled = await build({ entryPoints, bundle: true, platform: "node", format: "esm", write: false, outfile });
    machine.write(`${HOME}/driver.mjs`, bundled.outputFiles[0]?.text ?? "");
    machine.write(`${HOME}/stage.mjs`, STAGE);
    for (const name of ["kernel-escape.mjs", "forever.mjs"])
      machine.write(`${ODD}/app/${name}`, readFileSync(join(CHILDREN, name), "utf8"));
    machine.write(`${BRIEF}/brief.json`, `{"word":"hello"}`);
    for (const path of [".ssh/id_ed25519", "state/secret.txt", "state/briefs/other/brief.json"])
      machine.write(`${ODD}/${path}`, "private");
    machine.root("loginctl", "enable-linger", PERSON);
    if (!until(() => machine.person("systemctl", "--user", "is-system-running").stdout.startsWith("running")))
      throw new Error("the person's manager did not start");
    for (const [folder, program] of [
      ["only-systemd", "systemd-run"],
      ["only-bwrap", "bwrap"],
    ])
      machine.person("sh", "-c", `mkdir -p ~/${folder} && ln -sf /usr/bin/${program} ~/${folder}/`);
  });
  afterAll(() => machine?.halt());

  const job = (path: string, more: object = {}) => ({
    world: { node: "/usr/bin/node", childPath: `${ODD}/app/kernel-escape.mjs`, hidden: [HOME] },
    env: { PATH: path },
    network: false,
    folder: BRIEF,
    script: `${ODD}/app/kernel-escape.mjs`,
    readable: [`${ODD}/app/kernel-escape.mjs`],
    targets: {
      home: ODD,
      secret: `${ODD}/state/secret.txt`,
      sibling: `${ODD}/state/briefs/other/brief.json`,
      tmp: HOME,
      socket: `${HOME}/agent.sock`,
    },
    ...more,
  });
  const stage = (driver: string, what: object) => {
    machine.person("rm", "-f", `${HOME}/agent.sock`);
    const ran = machine.person("/usr/bin/node", `${HOME}/stage.mjs`, driver, JSON.stringify(what));
    const line = ran.stdout.trim().split("\n").at(-1) ?? "";
    return line.startsWith("{") ? JSON.parse(line) : ran;
  };
  const tryOut = (path: string, more: object = {}) => stage(`${HOME}/driver.mjs`, job(path, more));
  const through = (told: object) => Object.entries(told).flatMap(([name, result]) => (result === "DONE" ? [name] : []));

  it.each([["systemd", `${HOME}/only-systemd`], ...(HAS_BWRAP ? [["bubblewrap", `${HOME}/only-bwrap`]] : [])])(
    "%s lets a child read its brief, and do nothing else",
    (name, path) => {
      const ran = tryOut(path);
      expect(ran).toMatchObject({ name, code: 7, told: { brief: "hello", env: ["TZ"] } });
      expect(Object.keys(ran.told).length).toBeGreaterThan(40);
      expect(through(ran.told)).toEqual([]);
    },
  );

  it("the same attempts succeed where nothing holds them", () => {
    const free = through(stage("none", job("/usr/bin:/bin")));
    for (const name of [
      "read a key of ssh",
      "read a secret",
      "read the brief of another",
      "read the memory of another",
      "write into the home",
      "write into shared memory",
      "append to the brief",
      "signal another",
      "signal it by a shell",
      ...(process.arch === "x64" ? ["trace another"] : []),
      "make a namespace",
      "connect to this machine",
      "connect to a socket of the user",
      "connect to one without a file",
      "connect to the bus",
    ])
      expect(free).toContain(name);
    machine.write(`${BRIEF}/brief.json`, `{"word":"hello"}`);
  });

  it("a unit with the network reaches hosts, and no socket of the user", () => {
    const { told } = tryOut(`${HOME}/only-systemd`, { network: true });
    expect(through(told)).toEqual(["connect to this machine", "connect to it by the newer protocol"]);
    expect(told.localhost).toMatch(/^(127\.0\.0\.1|::1)$/);
  });

  const forever = (end: string) => ({ script: `${ODD}/app/forever.mjs`, readable: [`${ODD}/app/forever.mjs`], end });
  const isLiving = (end: string) => machine.person("pgrep", "-f", `forever.mjs ${end}`).status === 0;

  it("a unit is gone when memd ends its child", () => {
    tryOut(`${HOME}/only-systemd`, forever("at once"));
    expect(until(() => !isLiving("at once"))).toBe(true);
  });

  it("a unit is gone when memd itself is killed", () => {
    const text = JSON.stringify(job(`${HOME}/only-systemd`, forever("never")));
    machine.person(
      "sh",
      "-c",
      `rm -f ~/agent.sock; setsid node ~/stage.mjs ~/driver.mjs "$1" > ~/out 2>&1 < /dev/null &`,
      "sh",
      text,
    );
    expect(until(() => machine.person("cat", `${HOME}/out`).stdout.includes("alive"))).toBe(true);
    expect(isLiving("never")).toBe(true);
    machine.person("pkill", "-KILL", "-f", "^/usr/bin/node .*driver.mjs");
    expect(until(() => !isLiving("never"))).toBe(true);
  });

  it("the installed service, whose own unit forbids namespaces, has its dreams held by a unit, and says so", () => {
    const projects = `${HOME}/.claude/projects/-home-${PERSON}-app`;
    machine.write(`${HOME}/app/.git/HEAD`, "ref: refs/heads/main\n");
    machine.write(
      `${HOME}/.config/memd/config.yaml`,
      "daemon: { debounceSeconds: 1, debounceMaxSeconds: 5 }\ndream: { fence: required }\n",
    );
    expect(machine.memd("service", "install").status).toBe(0);
    for (let n = 1; n <= 5; n++) {
      const name = `11111111-0000-4000-8000-00000000000${n}`;
      const said = talk(
        ["hello there", `Please remember: always run make check-${n} before a commit.`],
        Date.now() - 5 * HOUR,
      );
      machine.write(`${projects}/${name}.jsonl`, transcript(name, said, `${HOME}/app`));
    }
    const runs = () => JSON.parse(machine.memd("history", "--json").stdout).runs;
    expect(until(() => runs()[0]?.outcome === "done")).toBe(true);
    expect(machine.memd("show", "last").stdout).toContain("fenced by systemd");
    expect(JSON.parse(machine.memd("show", "last", "--json").stdout).fence).toBe("systemd");
    expect(machine.memd("doctor").stdout).toContain("the last dream was held by systemd");
  });
});
