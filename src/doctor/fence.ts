/** Whether the kernel's fence can be put up around a distiller here, by doing it; and what held the last dream, which may run elsewhere. */
import { findClaude } from "../distill/claude/find.ts";
import { FENCE_HINT, findFence } from "../distill/kernel/find.ts";
import { loadLastRun } from "../ledger/last-run.ts";
import { hostEnv, LONGEST_ANSWER } from "../steps/claude.ts";
import { findClaudeFence } from "../steps/claude-fence.ts";
import { fenceWorld } from "../steps/kernel.ts";
import { type Finding, fine, remark, unable, wrong } from "./finding.ts";
import type { DoctorWorld } from "./world.ts";

/** Set to 1 by Ubuntu from 24.04 on; read there, never tried there. */
const APPARMOR = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";

/** Codes `kernel-fence`, `no-kernel-fence`. Tries Claude Code by its version. */
export async function checkKernelFence(world: DoctorWorld): Promise<readonly Finding[]> {
  const { host, config, files } = world;
  const { fence: mode, distiller } = config.dream;
  if (files.stat(host.childPath)?.kind !== "file") return [];
  if (mode === "off")
    return [remark("kernel-fence", "the kernel's fence is off (dream.fence)", "Set dream.fence to auto to have it.")];
  try {
    const found = distiller === "claude" ? await aroundClaude(world) : await aroundChild(world);
    if (found === null) return [];
    if ("name" in found)
      return [fine("kernel-fence", `the kernel fences the distiller in, by ${found.name}${lastHeld(world)}`)];
    const alone = distiller === "claude" ? "its own restrictions hold Claude Code" : "Node does it alone";
    const message = `the kernel does not fence the distiller in, ${alone}: ${found.why}${lastHeld(world)}`;
    return [(mode === "required" ? wrong : remark)("no-kernel-fence", message, hint(world))];
  } catch (error) {
    return [unable("try the kernel's fence", error)];
  }
}

type Tried = { readonly name: string } | { readonly why: string };

async function aroundChild(world: DoctorWorld): Promise<Tried> {
  const { host, config } = world;
  const wants = { network: config.dream.distiller === "anthropic" };
  const found = await findFence(fenceWorld(world, host.node, host.childPath), wants);
  return found.fence === null ? { why: found.why } : found.fence;
}

/** Null where there is no Claude Code: claude.ts says so. */
async function aroundClaude(world: DoctorWorld): Promise<Tried | null> {
  const { files, env, host, config } = world;
  const program = findClaude(files, env, config.claude.path);
  if (program === null) return null;
  const signsIn = !config.claude.useKey && !env["CLAUDE_CODE_OAUTH_TOKEN"];
  const start = { program, env: hostEnv(env, [program, host.node]), maxTokens: LONGEST_ANSWER, signsIn };
  const found = await findClaudeFence(world, { config, node: { path: host.node }, childPath: host.childPath }, start);
  return found.by === null ? { why: found.why } : found.by;
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
