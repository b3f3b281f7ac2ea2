/** Where things lie on this platform; the only place that knows. */
import { join, resolve } from "node:path";
import { childPath, isCleanPath } from "../base/child-path.ts";

export interface Paths {
  readonly home: string;
  readonly configFile: string;
  /** `MEMD_CONFIG` names the file: then it must be there. */
  readonly configNamed: boolean;
  /** Never inside a watched tree. */
  readonly state: string;
  /** Claude Code's root: `CLAUDE_CONFIG_DIR`, else `~/.claude`. */
  readonly claude: string;
  /** Where the other clients keep their sessions; none need be there. */
  readonly others: readonly string[];
  /** Memories of projects that Claude Code does not know. */
  readonly data: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as unset, as the XDG specification says; so does a relative XDG path. */
function absolute(value: string | undefined): string | undefined {
  return value?.startsWith("/") ? clean(value) : undefined;
}

const clean = (path: string) => (isCleanPath(path) ? path : resolve("/", path));

/**
 * XDG folders when set; else `~/.config` and `~/.local/state` on Linux, `~/Library/Application Support` on macOS.
 * @param userHome the user's home folder, absolute
 */
export function platformPaths(env: Env, platform: string, userHome: string): Paths {
  const home = clean(userHome);
  const mac = platform === "darwin";
  const named = env.MEMD_CONFIG || undefined;
  const library = childPath(home, "Library/Application Support");
  const configDir = absolute(env.XDG_CONFIG_HOME) ?? (mac ? library : childPath(home, ".config"));
  const stateDir = absolute(env.XDG_STATE_HOME) ?? (mac ? library : childPath(home, ".local/state"));
  const dataDir = absolute(env.XDG_DATA_HOME) ?? (mac ? library : childPath(home, ".local/share"));
  // opencode keeps to XDG on every platform.
  const shared = absolute(env.XDG_DATA_HOME) ?? childPath(home, ".local/share");
  const codex = absolute(env.CODEX_HOME) ?? childPath(home, ".codex");
  return {
    home,
    configFile: named ? expandHome(named, home) : childPath(configDir, "memd/config.yaml"),
    configNamed: named !== undefined,
    state: mac && !absolute(env.XDG_STATE_HOME) ? childPath(stateDir, "memd/state") : childPath(stateDir, "memd"),
    claude: absolute(env.CLAUDE_CONFIG_DIR) ?? childPath(home, ".claude"),
    others: [
      childPath(codex, "sessions"),
      childPath(codex, "archived_sessions"),
      childPath(home, ".gemini/tmp"),
      childPath(home, ".qwen/projects"),
      childPath(absolute(env.PI_CODING_AGENT_DIR) ?? childPath(home, ".pi/agent"), "sessions"),
      childPath(shared, "opencode"),
      childPath(absolute(env.OPENCLAW_STATE_DIR) ?? childPath(home, ".openclaw"), "agents"),
    ],
    data: childPath(dataDir, "memd"),
  };
}

/** `~` and `~/x` to the home folder; everything else unchanged. */
export function expandHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}
