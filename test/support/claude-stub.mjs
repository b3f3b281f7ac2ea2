// A program that speaks as Claude Code does in print mode (`--output-format stream-json`, 2.1.332), and misbehaves where it is told to.
//
//   node claude-stub.mjs FOLDER MODE ...arguments that memd gives
//
// FOLDER gets seen.json (arguments, environment, folder, standard input, process group) and may hold answer.json, the structured output.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const [folder = "", mode = "", ...argv] = process.argv.slice(2);
const flag = (name) => argv[argv.indexOf(name) + 1];
const session_id = flag("--session-id");
const stdin = readFileSync(0, "utf8");
writeFileSync(
  join(folder, "seen.json"),
  JSON.stringify({ argv, env: process.env, cwd: process.cwd(), stdin, pid: process.pid }),
);

const MODEL = flag("--model") ?? "claude-opus-5-5";
const say = (value) => writeSync(1, `${JSON.stringify({ session_id, ...value })}\n`);
const init = (model = MODEL) =>
  say({ type: "system", subtype: "init", model, claude_code_version: "2.1.332", tools: ["Glob", "Grep", "Read"] });
const asking = () => say({ type: "system", subtype: "status", status: "requesting" });
const event = (inner) => say({ type: "stream_event", event: inner, parent_tool_use_id: null });
const USAGE = { input_tokens: 1000, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
const starts = (id = "msg_1") => event({ type: "message_start", message: { id, model: MODEL, usage: USAGE } });
const ends = (output_tokens = 50) => {
  event({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens } });
  event({ type: "message_stop" });
};
const request = () => [asking(), starts(), ends()];
const result = (more = {}, n = 1) =>
  say({
    type: "result",
    subtype: "success",
    is_error: false,
    stop_reason: "tool_use",
    terminal_reason: "completed",
    api_error_status: null,
    num_turns: n,
    total_cost_usd: 0.005 * n,
    usage: { ...USAGE, input_tokens: 1000 * n, output_tokens: 50 * n },
    ...more,
  });
