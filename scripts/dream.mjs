// The main job from a clone: dreams over this machine's sessions, or, where there are none, over the bundled sample.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const args = process.argv.slice(2);

function hasSessions() {
  const projects = join(process.env.CLAUDE_CONFIG_DIR || join(homedir(), ".claude"), "projects");
  if (!existsSync(projects)) return false;
  return readdirSync(projects, { withFileTypes: true }).some(
    (entry) => entry.isDirectory() && readdirSync(join(projects, entry.name)).some((name) => name.endsWith(".jsonl")),
  );
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
const { env, extra } = named || hasSessions() ? { env: process.env, extra: [] } : sample();
const memd = join(root, "dist", "memd.js");
const { status } = spawnSync(process.execPath, [memd, "dream", "--now", ...extra, ...args], { stdio: "inherit", env });
process.exit(status ?? 1);
