/**
 * `fetch` on node:http, for the SDK. Node's own gives up after 300 s without headers or between two pieces of a body, which cannot be
 * changed without another package: a local model may think longer. It also follows redirects, and the key must go nowhere else.
 */
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { proxyCredentials, throughProxy, tunnelTo } from "./tunnel.ts";

/** Statuses whose Response may have no body. */
const BODILESS = [204, 205, 304];

/** A host that swallows packets is told from one that thinks. */
const CONNECT_MS = 30_000;

/**
 * Sends a text body; redirects are answers like any other.
 * @param proxy of HTTP; null: none
 * @returns a `fetch` that throws the system's error when there is no connection or it breaks
 */
export function plainFetch(proxy: URL | null): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const incoming = await send(url, init, await wayTo(url, proxy, init.signal ?? null));
    const status = incoming.statusCode ?? 0;
    const bodiless = BODILESS.includes(status);
    if (bodiless) incoming.resume();
    const body = bodiless ? null : (Readable.toWeb(incoming) as ReadableStream);
    return new Response(body, { status, headers: headersOf(incoming) });
  };
}

interface Way {
  readonly options: RequestOptions;
  /** For a proxy on the way. */
  readonly headers: Record<string, string>;
}

async function wayTo(url: URL, proxy: URL | null, signal: AbortSignal | null): Promise<Way> {
  if (proxy === null) return { options: {}, headers: {} };
  if (url.protocol === "http:")
    return { options: throughProxy(url, proxy), headers: { host: url.host, ...proxyCredentials(proxy) } };
  const patience = AbortSignal.timeout(CONNECT_MS);
  const socket = await tunnelTo(url, proxy, signal ? AbortSignal.any([signal, patience]) : patience);
  return { options: { createConnection: () => socket }, headers: {} };
}

function send(url: URL, { method = "GET", headers, body, signal }: RequestInit, way: Way): Promise<IncomingMessage> {
  const start = url.protocol === "http:" ? httpRequest : httpsRequest;
  const told = { ...Object.fromEntries(new Headers(headers)), ...way.headers };
  const options = { method, headers: told, ...(signal ? { signal } : {}), ...way.options };
  return new Promise((resolve, reject) => {
    const request = start(url, options, resolve).on("error", reject);
    const late = setTimeout(() => request.destroy(tooLate()), CONNECT_MS);
    const there = () => clearTimeout(late);
    request.on("socket", (socket) => (socket.connecting ? socket.once("connect", there) : there())).on("close", there);
    request.end(typeof body === "string" ? body : undefined);
  });
}

function tooLate(): Error {
  return Object.assign(new Error(`no connection within ${CONNECT_MS / 1_000} s`), { code: "ETIMEDOUT" });
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? "", rawHeaders[i + 1] ?? "");
  return headers;
}
