/**
 * A Messages API that answers by a script, over real HTTP on 127.0.0.1, an ephemeral port.
 *
 *   const server = await startMessagesServer([calls(call("read", { path: "S1" })), says("Done.")]);
 *   ... baseURL: server.url ...
 *   server.requests[0].body.messages     // what was sent, POST /v1/messages alone; `server.all` has every request
 *   await server.close();
 *
 * The script is a list (one answer per POST /v1/messages, then 400 "the script is over") or a function of the request and its number
 * from 1. Answers are made by the helpers of messages-script.ts, re-exported here:
 *   says(text) answers(json) calls(call(name, input)...) message([blocks], { stop, usage, headers, drip, bare, whole, inputJson })
 *   broken(answer, after, how) cutInsideInput(answer) maxTokensInsideInput(answer) refusal() pause() empty() contextExceeded()
 *   fails(status, type, message, { headers, code }) overloaded() rateLimited("7200") badKey() forbidden() paymentRequired() noCredit()
 *   tooLong() tooLarge() internal() unknownModel(name) hangs() resets() raw(body, type, status)
 * Options: `key` (401 unless it comes as bearer or x-api-key), `refuse` (400 for a body that has one of these keys anywhere:
 * "output_config", "cache_control", "tools"; "count_tokens", "models" and "batches": 404), `headers` (on every answer), `path` (before /v1).
 * Always on: a body with a lone surrogate escape is answered by 400, as the real one does. Every answer streams when `stream` is true.
 * Message batches: see messages-batches.ts; `server.batches.state` decides what becomes of them.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Batches, openBatches } from "./messages-batches.ts";
import { type Answer, type Block, type Body, type EventKind, fails, messageOf, USAGE } from "./messages-script.ts";

export * from "./messages-script.ts";

export interface Recorded {
  /** Number among the requests of its kind, from 1. */
  readonly n: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body as text. */
  readonly raw: string;
  readonly body: Body;
}

export type Script = readonly Answer[] | ((request: Recorded) => Answer);

export interface ServerOptions {
  readonly key?: string;
  readonly refuse?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

export interface MessagesServer {
  readonly url: string;
  readonly port: number;
  /** POST /v1/messages, in the order of arrival. */
  readonly requests: readonly Recorded[];
  readonly all: readonly Recorded[];
  readonly batches: Batches;
  /** Most requests that were open at the same time. */
  readonly peak: number;
  /** Connections that are open now. */
  readonly open: number;
  /** Resolves when the n-th POST /v1/messages has arrived. */
  arrived(n: number): Promise<void>;
  close(): Promise<void>;
}

const JSON_TYPE = { "content-type": "application/json" };
const LONE = /\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]/;

