/** An endpoint behind what companies put in front of it: a proxy, and an authority of their own. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { type AddressInfo, connect, type Server as NetServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTls } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildChild } from "../../scripts/build.mjs";
import { nodeFiles } from "../../src/base/files.ts";
import { trusting } from "../../src/distill/anthropic/backend.ts";
import type { AnthropicSettings } from "../../src/distill/anthropic/settings.ts";
import { NO_REQUESTS, type ParentDesk } from "../../src/distill/fork.ts";
import type { Brief } from "../../src/ports.ts";
import { caFile, proxyFor } from "../../src/steps/network.ts";
import { answers, type MessagesServer, startMessagesServer } from "../support/messages-server.ts";
import { askingAt, settingsFor } from "./asking.ts";
import { emptyBrief, makeWorld, type World } from "./world.ts";

const NAME = "api.company.example";
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

let folder: string;
let child: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "memd-company-")));
  child = await buildChild(folder, "anthropic-child");
  const made = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
  const kind = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", `/CN=${NAME}`];
  if (hasOpenssl) spawnSync("openssl", [...kind, ...made, "-addext", `subjectAltName=DNS:${NAME},IP:127.0.0.1`]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let world: World;
let server: MessagesServer;
const open: (Server | NetServer)[] = [];
beforeEach(async () => {
  world = makeWorld();
  server = await startMessagesServer(() => answers({ candidates: [] }));
});
afterEach(async () => {
  world.remove();
  for (const one of open.splice(0)) one.close();
  await server.close();
});

async function listening<T extends Server | NetServer>(one: T): Promise<number> {
  open.push(one.listen(0, "127.0.0.1"));
  await once(one, "listening");
  return (one.address() as AddressInfo).port;
}

/** The scripted endpoint, encrypted. */
const encrypted = () => {
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => readFileSync(join(folder, name)));
  return listening(
    createTls({ key, cert }, (socket) => {
      const behind = connect(server.port, "127.0.0.1");
      socket.on("error", () => behind.destroy()).on("close", () => behind.destroy());
      socket.pipe(behind).pipe(socket);
    }),
  );
};

/** A proxy that leads every name to this machine, and notes what it is asked. */
async function proxied(port: number, wanted: string | null = null) {
  const seen: string[] = [];
  const isKnown = (credentials: string | undefined) => wanted === null || credentials === `Basic ${btoa(wanted)}`;
  const proxy = createServer((req, res) => {
    seen.push(`${req.method} ${req.url}`);
    const { host: _, "proxy-authorization": __, ...headers } = req.headers;
    const path = new URL(req.url ?? "").pathname;
    const onward = request({ port, host: "127.0.0.1", method: req.method, path, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(res);
    });
    req.pipe(onward);
  });
  proxy.on("connect", (req, socket) => {
    seen.push(`CONNECT ${req.url}`);
    if (!isKnown(req.headers["proxy-authorization"])) return socket.end("HTTP/1.1 407 Who are you\r\n\r\n");
    const behind = connect(port, "127.0.0.1", () => socket.write("HTTP/1.1 200 Connected\r\n\r\n"));
    socket.on("error", () => behind.destroy());
    behind.on("error", () => socket.destroy()).pipe(socket);
    socket.pipe(behind);
  });
  return { seen, at: await listening(proxy) };
}

function talk(): Brief {
  const said = {
    label: "S1:1",
    speaker: "user",
    trust: "user",
    text: "We deploy on Fridays only.",
    dates: [],
    line: 1,
  };
  const session = { label: "S1", session: "a", client: "claude-code", file: "/a.jsonl", cwd: "/a", headless: false };
  const utterances = [{ ...said, record: null, at: 0 } as never];
  return { ...emptyBrief("app"), digest: { ...emptyBrief("app").digest, sessions: [{ ...session, utterances }] } };
}

const GRANTS: ParentDesk = { ...NO_REQUESTS, reserve: () => ({ granted: true, reason: null }) };

/** One dream's child, that trusts the company's authority or not. */
const run = (url: string, more: Partial<AnthropicSettings>, ca: string | null) => {
  const desk = () => ({ ...GRANTS, settings: () => settingsFor(url, { idleSeconds: 5, ...more }) });
  return world.run(child, null, {
    name: "anthropic",
    desk,
    ...trusting(ca),
    readable: [],
    ...trusting(ca),
    job: { brief: talk() },
  });
};

