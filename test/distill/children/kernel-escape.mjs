// Tries what the kernel's fence must stop, without the permission model of Node around it, and tells over the channel how each of it ended.
import { spawnSync } from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns";
import fs from "node:fs";
import net from "node:net";

const { home, secret, sibling, tmp, victim, port, socket, abstract } = JSON.parse(process.argv[2]);

const write = (path) => () => fs.writeFileSync(path, "x", { flag: "a" });
const connect = (to) => () =>
  new Promise((done, fail) => net.connect(to).on("connect", done).on("error", fail).setTimeout(2_000, fail));
const run = (file, args) => () => {
  const { status, error } = spawnSync(file, args);
  if (error) throw error;
  if (status !== 0) throw Object.assign(new Error("refused"), { code: "REFUSED" });
};
/** PTRACE_ATTACH by its number on x86-64; perl is in every Debian. */
const attach = `exit(syscall(101, 16, ${victim}, 0, 0) == 0 ? 0 : 1)`;

const WAYS = {
  "read a key of ssh": () => fs.readFileSync(`${home}/.ssh/id_ed25519`),
  "list the home": () => fs.readdirSync(home).filter((name) => name.includes("ssh"))[0] ?? refuse(),
  "read a secret": () => fs.readFileSync(secret),
  "read it over the way of its own folder": () => fs.readFileSync("../../secret.txt"),
  "read the brief of another": () => fs.readFileSync(sibling),
  "read the passwords": () => fs.readFileSync("/etc/shadow"),
  "read the users": () => fs.readFileSync("/etc/passwd"),
  "read the environment of another": () => fs.readFileSync(`/proc/${victim}/environ`),
  "read the memory of another": () => fs.openSync(`/proc/${victim}/mem`),
  "list processes": () => fs.readdirSync("/proc").filter((name) => name === String(victim))[0] ?? refuse(),
  "list the root's var": () => fs.readdirSync("/var"),
  "list the folders of the running system": () => fs.readdirSync("/run"),
  "read a disk": () => fs.openSync("/dev/vda"),

  "write into the home": write(`${home}/planted`),
  "write into the folder for temporary files": write(`${tmp}/planted`),
  "write into /tmp": write("/tmp/memd-planted"),
  "write into /var/tmp": write("/var/tmp/memd-planted"),
  "write into shared memory": write("/dev/shm/memd-planted"),
  "write a device": write("/dev/memd-planted"),
  "write into the root": write("/memd-planted"),
  "write into /usr": write("/usr/memd-planted"),
  "write into the brief's folder": write("planted"),
  "append to the brief": write("brief.json"),
  "make a folder": () => fs.mkdirSync("folder"),
  "remove the brief": () => fs.rmSync("brief.json"),
  "change its mode": () => fs.chmodSync("brief.json", 0o777),
  "change its time": () => fs.utimesSync("brief.json", 1, 1),
  "write its own script": write(process.argv[1]),
  "write Node": write(process.execPath),

  "signal another": () => process.kill(victim, 0),
  "signal it by a shell": run("/bin/sh", ["-c", `kill -0 ${victim}`]),
  "trace another": run("perl", ["-e", attach]),
  "make a namespace": run("unshare", ["--user", "--map-root-user", "true"]),
  "make mounts": run("unshare", ["--mount", "true"]),
  mount: run("mount", ["-t", "tmpfs", "none", "/usr"]),
  "write to a mount made writable": run("mount", ["-o", "remount,rw", "/"]),

  "connect to this machine": connect({ port, host: "127.0.0.1" }),
  "connect to it by the newer protocol": connect({ port, host: "::1" }),
  "send to the world": () =>
    new Promise((done, fail) =>
      dgram
        .createSocket("udp4")
        .on("error", fail)
        .connect(9, "192.0.2.1", (error) => (error ? fail(error) : done())),
    ),
  "connect to a socket of the user": connect({ path: socket }),
  "connect to one without a file": connect({ path: `\0${abstract}` }),
  "connect to the bus": connect({ path: `/run/user/${process.getuid()}/bus` }),
};

function refuse() {
  throw Object.assign(new Error("nothing there"), { code: "EMPTY" });
}

const told = { brief: JSON.parse(fs.readFileSync("brief.json", "utf8")).word };
for (const [name, attempt] of Object.entries(WAYS)) {
  try {
    await attempt();
    told[name] = "DONE";
  } catch (error) {
    told[name] = error?.code ?? String(error);
  }
}
told.env = Object.keys(process.env).filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name));
told.localhost = await new Promise((done) => dns.lookup("localhost", (error, address) => done(error?.code ?? address)));
fs.writeSync(3, `${JSON.stringify(told)}\n`);
process.exit(7);
