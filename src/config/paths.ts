/** Where things lie on this platform; the only place that knows. */
import { join } from "node:path";

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
  return value?.startsWith("/") ? value : undefined;
}

/**
 * XDG folders when set; else `~/.config` and `~/.local/state` on Linux, `~/Library/Application Support` on macOS.
 * @param home the user's home folder, absolute
 */
export function platformPaths(env: Env, platform: string, home: string): Paths {
  const mac = platform === "darwin";
  const named = env.MEMD_CONFIG || undefined;
  const library = join(home, "Library", "Application Support");
  const configDir = absolute(env.XDG_CONFIG_HOME) ?? (mac ? library : join(home, ".config"));
  const stateDir = absolute(env.XDG_STATE_HOME) ?? (mac ? library : join(home, ".local", "state"));
  const dataDir = absolute(env.XDG_DATA_HOME) ?? (mac ? library : join(home, ".local", "share"));
  // opencode keeps to XDG on every platform.
  const shared = absolute(env.XDG_DATA_HOME) ?? join(home, ".local", "share");
  const codex = absolute(env.CODEX_HOME) ?? join(home, ".codex");
  return {
    home,
    configFile: named ? expandHome(named, home) : join(configDir, "memd", "config.yaml"),
    configNamed: named !== undefined,
    state: mac && !absolute(env.XDG_STATE_HOME) ? join(stateDir, "memd", "state") : join(stateDir, "memd"),
    claude: absolute(env.CLAUDE_CONFIG_DIR) ?? join(home, ".claude"),
    others: [
      join(codex, "sessions"),
      join(codex, "archived_sessions"),
      join(home, ".gemini", "tmp"),
      join(home, ".qwen", "projects"),
      join(absolute(env.PI_CODING_AGENT_DIR) ?? join(home, ".pi", "agent"), "sessions"),
      join(shared, "opencode"),
      join(absolute(env.OPENCLAW_STATE_DIR) ?? join(home, ".openclaw"), "agents"),
    ],
    data: join(dataDir, "memd"),
  };
}

/** `~` and `~/x` to the home folder; everything else unchanged. */
export function expandHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}
