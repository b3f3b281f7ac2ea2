/** A socket that a process bound and did not remove: what SIGKILL leaves. */
import { spawnSync } from "node:child_process";

export function leaveStale(path: string): void {
  const code = `require("net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", code]);
}