export async function startMessagesServer(script: Script, options: ServerOptions = {}): Promise<MessagesServer> {
  const all: Recorded[] = [];
  const requests: Recorded[] = [];
  const pick = typeof script === "function" ? script : (r: Recorded) => script[r.n - 1] ?? OVER;
  const batches = openBatches((body, n) => pick({ ...NO_REQUEST, n, body, raw: JSON.stringify(body) }));
  const waiting: { n: number; done: () => void }[] = [];
  let open = 0;
  let peak = 0;
  const server = createServer((req, res) => {
    open += 1;
    peak = Math.max(peak, open);
    res.on("close", () => {
      open -= 1;
    });
    void read(req).then(async (raw) => {
      const path = (req.url ?? "").replace(options.path ?? "", "").replace(/\?.*/, "");
      const asked = req.method === "POST" && path === "/v1/messages";
      const kind = asked ? requests : all;
      const recorded = { ...recordOf(req, raw), path, n: kind.length + 1 };
      all.push(recorded);
      if (asked) requests.push(recorded);
      for (const { n, done } of waiting) if (requests.length >= n) done();
      const refusal = refuse(recorded, options);
      if (refusal) return send(res, refusal, recorded, options);
      if (asked) return send(res, pick(recorded), recorded, options);
      const other = elsewhere(recorded, batches);
      if (path.startsWith("/v1/messages/batches"))
        await (recorded.method === "POST" && path === "/v1/messages/batches" ? batches.hold : batches.slow);
      res.writeHead(other.status, { ...JSON_TYPE, ...options.headers });
      res.end(other.body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${options.path ?? ""}`,
    port,
    requests,
    all,
    batches,
    get peak() {
      return peak;
    },
    get open() {
      return open;
    },
    arrived: (n) =>
      requests.length >= n ? Promise.resolve() : new Promise((done) => void waiting.push({ n, done: () => done() })),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const OVER = fails(400, "invalid_request_error", "the script is over");
const NO_REQUEST: Recorded = { n: 0, method: "POST", path: "/v1/messages", headers: {}, raw: "", body: {} };

async function read(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function recordOf(req: IncomingMessage, raw: string): Omit<Recorded, "n" | "path"> {
  const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
  let body: unknown = null;
  try {
    body = raw === "" ? null : JSON.parse(raw);
  } catch (error) {
    body = { unreadable: String(error) };
  }
  return { method: req.method ?? "", headers, raw, body };
}

function refuse({ raw, path, headers }: Recorded, { key, refuse: never = [] }: ServerOptions): Answer | null {
  const sent = [headers["x-api-key"], headers.authorization?.replace(/^Bearer /, "")];
  if (key !== undefined && !sent.includes(key)) return fails(401, "authentication_error", "invalid key");
  if (LONE.test(raw)) return fails(400, "invalid_request_error", "The request body is not valid JSON: lone surrogate");
  if (never.some((name) => path.includes(`/${name}`))) return fails(404, "not_found_error", "no such route");
  const field = never.find((name) => raw.includes(`"${name}":`));
  return field === undefined ? null : fails(400, "invalid_request_error", `${field}: Extra inputs are not permitted`);
}

/** Every route but POST /v1/messages. */
function elsewhere(request: Recorded, batches: Batches): { status: number; body: string } {
  const { path, body } = request;
  const ok = (value: unknown) => ({ status: 200, body: JSON.stringify(value) });
  if (path === "/v1/messages/count_tokens") return ok({ input_tokens: Math.ceil(JSON.stringify(body).length / 4) });
  if (path.startsWith("/v1/messages/batches")) return batches.answer(request);
  const model = { type: "model", id: "claude-haiku-5-5", display_name: "Haiku", created_at: "2026-01-01T00:00:00Z" };
  if (path === "/v1/models") return ok({ data: [model], has_more: false, first_id: model.id, last_id: model.id });
  if (path.startsWith("/v1/models/")) return ok({ ...model, id: path.slice("/v1/models/".length) });
  return { status: 404, body: JSON.stringify({ type: "error", error: { type: "not_found_error", message: path } }) };
}

function send(res: ServerResponse, answer: Answer, request: Recorded, options: ServerOptions): void {
  const headers = { "request-id": `req_${request.n}`, ...options.headers, ...answer.headers };
  if (answer.kind === "silence") return;
  if (answer.kind === "reset") return void res.socket?.destroy();
  if (answer.kind === "raw") {
    res.writeHead(answer.status ?? 200, { "content-type": answer.type ?? "text/html", ...headers });
    return void res.end(answer.body);
  }
  if (answer.kind === "error") {
    const details = answer.code === undefined ? {} : { details: { error_code: answer.code } };
    const error = { type: answer.type, message: answer.message, ...details };
    res.writeHead(answer.status ?? 500, { ...JSON_TYPE, ...headers });
    return void res.end(JSON.stringify({ type: "error", error }));
  }
  if (request.body?.stream === true && !answer.whole) return void stream(res, answer, request, headers);
  res.writeHead(200, { ...JSON_TYPE, ...headers });
  res.end(JSON.stringify(messageOf(answer, request)));
}

interface Event {
  readonly type: EventKind | "message_stop";
  readonly data: object;
}

function* eventsOf(answer: Answer, request: Recorded): Generator<Event> {
  const whole = messageOf(answer, request);
  const content = whole.content as Block[];
  const usage = { ...USAGE, ...answer.usage };
  const start = { ...whole, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  yield { type: "message_start", data: { message: start } };
  for (const [index, block] of content.entries()) {
    const last = index === content.length - 1;
    yield { type: "content_block_start", data: { index, content_block: emptied(block) } };
    for (const delta of deltasOf(block, answer, last)) yield { type: "content_block_delta", data: { index, delta } };
    yield { type: "content_block_stop", data: { index } };
  }
  const delta = { stop_reason: whole.stop_reason, stop_sequence: null };
  yield { type: "message_delta", data: { delta, usage: { output_tokens: usage.output_tokens } } };
  yield { type: "message_stop", data: {} };
}

function emptied(block: Block): Block {
  if (block.type === "text") return { type: "text", text: "" };
  if (block.type === "tool_use") return { ...block, input: {} };
  return block.type === "thinking" ? { type: "thinking", thinking: "", signature: "" } : block;
}

/** Each text in two pieces, so that nobody can live without joining them. */
function deltasOf(block: Block, { cutInput, inputJson }: Answer, last: boolean): object[] {
  if (block.type === "text") return halves(String(block.text)).map((part) => ({ type: "text_delta", text: part }));
  if (block.type === "thinking")
    return [
      ...halves(String(block.thinking)).map((part) => ({ type: "thinking_delta", thinking: part })),
      { type: "signature_delta", signature: block.signature },
    ];
  if (block.type !== "tool_use") return [];
  const json = inputJson ?? JSON.stringify(block.input);
  const pieces = cutInput && last ? [json.slice(0, json.length - 4)] : halves(json);
  return pieces.map((part) => ({ type: "input_json_delta", partial_json: part }));
}

function halves(value: string): string[] {
  const middle = Math.floor(value.length / 2);
  return [value.slice(0, middle), value.slice(middle)].filter((part) => part !== "");
}

async function stream(
  res: ServerResponse,
  answer: Answer,
  request: Recorded,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  res.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...headers });
  const write = (type: string, data: object) =>
    void res.write(`${answer.bare ? "" : `event: ${type}\n`}data: ${JSON.stringify({ type, ...data })}\n\n`);
  for (const { type, data } of eventsOf(answer, request)) {
    if (answer.drip !== undefined) {
      write("ping", {});
      await new Promise((done) => setTimeout(done, answer.drip));
    }
    if (res.destroyed) return;
    write(type, data);
    if (answer.fault?.after === type) return fail(res, answer.fault.how, write);
  }
  res.end();
}

function fail(res: ServerResponse, how: string, write: (type: string, data: object) => void): void {
  if (how === "hang") return;
  if (how === "end") return void res.end();
  if (how === "garbage") return void res.end("event: content_block_delta\ndata: {not json\n\n");
  if (how === "cut") return void setImmediate(() => res.socket?.destroy());
  write("error", { error: { type: "overloaded_error", message: "Overloaded" } });
  res.end();
}
