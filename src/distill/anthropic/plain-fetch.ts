/**
 * `fetch` on node:http, for the SDK. Node's own gives up after 300 s without headers or between two pieces of a body, which cannot be
 * changed without another package: a local model may think longer. It also follows redirects, and the key must go nowhere else.
 */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { Readable } from "node:stream";

/** Statuses whose Response may have no body. */
const BODILESS = [204, 205, 304];

/** Sends a text body; redirects are answers like any other. @throws the system's error when there is no connection or it breaks */
export const plainFetch: typeof fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const request = url.protocol === "http:" ? httpRequest : httpsRequest;
  const { method = "GET", headers, body, signal } = init;
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { method, headers: Object.fromEntries(new Headers(headers)), ...(signal ? { signal } : {}) };
    request(url, options, resolve)
      .on("error", reject)
      .end(typeof body === "string" ? body : undefined);
  });
  const status = incoming.statusCode ?? 0;
  const bodiless = BODILESS.includes(status);
  if (bodiless) incoming.resume();
  return new Response(bodiless ? null : (Readable.toWeb(incoming) as ReadableStream), {
    status,
    headers: headersOf(incoming),
  });
};

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? "", rawHeaders[i + 1] ?? "");
  return headers;
}
