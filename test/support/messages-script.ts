/** What the scripted Messages server answers: an `Answer` says it in one word or a few, the server puts it on the wire. */

export type Block = Readonly<Record<string, unknown>> & { readonly type: string };
export type EventKind =
  | "message_start"
  | "content_block_start"
  | "content_block_delta"
  | "content_block_stop"
  | "message_delta";

export interface TokenCounts {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape, and a wrong look fails the test
export type Body = any;

export const USAGE: TokenCounts = {
  input_tokens: 1_000,
  output_tokens: 50,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** What goes wrong with a stream right after the first event of a kind was sent. */
export interface Fault {
  readonly after: EventKind;
  /** `cut`: the connection breaks; `end`: it ends politely, too early; `overload`: an error event; `hang`: nothing more; `garbage`: no JSON. */
  readonly how: "cut" | "end" | "overload" | "hang" | "garbage";
}

export interface Answer {
  readonly kind: "message" | "error" | "silence" | "reset" | "raw";
  readonly content?: readonly Block[];
  readonly stop?: string;
  readonly usage?: Partial<TokenCounts>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fault?: Fault;
  /** Milliseconds between events, with a ping before each. */
  readonly drip?: number;
  /** The input of the last tool call is cut in the middle of its JSON. */
  readonly cutInput?: boolean;
  /** Replaces the JSON of every tool call's input, as a model that writes no JSON would. */
  readonly inputJson?: string;
  /** Events without their `event:` line, as some endpoints send them. */
  readonly bare?: boolean;
  /** A whole message as JSON although a stream was asked for. */
  readonly whole?: boolean;
  readonly status?: number;
  readonly type?: string;
  readonly message?: string;
  readonly code?: string;
  readonly body?: string;
}

/** Text that the model says. */
export const text = (value: string): Block => ({ type: "text", text: value });

/** A tool call; ids are given by the server where there is none. */
export const call = (name: string, input: unknown, id?: string): Block => ({
  type: "tool_use",
  name,
  input,
  ...(id === undefined ? {} : { id }),
});

export const thinking = (value: string, signature = "sig"): Block => ({ type: "thinking", thinking: value, signature });

export const message = (content: readonly Block[], more: Omit<Partial<Answer>, "kind" | "content"> = {}): Answer => ({
  kind: "message",
  content,
  stop: content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn",
  ...more,
});

/** A plain last word. */
export const says = (value: string, more: Parameters<typeof message>[1] = {}): Answer => message([text(value)], more);

/** A structured answer: one text of JSON. */
export const answers = (value: unknown, more: Parameters<typeof message>[1] = {}): Answer =>
  says(JSON.stringify(value), more);

/** Tool calls, the last block of a turn that ends as tool_use. */
export const calls = (...blocks: readonly Block[]): Answer => message(blocks);

/** An answer with a fault in its stream. */
export const broken = (answer: Answer, after: EventKind, how: Fault["how"] = "cut"): Answer => ({
  ...answer,
  fault: { after, how },
});

/** The connection breaks in the middle of the last tool call's input. */
export const cutInsideInput = (answer: Answer): Answer => ({
  ...broken(answer, "content_block_delta"),
  cutInput: true,
});

/** The answer ended at max_tokens in the middle of the last tool call's input, and the stream is whole. */
export const maxTokensInsideInput = (answer: Answer): Answer => ({ ...answer, cutInput: true, stop: "max_tokens" });

export const refusal = (): Answer => message([], { stop: "refusal" });
export const pause = (...content: readonly Block[]): Answer => message(content, { stop: "pause_turn" });
export const empty = (): Answer => message([]);
export const contextExceeded = (): Answer => message([text("half")], { stop: "model_context_window_exceeded" });

/** An HTTP error in the API's form; `code` is its stable `details.error_code`. */
export const fails = (
  status: number,
  type: string,
  said: string,
  more: { readonly headers?: Readonly<Record<string, string>>; readonly code?: string } = {},
): Answer => ({ kind: "error", status, type, message: said, ...more });

export const overloaded = (headers: Readonly<Record<string, string>> = {}): Answer =>
  fails(529, "overloaded_error", "Overloaded", { headers });
export const rateLimited = (retryAfter: string): Answer =>
  fails(429, "rate_limit_error", "slow down", { headers: { "retry-after": retryAfter } });
export const badKey = (): Answer => fails(401, "authentication_error", "invalid key");
export const forbidden = (): Answer => fails(403, "permission_error", "not allowed");
export const paymentRequired = (): Answer => fails(402, "billing_error", "payment required");
export const noCredit = (): Answer => fails(400, "invalid_request_error", "Your credit balance is too low");
export const tooLong = (): Answer =>
  fails(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum");
export const tooLarge = (): Answer => fails(413, "request_too_large", "Request exceeds the maximum size");
export const internal = (): Answer => fails(500, "api_error", "Internal server error");
export const unknownModel = (name: string): Answer => fails(404, "not_found_error", `model: ${name}`);

/** Never answers. */
export const hangs = (): Answer => ({ kind: "silence" });
/** Breaks the connection before the headers. */
export const resets = (): Answer => ({ kind: "reset" });
/** Another server: its own type and body. */
export const raw = (body: string, type = "text/html", status = 200): Answer => ({ kind: "raw", body, type, status });

/** The whole message as the API would give it without streaming. */
export function messageOf(
  answer: Answer,
  { n, body }: { readonly n: number; readonly body: Body },
): Record<string, unknown> {
  const content = (answer.content ?? []).map((block, i) =>
    block.type === "tool_use" ? { id: `toolu_${n}_${i}`, ...block } : block,
  );
  const usage = { ...USAGE, ...answer.usage };
  const model = body?.model ?? "fake";
  return {
    id: `msg_${n}`,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: answer.stop ?? "end_turn",
    stop_sequence: null,
    usage,
  };
}
