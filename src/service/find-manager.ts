/** Which service manager there is for this user, and whether it can be reached from here. */
import { join } from "node:path";
import { MemdError } from "../base/errors.ts";
import { LOG_FILE } from "../base/log-file.ts";
import { quoted } from "../doctor/finding.ts";
import type { Files } from "../ports.ts";
import { launchdManager, plistPath } from "./launchd.ts";
import type { Manager } from "./manager.ts";
import { type Programs, systemPrograms } from "./programs.ts";
import { installedVersion, managerVersion, systemdManager, UNIT } from "./systemd.ts";
import type { ServiceWorld } from "./world.ts";

export interface FoundManager {
  readonly manager: Manager;
  /** Answers from here; without it a definition can be shown and not be used. */
  readonly reachable: boolean;
  /** Major version of systemd; null where it is not known, or launchd rules. */
  readonly version: number | null;
  /** With what reaches the manager in its environment. */
  readonly programs: Programs;
}

/** What is assumed of a systemd that is not there: the oldest that was tried. */
export const OLDEST_SYSTEMD = 252;

export async function findManager(world: ServiceWorld): Promise<FoundManager> {
  const { platform, programs, host, paths } = world;
  if (platform === "darwin") {
    const log = join(paths.state, "logs", LOG_FILE);
    const manager = launchdManager({ programs, uid: host.uid, path: plistPath(paths.home), log });
    const { status } = await programs.run("launchctl", ["print-disabled", `user/${host.uid}`]);
    return { manager, reachable: status === 0, version: null, programs };
  }
  const reaching = withBus(world);
  const manager = systemdManager(reaching, join(paths.home, ".config", "systemd", "user", UNIT));
  const running = await managerVersion(reaching);
  const version = running ?? (await installedVersion(reaching));
  return { manager, reachable: running !== null, version, programs: reaching };
}

/** A login by ssh or su may lack the variables that lead to the user's manager, while the manager is there. */
function withBus(world: ServiceWorld): Programs {
  const runtime = runtimeOf(world);
  if (world.env["XDG_RUNTIME_DIR"] || world.files.stat(join(runtime, "systemd"))?.kind !== "dir") return world.programs;
  return world.programs.with({ XDG_RUNTIME_DIR: runtime });
}

/** Where the user's manager has its sockets. */
export function runtimeOf({ env, host }: Pick<ServiceWorld, "env" | "host">): string {
  return env["XDG_RUNTIME_DIR"] || `/run/user/${host.uid}`;
}

/**
 * @throws MemdError misconfigured `no-service-manager`, with what works without one
 */
export function requireReachable({ reachable, manager }: FoundManager, started: Started): void {
  if (reachable) return;
  const named = manager.kind === "launchd" ? "launchd" : "a systemd of this user";
  throw new MemdError({
    code: "no-service-manager",
    family: "misconfigured",
    message: `${named} cannot be reached from here (no login session, a container, or WSL without systemd)`,
    hint: withoutManager(started),
  });
}

/** What is to be started, by whatever. */
export interface Started {
  readonly node: string;
  readonly script: string;
}

/** What to do where no manager runs. */
function withoutManager({ node, script }: Started): string {
  const memd = `${quoted(node)} ${quoted(script)}`;
  // In a crontab a percent sign ends the command.
  const line = `*/30 * * * * ${memd.replace(/%/g, "\\%")} dream`;
  return `Run ${memd} daemon in the foreground under a supervisor of your own, or put this line into crontab -e: ${line}`;
}
