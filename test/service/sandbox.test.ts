/** What the units hold back, found by trying it from inside, and what comes out of systemd's own parser. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quoteArgument, quoteProgram, quoteWord } from "../../src/service/quote.ts";
import { bootMachine, HOME, INSIDE, type Machine, machineOrSkip, PERSON, until } from "../support/machine.ts";

const CAN = machineOrSkip("what the units hold back");
const UNITS = `${HOME}/.config/systemd/user`;
const ANSWER = `${HOME}/.local/state/memd/answer.json`;

/** Tries each thing and writes down how it went: `done`, or the system's error code. */
const PROBE = `
const fs = require("node:fs"), cp = require("node:child_process"), net = require("node:net");
const [answer, home] = process.argv.slice(2);
const H = (path) => home + "/" + path;
const write = (path) => () => fs.writeFileSync(path, "x", { flag: "a" });
const tries = {
  home: write(H("planted")),
  shell: write(H(".bashrc")),
  otherProject: write(H("other/notes.txt")),
  config: write(H(".config/memd/config.yaml")),
  units: write(H(".config/systemd/user/evil.service")),
  system: write("/usr/planted"),
  etc: write("/etc/planted"),
  runtime: write("/run/user/" + process.getuid() + "/planted"),
  sshKey: () => fs.readFileSync(H(".ssh/id_ed25519")),
  sshList: () => fs.readdirSync(H(".ssh")),
  aws: () => fs.readFileSync(H(".aws/credentials")),
  gnupg: () => fs.readdirSync(H(".gnupg")),
  outerTmp: () => fs.readFileSync("/tmp/outside"),
  chown: () => fs.chownSync(answer, 12345, 12345),
  disk: () => fs.openSync("/dev/mem", "r"),
  namespace: () => run("unshare", ["--user", "--map-root-user", "true"]),
  mount: () => run("mount", ["-t", "tmpfs", "none", "/mnt"]),
  memory: write(H(".claude/projects/-a/memory/MEMORY.md")),
  newProject: () => { fs.mkdirSync(H(".claude/projects/-new/memory"), { recursive: true }); fs.writeFileSync(H(".claude/projects/-new/memory/a.md"), "x"); },
  state: write(H(".local/state/memd/ledger.db")),
  transcripts: () => fs.readFileSync(H(".claude/projects/-a/a.jsonl")),
  project: () => fs.readFileSync(H("app/CLAUDE.md")),
  tmp: write("/tmp/own"),
  jit: () => { let s = 0; for (let i = 0; i < 3e6; i++) s += i % 7; new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); },
  child: () => run(process.execPath, ["-e", "0"]),
  privileges: () => { if (!/NoNewPrivs:\\t1/.test(fs.readFileSync("/proc/self/status", "utf8"))) throw Object.assign(new Error(), { code: "PRIVILEGES" }); },
};
function run(file, args) { const { status, error } = cp.spawnSync(file, args); if (error) throw error; if (status !== 0) throw Object.assign(new Error(), { code: "REFUSED" }); }
const result = {};
for (const [name, act] of Object.entries(tries)) { try { act(); result[name] = "done"; } catch (error) { result[name] = error.code ?? String(error); } }
const server = net.createServer((socket) => socket.end()).listen(0, "127.0.0.1", () => {
  net.connect(server.address().port, "127.0.0.1").on("connect", () => finish("done")).on("error", (error) => finish(error.code));
});
function finish(tcp) { fs.writeFileSync(answer, JSON.stringify({ ...result, tcp })); server.close(); }
`;

const HELD_BACK = [
  "home",
  "shell",
  "otherProject",
  "config",
  "units",
  "system",
  "etc",
  "runtime",
  "sshKey",
  "aws",
  "gnupg",
  "outerTmp",
  "chown",
  "disk",
  "namespace",
  "mount",
];
const LEFT = ["memory", "newProject", "state", "transcripts", "project", "tmp", "jit", "child", "privileges", "tcp"];

