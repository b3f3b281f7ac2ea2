/** The kernel's fence around Claude Code: bubblewrap, where the program starts inside and its sign-in outlasts the run. */
import { dirname, join } from "node:path";
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { isRecord, parseJson } from "../base/json.ts";
import type { Context } from "../commands/context.ts";
import type { Config } from "../config/config.ts";
import { claudeEnv } from "../distill/claude/command.ts";
import type { Prepared } from "../distill/claude/index.ts";
import type { ClaudeSettings } from "../distill/claude/settings.ts";
import { findFence, noKernelFence } from "../distill/kernel/find.ts";
import { type Ground, type KernelFence, SCRATCH } from "../distill/kernel/ground.ts";
import { notShown } from "../distill/kernel/shown.ts";
import { tryStart } from "../distill/kernel/trial.ts";
import { MINUTE } from "../gate/verdict.ts";
import { fenceWorld } from "./kernel.ts";
import { caFile } from "./network.ts";

type World = Pick<Context, "files" | "env" | "paths" | "clock">;

interface Site {
  readonly config: Config;
  readonly node: { readonly path: string };
  readonly childPath: string;
}

export type ClaudeHeld =
  | { readonly by: KernelFence; readonly readable: readonly string[] }
  | { readonly by: null; readonly why: string };

/** How Claude Code is started. */
export type Start = Pick<ClaudeSettings, "program" | "env" | "maxTokens"> & {
  /** By neither key nor token: Claude Code looks for its own sign-in. */
  readonly signsIn: boolean;
};

export interface ClaudeFence {
  readonly held: Prepared["held"];
  /** For the person who waits; null where there is nothing to say. */
  readonly note: string | null;
}

/** As `dream.fence` asks for it. @throws MemdError misconfigured `no-kernel-fence` */
export async function claudeFence(world: World, site: Site, settings: ClaudeSettings): Promise<ClaudeFence> {
  const { fence } = site.config.dream;
  if (fence === "off") return { held: null, note: null };
  const found = await findClaudeFence(world, site, { ...settings, signsIn: settings.secret === null });
  if (found.by !== null) return { held: found, note: null };
  if (fence === "required") throw noKernelFence(found.why);
  return { held: null, note: `no fence of the kernel around Claude Code (${found.why}): its own restrictions hold it` };
}

const PATIENCE_MS = 10_000;

/** Shown are the program and the file of its sign-in, to be read; all else that it knows of the user stays out of its reach. */
export async function findClaudeFence(world: World, site: Site, start: Start): Promise<ClaudeHeld> {
  const { files, env } = world;
  const { node, childPath } = site;
  const found = await findFence(fenceWorld(world, node.path, childPath), { network: true, scratch: true });
  if (found.fence === null) return { by: null, why: found.why };
  const signIn = start.signsIn ? signInFile(env) : null;
  if (signIn !== null && endsWithin(files, signIn, world.clock.now() + site.config.dream.maxMinutes * MINUTE))
    return { by: null, why: STALE_SIGN_IN };
  const readable = shown(files, [start.program, signIn, caFile(env, files)]);
  const ground: Ground = {
    folder: dirname(files.realpath(childPath)),
    readable,
    env: claudeEnv(start, SCRATCH),
    network: false,
    scratch: true,
    dataMb: 2_048,
    wallSeconds: 60,
  };
  const version = { file: start.program, args: ["--version"] };
  const fault = await tryStart(found.fence, version, { ground, timeoutMs: PATIENCE_MS });
  if (fault !== null) return { by: null, why: `${start.program}: ${fault}` };
  return { by: found.fence, readable };
}

/**
 * Only where it can write does Claude Code renew a sign-in: inside it would be refused (2.1.332 then sends nothing that would use up what
 * renews it).
 */
const STALE_SIGN_IN =
  "the sign-in of Claude Code has to be renewed, which takes a home that it can write; claude setup-token makes a token that lasts";

/** Where Claude Code keeps its sign-in on Linux; macOS has its keychain. */
const signInFile = (env: Context["env"]): string | null => {
  const folder = env["CLAUDE_CONFIG_DIR"] || (env["HOME"] ? join(env["HOME"], ".claude") : null);
  return folder === null ? null : join(folder, ".credentials.json");
};

/** Of what stands in that file nothing is read but the time at which its token ends; what cannot be read, Claude Code cannot read either. */
function endsWithin(files: Files, path: string, until: number): boolean {
  const [file] = realOf(files, path);
  const value = file === undefined ? null : unlessRefused(() => parseJson(files.readText(file)));
  const login = isRecord(value) ? value["claudeAiOauth"] : null;
  const at = isRecord(login) ? login["expiresAt"] : null;
  return typeof at === "number" && at < until;
}

/** Under the names by which they are asked for, and where links of them lead; without what a folder of the system shows. */
function shown(files: Files, paths: readonly (string | null)[]): readonly string[] {
  return notShown(paths.flatMap((path) => (path === null ? [] : realOf(files, path).flatMap((real) => [path, real]))));
}

/** Empty for what is not there, or out of reach. */
const realOf = (files: Files, path: string): string[] =>
  unlessRefused(() => (files.stat(path) === null ? [] : [files.realpath(path)])) ?? [];

function unlessRefused<T>(act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}
