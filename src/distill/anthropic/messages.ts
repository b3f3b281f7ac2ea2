/** One request to a model and its answer, in memd's own words: the stages speak these, the client alone speaks the SDK. */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** A tool call of the model; `input` is hostile until it was checked. */
export interface CallPart {
  readonly type: "call";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ResultPart {
  readonly type: "result";
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

/** What the endpoint wants back word for word in the next request (thinking, for example); never read. */
export interface OpaquePart {
  readonly type: "opaque";
  readonly value: unknown;
}

export interface Turn {
  readonly role: "user" | "assistant";
  readonly parts: readonly (TextPart | CallPart | ResultPart | OpaquePart)[];
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the input: an object. The caller checks inputs itself: no endpoint can be trusted to. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Ask {
  readonly model: string;
  /** The stable prefix, the same bytes over turns and stores: cached where the endpoint can. */
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  /** JSON schema of the whole answer, where the endpoint knows structured output; else the prompt asks for it. Null: free. */
  readonly answer: Readonly<Record<string, unknown>> | null;
  readonly maxTokens: number;
}

/** Why an answer ended. Tool calls may be run only after `tools`; `length` means that the last part may be cut. */
export type Stop = "end" | "tools" | "length" | "pause" | "refusal" | "context";

export interface Reply {
  readonly parts: readonly (TextPart | CallPart | OpaquePart)[];
  readonly stop: Stop;
}

/**
 * An endpoint, with everything between a request and its answer: reservation before it, spend after it, streaming, idle watchdog, retries.
 * @throws MemdError unavailable (`overloaded`, `rate-limited` and `rate-share` with `retryAt`, `network`, `stream-cut`, `garbled`, `silent`,
 * `too-slow`), misconfigured (`bad-key`, `no-key`, `no-credit`, `bad-request`, `unknown-model`), over-budget, rejected `too-long` (the
 * prompt does not fit, or not with its answer: shrink it, never resend)
 */
export interface Endpoint {
  ask(request: Ask): Promise<Reply>;
}
