/** Claude Code's events, one JSON text per line (`--output-format stream-json`), read as hostile input: what is not understood is passed over. */
import { isRecord, parseJson } from "../../base/json.ts";
import { type Counts, NO_COUNTS } from "../anthropic/spend.ts";
import { tame } from "../protocol.ts";

export type Heard =
  /** The first event. */
  | { readonly kind: "begun"; readonly model: string | null; readonly version: string }
  /** A request is about to be sent. */
  | { readonly kind: "asking" }
  /** The same request is sent once more: the attempt before it failed. */
  | { readonly kind: "again" }
  /** Figures of the answer that is coming in; each replaces an earlier one of its kind. */
  | { readonly kind: "counted"; readonly model: string | null; readonly counts: Partial<Counts> }
  | { readonly kind: "answered" }
  | { readonly kind: "limit"; readonly limit: Limit }
  /** What a request failed with. */
  | { readonly kind: "trouble"; readonly word: string; readonly text: string }
  | { readonly kind: "result"; readonly result: Result }
  | { readonly kind: "other" };

/** What is known of the plan's own limits. */
export interface Limit {
  readonly rejected: boolean;
  /** Epoch ms at which it is whole again; null when not told. */
  readonly resetAt: number | null;
  /** Share that is used, 0 to 1; null when not told. */
  readonly used: number | null;
}

export interface Result {
  readonly ok: boolean;
  readonly subtype: string;
  readonly stop: string;
  readonly ending: string;
  /** Of HTTP; null when no answer came. */
  readonly status: number | null;
  readonly cause: string;
  /** For people. */
  readonly text: string;
  /** What should be the proposal; undefined when there is none. */
  readonly output: unknown;
  readonly counts: Counts;
  readonly costUsd: number;
}

const OTHER: Heard = { kind: "other" };

/** Null for a line that is no event. */
export function hear(line: string): Heard | null {
  const value = parseJson(line);
  if (!isRecord(value)) return null;
  switch (value["type"]) {
    case "system":
      return heardSystem(value);
    case "stream_event":
      return heardEvent(recordIn(value, "event"));
    case "rate_limit_event":
      return { kind: "limit", limit: limitOf(recordIn(value, "rate_limit_info")) };
    case "assistant":
      return typeof value["error"] === "string" ? { kind: "trouble", ...troubleOf(value) } : OTHER;
    case "result":
      return { kind: "result", result: resultOf(value) };
    default:
      return OTHER;
  }
}

function heardSystem(value: Record<string, unknown>): Heard {
  switch (value["subtype"]) {
    case "init":
      return { kind: "begun", model: nameIn(value, "model"), version: wordIn(value, "claude_code_version") };
    case "status":
      return value["status"] === "requesting" ? { kind: "asking" } : OTHER;
    case "api_retry":
      return { kind: "again" };
    default:
      return OTHER;
  }
}

function heardEvent(event: Record<string, unknown>): Heard {
  if (event["type"] === "message_stop") return { kind: "answered" };
  if (event["type"] === "message_start") {
    const message = recordIn(event, "message");
    return { kind: "counted", model: nameIn(message, "model"), counts: countsIn(message) };
  }
  return event["type"] === "message_delta" ? { kind: "counted", model: null, counts: countsIn(event) } : OTHER;
}

function troubleOf(value: Record<string, unknown>): { word: string; text: string } {
  const content = recordIn(value, "message")["content"];
  const [block] = Array.isArray(content) ? content : [];
  return { word: wordIn(value, "error"), text: isRecord(block) ? wordIn(block, "text") : "" };
}

function limitOf(info: Record<string, unknown>): Limit {
  const windows = Object.values(recordIn(info, "unifiedWindows")).filter(isRecord);
  const shares = [info, ...windows].flatMap((one) => amountIn(one, "utilization") ?? []);
  const at = amountIn(info, "resetsAt");
  return {
    rejected: info["status"] === "rejected",
    resetAt: at === null ? null : Math.round(at * 1_000),
    used: shares.length === 0 ? null : Math.max(...shares),
  };
}

function resultOf(value: Record<string, unknown>): Result {
  const errors = value["errors"];
  const [error] = Array.isArray(errors) ? errors : [];
  const text = typeof error === "string" ? tame(error, 300) : wordIn(value, "result");
  return {
    ok: value["subtype"] === "success" && value["is_error"] === false,
    subtype: wordIn(value, "subtype"),
    stop: wordIn(value, "stop_reason"),
    ending: wordIn(value, "terminal_reason"),
    status: amountIn(value, "api_error_status"),
    cause: wordIn(value, "api_error"),
    text,
    output: Object.hasOwn(value, "structured_output") ? value["structured_output"] : undefined,
    counts: { ...NO_COUNTS, ...countsIn(value) },
    costUsd: amountIn(value, "total_cost_usd") ?? 0,
  };
}

/** The kinds that are there: an event names some and leaves the others as they were. */
function countsIn(value: Record<string, unknown>): Partial<Counts> {
  const usage = recordIn(value, "usage");
  const found = {
    input: amountIn(usage, "input_tokens"),
    cacheWrite: amountIn(usage, "cache_creation_input_tokens"),
    cacheRead: amountIn(usage, "cache_read_input_tokens"),
    output: amountIn(usage, "output_tokens"),
  };
  return Object.fromEntries(Object.entries(found).filter(([, amount]) => amount !== null));
}

function recordIn(value: Record<string, unknown>, key: string): Record<string, unknown> {
  const inner = Object.hasOwn(value, key) ? value[key] : null;
  return isRecord(inner) ? inner : {};
}

function wordIn(value: Record<string, unknown>, key: string): string {
  const found = Object.hasOwn(value, key) ? value[key] : null;
  return typeof found === "string" ? tame(found.slice(0, 2_000), 300) : "";
}

const nameIn = (value: Record<string, unknown>, key: string) => wordIn(value, key).slice(0, 100) || null;

/** Beyond it nothing was spent in one run of anything: a number of that size is a fault, and would never leave the books. */
const MOST = 1e12;

function amountIn(value: Record<string, unknown>, key: string): number | null {
  const found = Object.hasOwn(value, key) ? value[key] : null;
  return typeof found === "number" && found >= 0 && found < MOST ? found : null;
}
