// The main job from a clone: dreams over this machine's sessions, or, where there are none, over the bundled sample.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const args = process.argv.slice(2);

const memd = join(root, "dist", "memd.js");

/** Asks memd itself, which knows every agent and the configuration; what it learns goes with the folder. */
function hasStores() {
  const state = mkdtempSync(join(tmpdir(), "memd-look-"));
  const env = { ...process.env, XDG_STATE_HOME: state };
  const look = (command) => spawnSync(process.execPath, [memd, command, "--json"], { env, encoding: "utf8" });
  try {
    const [found, known] = [look("sources"), look("status")];
    // What is wrong is for the dream to tell.
    return found.status !== 0 || known.status !== 0 || JSON.parse(known.stdout).stores.length > 0;
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/** A folder of its own for memory, sessions and state, so that trying memd leaves nothing behind in the home folder. */
function sample() {
  const folder = mkdtempSync(join(tmpdir(), "memd-sample-"));
  cpSync(join(root, "config", "sample"), join(folder, "sessions"), { recursive: true });
  console.error(`memd: no agent sessions on this machine; dreaming over the bundled sample in ${folder}`);
  const env = { ...process.env, XDG_STATE_HOME: join(folder, "state") };
  return { env, extra: ["--memory", join(folder, "memory"), "--sessions", join(folder, "sessions")] };
}

const named = args.some((arg) => /^--(memory|sessions|logs|store|help)\b/.test(arg)) || process.env.MEMD_CONFIG;
const { env, extra } = named || hasStores() ? { env: process.env, extra: [] } : sample();
const { status } = spawnSync(process.execPath, [memd, "dream", "--now", ...extra, ...args], { stdio: "inherit", env });
process.exit(status ?? 1);
