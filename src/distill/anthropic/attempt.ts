/** One attempt at a request, watched: what came back, what it counted, and what went wrong. */
import { parseJson } from "../../base/json.ts";
import { type Call, troubleOf, type Wire } from "./client.ts";
import { eventsOf, type Gathering, openGathering } from "./gather.ts";
import { eventData } from "./sse.ts";
import type { Trouble } from "./trouble.ts";

/** 128,000 tokens, each in an event of its own, are 25 MB. */
const ANSWER_BYTES = 64 * 1024 * 1024;

export interface Watch {
  readonly idleSeconds: number;
  readonly requestSeconds: number;
}

export interface Attempt {
  /** Null when no answer began. */
  readonly headers: Headers | null;
  readonly gathering: Gathering;
  /** Null when the message is whole. */
  readonly trouble: Trouble | null;
}

/** Never throws for what an endpoint or a network can do. */
export async function attempt(wire: Wire, call: Omit<Call, "signal">, watch: Watch): Promise<Attempt> {
  const gathering = openGathering();
  const dog = watchdog(watch);
  let headers: Headers | null = null;
  try {
    const response = await wire.send({ ...call, signal: dog.signal });
    headers = response.headers;
    dog.heard();
    const trouble = await hear(response, gathering, dog.heard);
    return { headers, gathering, trouble };
  } catch (error) {
    return { headers, gathering, trouble: dog.barked() ?? broken(error, headers) };
  } finally {
    dog.off();
  }
}

/** A connection that breaks after the headers cuts the answer; before them there was none. */
function broken(error: unknown, headers: Headers | null): Trouble {
  if (error instanceof RangeError) return { kind: "garbled", message: error.message };
  const trouble = troubleOf(error);
  return headers !== null && trouble.kind === "connection" ? { kind: "cut", message: trouble.message } : trouble;
}

async function hear(response: Response, gathering: Gathering, heard: () => void): Promise<Trouble | null> {
  if (!response.body) return { kind: "garbled", message: "an answer without a body" };
  const body = metered(response.body, heard);
  const type = response.headers.get("content-type") ?? "";
  const events = /json/i.test(type) ? wholeMessage(body) : eventsIn(body);
  for await (const event of events) {
    const trouble = gathering.take(event);
    if (trouble) return trouble;
  }
  if (gathering.whole) return null;
  if (gathering.began) return { kind: "cut", message: "the stream ended before the message did" };
  return { kind: "garbled", message: `no message came, but ${type || "bytes of no named type"}` };
}

async function* metered(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    heard();
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES) throw new RangeError("the answer is too long");
    yield chunk;
  }
}

async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  for await (const data of eventData(body)) {
    // The end mark of another API, which some compatible endpoints send here too.
    if (data !== "[DONE]") yield parseJson(data);
  }
}

/** From an endpoint that does not stream although it was asked to. */
async function* wholeMessage(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  yield* eventsOf(parseJson(Buffer.concat(chunks).toString("utf8")));
}

/** The SDK's own timeout ends with the headers: a stream that stops after its first event would be waited for without end. */
function watchdog({ idleSeconds, requestSeconds }: Watch) {
  const abort = new AbortController();
  let trouble: Trouble | null = null;
  const bark = (what: Trouble) => () => {
    trouble ??= what;
    abort.abort();
  };
  const idle = setTimeout(bark({ kind: "silent", seconds: idleSeconds }), idleSeconds * 1_000);
  const late = setTimeout(bark({ kind: "late", seconds: requestSeconds }), requestSeconds * 1_000);
  return {
    signal: abort.signal,
    heard: () => void idle.refresh(),
    /** What it ended the attempt for; null when the attempt ended by itself. */
    barked: (): Trouble | null => trouble,
    off: () => {
      for (const timer of [idle, late]) clearTimeout(timer);
      // Whatever of the answer was not read is not wanted any more.
      abort.abort();
    },
  };
}
