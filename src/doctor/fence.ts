/** Whether the kernel's fence can be put up around a distiller here, by doing it; and what held the last dream, which may run elsewhere. */
import { FENCE_HINT, findFence } from "../distill/kernel/find.ts";
import { loadLastRun } from "../ledger/last-run.ts";
import { fenceWorld } from "../steps/kernel.ts";
import { type Finding, fine, remark, unable, wrong } from "./finding.ts";
import type { DoctorWorld } from "./world.ts";

/** Set to 1 by Ubuntu from 24.04 on; read there, never tried there. */
const APPARMOR = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";

/** Codes `kernel-fence`, `no-kernel-fence`. Nothing about the claude distiller: claude.ts tells what holds that one. */
export async function checkKernelFence(world: DoctorWorld): Promise<readonly Finding[]> {
  const { host, config, files } = world;
  const { fence: mode, distiller } = config.dream;
  if (distiller === "claude" || files.stat(host.childPath)?.kind !== "file") return [];
  if (mode === "off")
    return [remark("kernel-fence", "the kernel's fence is off (dream.fence)", "Set dream.fence to auto to have it.")];
  try {
    const found = await findFence(fenceWorld(world, host.node, host.childPath), distiller === "anthropic");
    if (found.fence !== null)
      return [fine("kernel-fence", `the kernel fences the distiller in, by ${found.fence.name}${lastHeld(world)}`)];
    const message = `the kernel does not fence the distiller in, Node does it alone: ${found.why}${lastHeld(world)}`;
    return [(mode === "required" ? wrong : remark)("no-kernel-fence", message, hint(world))];
  } catch (error) {
    return [unable("try the kernel's fence", error)];
  }
}

/** The service may not use what a shell may; its dreams tell what held them. */
function lastHeld({ files, stores }: DoctorWorld): string {
  const last = stores
    .flatMap(({ state }) => loadLastRun(files, state) ?? [])
    .sort((a, b) => a.startedAt.localeCompare(b.startedAt))
    .at(-1);
  return last?.fence ? `; the last dream was held by ${last.fence}` : "";
}

function hint({ files }: DoctorWorld): string {
  if (files.stat(APPARMOR) === null || files.read(APPARMOR).toString("utf8").trim() !== "1") return FENCE_HINT;
  return `${FENCE_HINT} AppArmor restricts user namespaces here: bubblewrap needs its profile bwrap-userns-restrict (package apparmor-profiles).`;
}