describe.skipIf(!hasOpenssl)("an endpoint of a company's own authority (needs openssl)", () => {
  it("is asked by a fenced child that was told of the authority, and by no other", async () => {
    const url = `https://127.0.0.1:${await encrypted()}`;
    const ca = caFile({ NODE_EXTRA_CA_CERTS: join(folder, "cert.pem") }, nodeFiles);
    expect((await run(url, {}, ca)).error).toBeNull();
    expect(server.requests.length).toBe(1);
    world.remove();
    world = makeWorld();
    expect((await run(url, {}, null)).error).toMatchObject({
      code: "network",
      message: expect.stringContaining("self"),
    });
    expect(server.requests.length).toBe(1);
  }, 60_000);

  it("is reached through a proxy, which sees its name and not the key", async () => {
    const { seen, at } = await proxied(await encrypted(), "ana:s3cret word");
    const proxy = `http://ana:s3cret%20word@127.0.0.1:${at}`;
    const told = await run(`https://${NAME}`, { proxy }, join(folder, "cert.pem"));
    expect([told.error, seen, server.requests.length]).toEqual([null, [`CONNECT ${NAME}:443`], 1]);
    expect(server.requests[0]?.headers).not.toHaveProperty("proxy-authorization");
  }, 60_000);
});

describe("a proxy", () => {
  it("leads to an endpoint that is not encrypted", async () => {
    const { seen, at } = await proxied(server.port);
    const { ask } = askingAt(`http://${NAME}`, { settings: { proxy: `http://127.0.0.1:${at}` } });
    await ask();
    expect(seen).toEqual([`POST http://${NAME}/v1/messages`]);
  });

  it("that refuses is the network's trouble, costs nothing, and is not gone around", async () => {
    const { at } = await proxied(server.port, "ana:right");
    const proxy = `http://ana:wrong@127.0.0.1:${at}`;
    const { fails, spent } = askingAt(`https://${NAME}`, { settings: { proxy } });
    const error = await fails();
    expect(error).toMatchObject({ code: "network", message: expect.stringContaining("the proxy answered 407") });
    expect(error.message).not.toContain("wrong");
    expect(spent.every(({ inputTokens }) => inputTokens === 0)).toBe(true);
    expect(server.all).toEqual([]);
  });
});

describe("the proxy of an address", () => {
  const PROXY = "http://proxy.company.example:3128";
  it.each<[string, Record<string, string>, string, string | null]>([
    ["none is named", {}, "https://api.anthropic.com", null],
    ["one is named for https", { HTTPS_PROXY: PROXY }, "https://api.anthropic.com", "HTTPS_PROXY"],
    ["one is named for http alone", { HTTP_PROXY: PROXY }, "https://api.anthropic.com", null],
    ["one is named for all", { ALL_PROXY: PROXY }, "https://api.anthropic.com", "ALL_PROXY"],
    [
      "the small letters come first",
      { HTTPS_PROXY: "socks5://x", https_proxy: PROXY },
      "https://a.example",
      "https_proxy",
    ],
    ["it is written without its scheme", { HTTPS_PROXY: "proxy:3128" }, "https://a.example", "HTTPS_PROXY"],
    ["the address is of this machine", { HTTP_PROXY: PROXY }, "http://127.0.0.1:11434", null],
    ["the address is exempt", { HTTPS_PROXY: PROXY, NO_PROXY: "x, .anthropic.com" }, "https://api.anthropic.com", null],
    ["another port is exempt", { HTTPS_PROXY: PROXY, NO_PROXY: "a.example:8443" }, "https://a.example", "HTTPS_PROXY"],
    ["its port is exempt", { HTTPS_PROXY: PROXY, NO_PROXY: "a.example:443" }, "https://a.example", null],
    [
      "a name that only ends alike is exempt",
      { HTTPS_PROXY: PROXY, NO_PROXY: "a.example" },
      "https://ba.example",
      "HTTPS_PROXY",
    ],
    ["all are exempt", { HTTPS_PROXY: PROXY, NO_PROXY: "*" }, "https://api.anthropic.com", null],
  ])("when %s", (_, env, address, variable) => {
    expect(proxyFor(env, address)?.variable ?? null).toBe(variable);
  });

  it.each(["socks5://proxy:1080", "https://proxy:443"])("that memd cannot go through is refused: %s", (HTTPS_PROXY) => {
    expect(() => proxyFor({ HTTPS_PROXY }, "https://api.anthropic.com")).toThrow(
      expect.objectContaining({ code: "bad-proxy", family: "misconfigured" }),
    );
  });
});