const NOTHING = { total_cost_usd: 0, usage: { ...USAGE, input_tokens: 0, output_tokens: 0 } };
const answer = () => {
  const path = join(folder, "answer.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { operations: [] };
};
const good = () => [init(), request(), result({ structured_output: answer() })];
const failed = (error, text, status, more = {}) => {
  init();
  asking();
  say({ type: "assistant", error, message: { model: "<synthetic>", content: [{ type: "text", text }] } });
  result({ ...NOTHING, is_error: true, result: text, api_error_status: status, terminal_reason: "api_error", ...more });
  process.exitCode = 1;
};
const forever = () => setInterval(() => undefined, 1_000);
const big = (bytes) => "a".repeat(bytes);
const limit = (info) => say({ type: "rate_limit_event", rate_limit_info: info });

const MODES = {
  good,
  "an answer in words": () => [init(), request(), result({ result: "I have nothing to say." })],
  "no list": () => [init(), request(), result({ structured_output: { operations: "none" } })],
  "no object": () => [init(), request(), result({ structured_output: 7 })],
  "garbage after a good start": () => [init(), request(), writeSync(1, "Segmentation fault\n"), forever()],
  "a number": () => [init(), writeSync(1, "17\n"), forever()],
  "a line without end": () => {
    init();
    for (;;) writeSync(1, big(65_536));
  },
  "a flood of stderr": () => {
    init();
    for (;;) writeSync(2, big(65_536));
  },
  "words on stderr": () => [writeSync(2, "a warning\n"), good()],
  hang: () => {
    for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => undefined);
    init();
    asking();
    forever();
  },
  "goes on when it is told": () => {
    init();
    asking();
    // Node makes its standard output non-blocking for everybody who shares it, as Claude Code's runtime does.
    process.stdout.write("\n");
    const waiting = setInterval(() => {
      if (!existsSync(join(folder, "go"))) return;
      clearInterval(waiting);
      for (const act of [starts, ends]) act();
      result({ structured_output: answer() });
    }, 20);
  },
  "stays after its last word": () => [good(), forever()],
  "a last word twice": () => [good(), result({ structured_output: { operations: "again" }, total_cost_usd: 9 })],
  "nothing at all": () => undefined,
  "an old version": () => {
    writeSync(2, "error: unknown option '--restricted'\n");
    process.exitCode = 1;
  },
  "dies while it asks": () => [init(), asking(), starts(), process.kill(process.pid, "SIGKILL")],
  "not signed in": () => failed("authentication_failed", "Not logged in · Please run /login", null),
  "a refused token": () => failed("authentication_failed", "Failed to authenticate. API Error: 401 invalid", 401),
  "no credit": () => failed("billing_error", "Credit balance is too low", 400),
  "a usage limit": () => {
    limit({ status: "rejected", resetsAt: 1_796_100_000, rateLimitType: "five_hour" });
    failed("rate_limit", "You've hit your limit · resets 4:40am (UTC)", 429);
  },
  "a rate limit": () => failed("rate_limit", "API Error: Request rejected (429)", 429),
  overload: () => failed("server_error", "API Error: Repeated 529 Overloaded errors.", 529),
  "no network": () => failed("server_error", "API Error: Connection refused", null, { api_error: "connection_failed" }),
  "an unknown model": () => failed("model_not_found", "There's an issue with the selected model", 404),
  "a long prompt": () => failed("invalid_request", "Prompt is too long", 400, { terminal_reason: "prompt_too_long" }),
  "a refusal": () => failed("invalid_request", "safeguards flagged this message", null, { stop_reason: "refusal" }),
  "an unheard failure": () => failed("wobbly", "something else", null),
  "too many turns": () => {
    init();
    request();
    const errors = ["Reached maximum number of turns (30)"];
    result({ subtype: "error_max_turns", is_error: true, terminal_reason: "max_turns", errors });
    process.exitCode = 1;
  },
  "too much money": () => {
    init();
    request();
    result({ subtype: "error_max_budget_usd", is_error: true, errors: ["Reached maximum budget"] });
    process.exitCode = 1;
  },
  "no end of requests": () => {
    init();
    for (;;) request();
  },
  "three requests": () => [init(), request(), request(), request(), result({ structured_output: answer() }, 3)],
  "a request that fails twice": () => {
    init();
    asking();
    for (let attempt = 1; attempt <= 2; attempt++)
      say({ type: "system", subtype: "api_retry", attempt, error_status: 529 });
    starts();
    ends();
    result({ structured_output: answer() });
  },
  "a nearly used plan": () => {
    init();
    request();
    limit({ status: "allowed_warning", resetsAt: 1_796_100_000, unifiedWindows: { five_hour: { utilization: 0.95 } } });
    request();
    result({ structured_output: answer() }, 2);
  },
  "a nearly used plan at the end": () => {
    init();
    request();
    limit({ status: "allowed_warning", resetsAt: 1_796_100_000, utilization: 0.95 });
    result({ structured_output: answer() });
  },
  "says what it was given": () => {
    const told = Object.values(process.env).join(" ");
    failed("authentication_failed", `401 ${told}`, 401);
  },
  "leaves a child behind": () => {
    const child = spawn("/bin/sh", ["-c", "trap '' TERM HUP INT; while :; do sleep 1; done"], { stdio: "ignore" });
    child.unref();
    writeFileSync(join(folder, "child.pid"), String(child.pid));
    good();
  },
  "tells hostile figures": () => {
    init("<b>model</b>\u0007");
    asking();
    event({ type: "message_start", message: { usage: { input_tokens: -5, output_tokens: 1e300 } } });
    event({ type: "message_delta", usage: { output_tokens: "many", cache_read_input_tokens: null } });
    event({ type: "message_stop" });
    result({ structured_output: answer(), total_cost_usd: -1, usage: { input_tokens: 1e300 } });
  },
};

MODES[mode]();
