/** How Claude Code is started: restricted to reading its brief, leaving no session behind, and gone when memd is gone. */
import { withTone } from "../anthropic/prompts/common.ts";
import type { Command } from "../fence.ts";
import { SYSTEM } from "./prompt.ts";
import { PROPOSAL_SCHEMA } from "./schema.ts";
import type { ClaudeSettings } from "./settings.ts";
import { TASK_FILE } from "./task.ts";

/**
 * The channel (descriptor 3) becomes its standard output, the task its standard input: words of people stand in no argument, where
 * `ps` shows them. The second process waits for the end of our own standard output, which comes when memd is gone, however it went, and
 * then ends the whole group: Claude Code itself notices only when it next writes something. It must not wait on the channel: what Claude
 * Code makes non-blocking there is so for both, and a wait that began again (a group stopped and continued) then ended at once.
 * No core dump keeps the user's words.
 */
const SCRIPT = `ulimit -c 0
"$@" <${TASK_FILE} >&3 3>&- &
claude=$!
{ read -r none; kill -KILL 0; } <&1 3>&- &
watch=$!
exec 3>&-
wait "$claude"
code=$?
kill -KILL "$watch"
wait "$watch" 2>/dev/null
exit "$code"`;

/** Attempts at one request beyond the first. */
const RETRIES = 2;

export function claudeCommand(settings: ClaudeSettings, session: string): Command {
  const { program, model, maxTurns, left, tone } = settings;
  const turns = Math.max(1, Math.min(maxTurns, left.requests));
  return {
    file: "/bin/sh",
    args: [
      ...["-c", SCRIPT, "memd-distiller", program, "--print"],
      ...["--output-format", "stream-json", "--verbose", "--include-partial-messages"],
      ...["--no-session-persistence", "--session-id", session],
      // `--tools` alone is no fence: without `--restricted` a read outside succeeded (2.1.332).
      ...["--restricted", "--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands"],
      ...["--tools", "Read,Grep,Glob", "--permission-mode", "dontAsk", "--permission-prompts", "none"],
      // Relative: a path may hold what a rule takes for a pattern.
      ...["--allowedTools", "Read(./**)"],
      ...["--settings", JSON.stringify({ autoMemoryEnabled: false, autoDreamEnabled: false, disableAllHooks: true })],
      ...["--system-prompt", withTone(SYSTEM, tone), "--json-schema", JSON.stringify(PROPOSAL_SCHEMA)],
      ...["--max-turns", String(turns), "--max-budget-usd", String(Math.max(left.usd, 0.0001))],
      ...(model === null ? [] : ["--model", model]),
    ],
  };
}

/** Its whole environment. @param scratch where its passing files go: nowhere that outlives the run */
export function claudeEnv(
  { env, maxTokens }: Pick<ClaudeSettings, "env" | "maxTokens">,
  scratch: string,
): Record<string, string> {
  return {
    LANG: "C.UTF-8",
    ...env,
    CLAUDE_CODE_SKIP_PROMPT_HISTORY: "1",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    // People's words hold "@src/a.ts" and "ultrathink": quoted, they are neither mentions nor wishes.
    CLAUDE_CODE_DISABLE_ATTACHMENTS: "1",
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: "1",
    CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1",
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxTokens),
    CLAUDE_CODE_MAX_RETRIES: String(RETRIES),
    CLAUDE_CODE_TMPDIR: scratch,
    DISABLE_AUTOUPDATER: "1",
  };
}