describe.skipIf(!CAN)("the units", () => {
  let machine: Machine;
  beforeAll(() => {
    machine = bootMachine();
    for (const path of [
      ".ssh/id_ed25519",
      ".aws/credentials",
      ".gnupg/pubring.kbx",
      "other/notes.txt",
      "app/CLAUDE.md",
      ".bashrc",
    ])
      machine.write(`${HOME}/${path}`, "theirs\n");
    machine.write(`${HOME}/.claude/projects/-a/memory/MEMORY.md`, "# Memory\n");
    machine.write(`${HOME}/.claude/projects/-a/a.jsonl`, "");
    machine.write(`${HOME}/.config/memd/config.yaml`, "daemon:\n  watch: true\n");
    machine.write("/tmp/outside", "theirs\n");
    machine.write(`${HOME}/probe.cjs`, PROBE);
    machine.root("loginctl", "enable-linger", PERSON);
    until(() => machine.person("systemctl", "--user", "is-system-running").stdout.startsWith("running"));
  });
  afterAll(() => machine?.halt());

  /** A unit of the same fences that runs something else, once. */
  const instead = (unit: string, command: string) =>
    unit
      .replace(/^ExecStart=.*$/m, `ExecStart=${command}`)
      .replace(/^Type=.*$/m, "Type=oneshot")
      .replace(/^(?:Restart|WatchdogSec|OpenFile|NotifyAccess)\w*=.*\n/gm, "")
      .replace(/^Start\w+=.*\n/gm, "");
  const expectFences = (answer: Record<string, string>) => {
    expect(HELD_BACK.filter((name) => answer[name] === "done")).toEqual([]);
    expect(LEFT.filter((name) => answer[name] !== "done").map((name) => `${name}: ${answer[name]}`)).toEqual([]);
    // Empty to look at where it cannot be entered.
    expect(answer["sshList"]).not.toBe("done");
  };

  it("let the daemon of a person write memory and state, and nothing else of theirs", () => {
    expect(machine.memd("service", "install").status).toBe(0);
    const unit = machine.person("cat", `${UNITS}/memd.service`).stdout;
    machine.write(`${UNITS}/probe.service`, instead(unit, `/usr/bin/node ${HOME}/probe.cjs ${ANSWER} ${HOME}`));
    machine.person("systemctl", "--user", "daemon-reload");
    expect(machine.person("systemctl", "--user", "start", "probe.service")).toMatchObject({ status: 0, stderr: "" });
    const answer = JSON.parse(machine.person("cat", ANSWER).stdout);
    expectFences(answer);
    // The same probe without the fences: what is held back is so by them.
    machine.person("/usr/bin/node", `${HOME}/probe.cjs`, ANSWER, HOME);
    const free = JSON.parse(machine.person("cat", ANSWER).stdout);
    expect(
      ["home", "otherProject", "sshKey", "aws", "units", "outerTmp"].filter((name) => free[name] !== "done"),
    ).toEqual([]);
    machine.person("sh", "-c", `rm -f ${HOME}/planted ${UNITS}/evil.service ${HOME}/.config/memd/config.yaml`);
  });

  it("let the system's daemon for a person do no more", () => {
    const shipped = machine.root("cat", `${INSIDE}/systemd/memd@.service`).stdout;
    const state = `/var/lib/memd/${PERSON}/answer.json`;
    const put = (name: string, text: string) => {
      machine.write(`/tmp/${name}`, text);
      machine.root("cp", `/tmp/${name}`, `/etc/systemd/system/${name}`);
    };
    put("probe@.service", instead(shipped, `/usr/bin/node ${HOME}/probe.cjs ${state} ${HOME}`));
    machine.root("systemctl", "daemon-reload");
    expect(machine.root("systemctl", "start", `probe@${PERSON}.service`)).toMatchObject({ status: 0, stderr: "" });
    const answer = JSON.parse(machine.root("cat", state).stdout);
    // Of the person's own state this one knows nothing.
    expectFences({ ...answer, state: answer.state === "EROFS" ? "done" : answer.state });
  });

  it("start the system's daemon ready, with the key as its own credential, and without one", () => {
    machine.memd("service", "stop");
    const script = `"${INSIDE}/dist/memd.js"`;
    const shipped = machine.root("cat", `${INSIDE}/systemd/memd@.service`).stdout;
    machine.write("/tmp/memd@.service", shipped.replace(/"[^"]*memd\.js"/, script));
    machine.root("cp", "/tmp/memd@.service", "/etc/systemd/system/memd@.service");
    machine.root("systemctl", "daemon-reload");
    const property = (name: string) =>
      machine.root("systemctl", "show", `memd@${PERSON}.service`, "-p", name, "--value").stdout.trim();
    expect(machine.root("systemctl", "start", `memd@${PERSON}.service`)).toMatchObject({ status: 0 });
    expect(property("StatusText")).toMatch(/^idle/);
    machine.root("sh", "-c", `umask 077; mkdir -p /etc/credstore; echo a-secret > /etc/credstore/memd-${PERSON}.key`);
    expect(machine.root("systemctl", "restart", `memd@${PERSON}.service`)).toMatchObject({ status: 0 });
    expect(machine.root("cat", `/run/credentials/memd@${PERSON}.service/anthropic-api-key`).stdout).toBe("a-secret\n");
    expect(machine.root("systemctl", "stop", `memd@${PERSON}.service`).status).toBe(0);
    expect([property("Result"), property("ExecMainStatus")]).toEqual(["success", "0"]);
  });

  it("carry every word to the program as it was meant, whatever stands in it", () => {
    const word = fc.string({
      unit: fc.constantFrom(..."ab $%\\\"'`~#;|&*?[]{}()<>!-_=@:,/用户é😀"),
      minLength: 1,
      maxLength: 24,
    });
    const words = fc.sample(word, { numRuns: 300, seed: 7 });
    const named = words.map((value, n) => [`V${n}`, value] as const);
    const script = `require("node:fs").writeFileSync(process.argv[1], JSON.stringify([process.argv.slice(2), Object.fromEntries(Object.entries(process.env).filter(([name]) => /^V\\d+$/.test(name)))]))`;
    const folder = `${HOME}/a b %h $HOME 用户 100%`;
    machine.write(`${folder}/print.cjs`, `process.argv.splice(1, 1);${script}`);
    machine.person("ln", "-sf", "/usr/bin/node", `${folder}/node`);
    const command = [
      quoteProgram(`${folder}/node`),
      ...[`${folder}/print.cjs`, `${HOME}/printed`, ...words].map(quoteArgument),
    ].join(" ");
    const environment = named.map(([name, value]) => `Environment=${quoteWord(`${name}=${value}`)}\n`).join("");
    machine.write(`${UNITS}/words.service`, `[Service]\nType=oneshot\nExecStart=${command}\n${environment}`);
    machine.person("systemctl", "--user", "daemon-reload");
    expect(machine.person("systemctl", "--user", "start", "words.service")).toMatchObject({ status: 0, stderr: "" });
    const [args, env] = JSON.parse(machine.person("cat", `${HOME}/printed`).stdout);
    expect(args).toEqual(words);
    expect(env).toEqual(Object.fromEntries(named));
  });

  it("name folders with blanks, percent and dollar signs and other scripts: these are what may be written", () => {
    const folder = `${HOME}/my memory 100% 用户 $x`;
    machine.write(`${folder}/MEMORY.md`, "# Memory\n");
    machine.write(
      `${HOME}/.config/memd/config.yaml`,
      `stores:\n  - name: odd\n    memory: ${JSON.stringify(folder)}\n`,
    );
    expect(machine.memd("service", "install").status).toBe(0);
    const unit = machine.person("cat", `${UNITS}/memd.service`).stdout;
    machine.write(
      `${UNITS}/odd.service`,
      instead(unit, `/bin/sh -c "touch outside; cd my*; touch inside"`).replace(
        "[Service]",
        `[Service]\nWorkingDirectory=${HOME}`,
      ),
    );
    machine.person("systemctl", "--user", "daemon-reload");
    machine.person("systemctl", "--user", "start", "odd.service");
    expect(machine.person("test", "-e", `${folder}/inside`).status).toBe(0);
    expect(machine.person("test", "-e", `${HOME}/outside`).status).toBe(1);
    expect(machine.memd("service", "uninstall").status).toBe(0);
  });
});
