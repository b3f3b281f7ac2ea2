/** The SDK, and nothing but: one request out, its response in. Retries, streams and what an error means are told elsewhere, in plain data. */
import { APIConnectionError, APIError, BaseAnthropic } from "@anthropic-ai/sdk";
import { systemCode } from "../../base/errors.ts";
import { plainFetch } from "./plain-fetch.ts";
import { type AnthropicSettings, isAnthropic } from "./settings.ts";
import type { Trouble } from "./trouble.ts";

export interface Call {
  readonly method: "get" | "post" | "delete";
  /** `/v1/messages` */
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface Wire {
  /**
   * Sends one request, once. The body of the response is unread.
   * @throws what `troubleOf` names, for any status but 2xx too
   */
  send(call: Call): Promise<Response>;
}

const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // The SDK's log goes to stdout, with requests in it.
}

/** The key as headers; SDK 1.x alone would send a bearer token only, which many compatible endpoints do not look at. */
function credentials({ key, auth, baseURL }: AnthropicSettings): Record<string, string | null> {
  const bearer = auth !== "x-api-key";
  const apiKey = auth === "x-api-key" || (auth === "auto" && !isAnthropic(baseURL));
  return {
    authorization: key !== null && bearer ? `Bearer ${key}` : null,
    "x-api-key": key !== null && apiKey ? key : null,
  };
}

export function openWire(settings: AnthropicSettings): Wire {
  const client = new BaseAnthropic({
    // Any credential given in code keeps the SDK from looking for profiles in files and the environment; the headers replace it.
    apiKey: settings.key ?? "none",
    baseURL: settings.baseURL.replace(/\/+$/, "").replace(/\/v1$/, ""),
    defaultHeaders: credentials(settings),
    maxRetries: 0,
    timeout: 2 ** 31 - 1, // of headers only, and per attempt: the watchdog has its own
    fetch: plainFetch(settings.proxy === null ? null : new URL(settings.proxy)),
    logger: SILENT,
    logLevel: "off",
    openTelemetry: false,
  });
  return {
    send: ({ method, path, ...options }) => client[method](path, { ...options, stream: true }).asResponse(),
  };
}

/** @param error what `send`, or reading its response, threw for another reason than our own abort */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof APIConnectionError) return connection(error.cause ?? error);
  if (!(error instanceof APIError) || error.status === undefined) return connection(error);
  const { status, type, errorCode, headers } = error;
  return { kind: "status", status, type, code: errorCode, message: error.apiMessage ?? error.message, headers };
}

function connection(error: unknown): Trouble {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "connection", code: systemCode(error), message };
}
