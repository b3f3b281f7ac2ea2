/** The process and its user as the installer asks them; the process itself is handed in by compose. */
import { dirname, isAbsolute, join } from "node:path";
import { nodeFiles } from "../base/files.ts";
import { systemPrograms } from "./programs.ts";
import { realOf } from "./versioned-path.ts";
import type { ServiceHost, ServiceWorld } from "./world.ts";

export interface Running {
  readonly host: NodeJS.Process;
  /** The folder of memd's script. */
  readonly dist: string;
  /** Unique to this process. */
  readonly token: string;
}

export function serviceWorld(
  { files, env, paths, platform, version }: Omit<ServiceWorld, "host" | "programs" | "token">,
  { host, dist, token }: Running,
): ServiceWorld {
  const programs = systemPrograms(env);
  return { files, env, paths, platform, version, host: serviceHost(host, dist), programs, token };
}

function serviceHost(host: NodeJS.Process, dist: string): ServiceHost {
  const { username, homedir } = host.getBuiltinModule("node:os").userInfo();
  const script = join(dist, "memd.js");
  const called = host.argv[1] ?? "";
  return {
    uid: host.getuid?.() ?? 0,
    user: username,
    home: homedir,
    node: { path: host.execPath, version: host.versions.node },
    script,
    called: isAbsolute(called) && called !== script && realOf(nodeFiles, called) === script ? called : null,
    base: dirname(dist),
    temporary: host.env["TMPDIR"] || null,
  };
}
