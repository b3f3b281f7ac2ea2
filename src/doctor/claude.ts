/** What the claude distiller needs: the program and a sign-in. Starts nothing and opens no credentials; what holds it fence.ts tells. */
import { join } from "node:path";
import { keySource, sourceText } from "../config/api-key.ts";
import { findClaude } from "../distill/claude/find.ts";
import { type Finding, fine, remark, wrong } from "./finding.ts";
import type { DoctorWorld } from "./world.ts";

/** Codes `claude`, `no-claude`, `claude-account`, `not-signed-in`, `no-key`. */
export function checkClaude(world: DoctorWorld): readonly Finding[] {
  return [program(world), account(world)];
}

function program({ files, env, config: { claude } }: DoctorWorld): Finding {
  const found = findClaude(files, env, claude.path);
  if (found !== null) return fine("claude", `dreams are distilled by ${found}`);
  return wrong(
    "no-claude",
    claude.path === null ? "claude is not on the PATH" : `claude.path ${claude.path} is no program`,
    "Install Claude Code (npm install -g @anthropic-ai/claude-code), or name it with claude.path.",
  );
}

function account(world: DoctorWorld): Finding {
  const { files, env, config, paths } = world;
  if (config.claude.useKey) return keyed(world);
  const spends = "it spends on the plan or account that Claude Code is signed in with";
  if (env["CLAUDE_CODE_OAUTH_TOKEN"]) return fine("claude-account", `${spends}, by CLAUDE_CODE_OAUTH_TOKEN`);
  // On macOS the keychain holds it, and nobody may look without being asked for.
  if (files.stat(join(paths.claude, ".credentials.json")) !== null) return fine("claude-account", spends);
  return remark(
    "not-signed-in",
    `${spends}; no sign-in lies in ${paths.claude} (on macOS the keychain may hold it)`,
    "Run claude and sign in (/login); for a service: claude setup-token, and CLAUDE_CODE_OAUTH_TOKEN in its environment.",
  );
}

function keyed({ files, env, config }: DoctorWorld): Finding {
  const source = keySource({ files, env, model: config.model });
  if (source !== null) return fine("claude-account", `it spends on the key from ${sourceText(source)} (claude.useKey)`);
  return wrong("no-key", "claude.useKey is set, and there is no key", "Set model.apiKeyFile or model.apiKeyCommand.");
}
