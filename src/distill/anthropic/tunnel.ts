/** The way through a company's proxy: a tunnel by CONNECT, encrypted from here to the endpoint, so that the proxy sees a name and no key. */
import { type RequestOptions, request } from "node:http";
import type { Socket } from "node:net";
import { connect as encrypt, type TLSSocket } from "node:tls";

/** @throws Error with the system's code, or `EPROXY` when the proxy refuses */
export async function tunnelTo(url: URL, proxy: URL, signal: AbortSignal | null): Promise<TLSSocket> {
  const port = url.port || "443";
  const name = `${url.hostname}:${port}`;
  const headers = { host: name, ...proxyCredentials(proxy) };
  const socket = await connected({
    ...placeOf(proxy),
    method: "CONNECT",
    path: name,
    headers,
    ...(signal ? { signal } : {}),
  });
  return new Promise((resolve, reject) => {
    // An address has no name to ask for.
    const named = /^[\d.]+$|^\[/.test(url.hostname) ? {} : { servername: url.hostname };
    const secure = encrypt({ socket, ...named }, () => resolve(secure));
    secure.once("error", reject);
  });
}

function connected(options: RequestOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    request(options)
      .on("error", reject)
      .on("response", ({ statusCode }) => reject(refusedBy(statusCode)))
      .on("connect", ({ statusCode }, socket) => {
        if (statusCode === 200) return resolve(socket);
        socket.destroy();
        reject(refusedBy(statusCode));
      })
      .end();
  });
}

/** What a request for an unencrypted address says to a proxy: the whole address. */
export function throughProxy(url: URL, proxy: URL): RequestOptions {
  return { ...placeOf(proxy), path: url.href };
}

export function proxyCredentials({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(words).toString("base64")}` };
}

const placeOf = ({ hostname, port }: URL) => ({ hostname: hostname.replace(/^\[|\]$/g, ""), port: port || "80" });

function refusedBy(status: number | undefined): Error {
  return Object.assign(new Error(`the proxy answered ${status}`), { code: "EPROXY" });
}
