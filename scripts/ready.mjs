// Makes a fresh clone ready: installs what the lock file names, when it is not there yet, and builds.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const stamp = join(root, "node_modules", ".memd-ready");
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, "inherit"] });
  if (error) console.error(`memd: could not start ${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

// npm empties what a linked node_modules points to: another checkout's packages.
const isLinked = lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

if (!isLinked && (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted)) {
  console.error("memd: installing dependencies (once; building SQLite's native part can take a few minutes)");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(stamp, wanted);
}
run(process.execPath, [join(root, "scripts", "build.mjs")]);
