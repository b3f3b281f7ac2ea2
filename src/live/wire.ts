/** What goes over the socket: one JSON line each way, and for `follow` a line for each thing that happens. */
import { isRecord, parseJson } from "../base/json.ts";
import type { DreamAsk } from "./desk.ts";

export type Ask =
  | { readonly ask: "status" }
  | ({ readonly ask: "dream" } & DreamAsk)
  | { readonly ask: "reload" }
  | { readonly ask: "follow" };

/** A question takes a few names; an answer of a thousand stores some 300 KB. */
export const MAX_ASK_BYTES = 65_536;
export const MAX_ANSWER_BYTES = 4 * 1_048_576;

const MAX_STORES = 1_000;
const MAX_NAME = 200;

/** Null for anything that is no question. */
export function parseAsk(line: string): Ask | null {
  const value = parseJson(line);
  if (!isRecord(value)) return null;
  const { ask, stores = [], now = false } = value;
  if (ask === "status" || ask === "reload" || ask === "follow") return { ask };
  if (ask !== "dream" || typeof now !== "boolean" || !Array.isArray(stores) || stores.length > MAX_STORES) return null;
  const names = stores.filter((name) => typeof name === "string" && name.length <= MAX_NAME);
  return names.length === stores.length ? { ask, stores: names, now } : null;
}

export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

export const answerLine = (answer: Answer): string => `${JSON.stringify(answer)}\n`;

/** Null for anything that is no answer. */
export function parseAnswer(line: string): Answer | null {
  const value = parseJson(line);
  if (!isRecord(value)) return null;
  if (value["ok"] === true) return { ok: true, value: value["value"] };
  const { error } = value;
  if (value["ok"] !== false || !isRecord(error)) return null;
  const { code, message } = error;
  return { ok: false, error: { code: String(code), message: String(message) } };
}

/**
 * Cuts a stream into lines; what is longer than `max` bytes ends it.
 * @returns the function that takes the chunks: false when the stream is over
 */
export function lineReader(max: number, take: (line: string) => void): (chunk: Buffer) => boolean {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      const line = rest.subarray(0, end).toString("utf8");
      rest = rest.subarray(end + 1);
      take(line);
    }
    return rest.length <= max;
  };
}
