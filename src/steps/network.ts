/** What stands between memd and an endpoint in a company: a proxy, and an authority of its own. Both are the environment's, as for other programs. */
import { MemdError, systemCode } from "../base/errors.ts";
import type { Env } from "../config/paths.ts";
import type { Files } from "../ports.ts";

export interface Proxy {
  /** Of the environment. */
  readonly variable: string;
  readonly url: URL;
}

/** Variables by which programs find their way out of a company's network. */
export const NETWORK = [
  "HTTPS_PROXY",
  "https_proxy",
  "HTTP_PROXY",
  "http_proxy",
  "NO_PROXY",
  "no_proxy",
  "NODE_EXTRA_CA_CERTS",
];

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.*\.localhost)$/;

/**
 * The proxy for an address; null when there is none, or the address is of this machine or among NO_PROXY's.
 * @throws MemdError misconfigured `bad-proxy` for a proxy that memd cannot go through: going around it is not for memd to decide
 */
export function proxyFor(env: Env, address: string): Proxy | null {
  const target = new URL(address);
  const scheme = target.protocol.slice(0, -1);
  const names = [`${scheme}_proxy`, `${scheme.toUpperCase()}_PROXY`, "all_proxy", "ALL_PROXY"];
  const variable = names.find((name) => env[name]);
  if (variable === undefined || LOCAL.test(target.hostname) || isExempt(env, target)) return null;
  const given = env[variable] ?? "";
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`);
  if (url?.protocol === "http:") return { variable, url };
  throw new MemdError({
    code: "bad-proxy",
    family: "misconfigured",
    message: `memd cannot go through the proxy that ${variable} names${url === null ? "" : ` (${url.protocol.slice(0, -1)})`}, and does not go around it`,
    hint: `Name a proxy of http://, or put ${target.hostname} into NO_PROXY.`,
  });
}

/** `NO_PROXY`: names and their subdomains, with or without a leading dot, with or without a port, or `*`. */
function isExempt(env: Env, { hostname, port, protocol }: URL): boolean {
  const list = env["no_proxy"] || env["NO_PROXY"] || "";
  const own = port || (protocol === "https:" ? "443" : "80");
  return list.split(/[\s,]+/).some((item) => {
    const [, name = "", itsPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(item.toLowerCase()) ?? [];
    if (item === "*") return true;
    if (name === "" || (itsPort !== undefined && itsPort !== own)) return false;
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}

/** The real path of the authorities that NODE_EXTRA_CA_CERTS adds; null when it names none that is there. */
export function caFile(env: Env, files: Files): string | null {
  const path = env["NODE_EXTRA_CA_CERTS"];
  if (!path?.startsWith("/")) return null;
  try {
    return files.stat(path)?.kind === "file" ? files.realpath(path) : null;
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}
