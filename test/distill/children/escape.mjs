// Tries every way out of the fence that its author knows, and tells how each of them ended.
import child from "node:child_process";
import * as fs from "node:fs";
import inspector from "node:inspector";
import { createRequire } from "node:module";
import trace from "node:trace_events";
import { pathToFileURL } from "node:url";
import v8 from "node:v8";
import { Worker } from "node:worker_threads";
import { hello, propose, say, word } from "./speak.mjs";

const { secret, sibling, tmp, addon, database } = word();
const require = createRequire(import.meta.url);
const sqlite = process.getBuiltinModule("node:sqlite");
const query = (path, sql) => (sqlite ? new sqlite.DatabaseSync(path).exec(sql) : missing());
const missing = () => {
  throw Object.assign(new Error("not there"), { code: "MISSING" });
};

const WAYS = {
  "read a file of the user": () => fs.readFileSync(secret),
  "read it with promises": () => fs.promises.readFile(secret),
  "read it as a stream": () =>
    new Promise((done, fail) => fs.createReadStream(secret).on("data", done).on("error", fail)),
  "read it as a blob": async () => (await fs.openAsBlob(secret)).text(),
  "read it by a path with dots": () => fs.readFileSync(`${process.cwd()}/../secret.txt`),
  "read it by a relative path": () => fs.readFileSync("../secret.txt"),
  "read it by an encoded URL": () => fs.readFileSync(new URL(`${pathToFileURL(process.cwd())}/%2e%2e/secret.txt`)),
  "read it by a path in bytes": () => fs.readFileSync(Buffer.from(secret)),
  "import it": () => import(pathToFileURL(secret).href),
  "require it": () => require(secret),
  "load it as environment": () => process.loadEnvFile(secret),
  "read beside the brief, where the name begins alike": () => fs.readFileSync(sibling),
  "list the folder above": () => fs.readdirSync(".."),
  "stat a file of the user": () => fs.statSync(secret),
  "ask whether it exists": () => fs.accessSync(secret),
  "watch it": () => fs.watch(secret).close(),
  "read memd's own executable": () => fs.openSync(process.execPath),
  "read its environment from the system": () => fs.readFileSync("/proc/self/environ"),
  "list its open files": () => fs.readdirSync("/proc/self/fd"),
  "open a database that is not its own": () => query(database, "select 1"),
  "read a database by attaching it": () =>
    query(":memory:", `attach '${database}' as other; select * from other.sqlite_master`),

  "write into the brief": () => fs.writeFileSync("new.txt", "x"),
  "write into the folder for temporary files": () => fs.writeFileSync(`${tmp}/new.txt`, "x"),
  "append to the brief's file": () => fs.appendFileSync("brief.json", "x"),
  "empty the brief's file": () => fs.truncateSync("brief.json"),
  "open a file to write later": () => fs.openSync("brief.json", "r+"),
  "make a folder": () => fs.mkdirSync("folder"),
  "make a temporary folder": () => fs.mkdtempSync(`${tmp}/x`),
  "make a link to a file of the user": () => fs.symlinkSync(secret, "link"),
  "make a second name for the brief's file": () => fs.linkSync("brief.json", "second"),
  "copy the brief's file": () => fs.copyFileSync("brief.json", "copy"),
  "rename the brief's file": () => fs.renameSync("brief.json", "other"),
  "remove the brief's file": () => fs.unlinkSync("brief.json"),
  "remove the brief": () => fs.rmSync(process.cwd(), { recursive: true }),
  "change a mode": () => fs.chmodSync("brief.json", 0o777),
  "change a mode by an open file": () => fs.fchmodSync(fs.openSync("brief.json"), 0o777),
  "change a time": () => fs.utimesSync("brief.json", 1, 1),
  "change a time by an open file": () => fs.futimesSync(fs.openSync("brief.json"), 1, 1),
  "write a heap snapshot": () => v8.writeHeapSnapshot(`${tmp}/heap`),
  "write a report": () => process.report.writeReport(`${tmp}/report`),
  "write a database": () => query(`${tmp}/new.db`, "create table t (x)"),
  "write a database by attaching it": () =>
    query(":memory:", `attach '${tmp}/new.db' as other; create table other.t (x)`),

  "spawn a process": () => new Promise((done, fail) => child.spawn("/bin/true").on("exit", done).on("error", fail)),
  "run a command": () => child.execSync("true"),
  "fork itself": () => child.fork(process.argv[1]),
  "start a worker": () => new Worker("0", { eval: true }),
  "load an addon": () => process.dlopen({ exports: {} }, addon),
  "require an addon": () => require(addon),
  "reach into Node's bindings": () => process.binding("fs"),
  "open an inspector": () => inspector.open(0),
  "start WASI on the whole disk": () =>
    new (process.getBuiltinModule("node:wasi").WASI)({ version: "preview1", preopens: { "/": "/" } }),
  "run a text as code": () => new Function("return 1")(),
  "run a text as code by eval": () => Reflect.get(globalThis, "eval")("1"),
  "leave its folder": () => process.chdir(tmp),
};

hello();
for (const [name, attempt] of Object.entries(WAYS)) {
  let result = "DONE";
  try {
    await attempt();
  } catch (error) {
    result = error.code ?? error.name;
  }
  say({ type: "progress", text: `${name} = ${result}` });
}
// Node 20 writes a trace in spite of its fence; only the folder afterwards tells.
try {
  trace.createTracing({ categories: ["v8"] }).enable();
} catch (error) {
  say({ type: "progress", text: `trace itself = ${error.code}` });
}
propose();
