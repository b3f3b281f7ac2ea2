/** A key that an endpoint sends back, in no known shape, while the built daemon runs: it stands nowhere afterwards. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { talk, transcript } from "../support/home.ts";
import { fails, type MessagesServer, startMessagesServer } from "../support/messages-server.ts";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");
const KEY = "quietlantern92761harbor";

let home: string;
let server: MessagesServer;
let child: ChildProcess | null = null;
beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "memd-key-")));
  mkdirSync(join(home, "sessions"));
  mkdirSync(join(home, ".config", "memd"), { recursive: true });
  server = await startMessagesServer((asked) =>
    fails(400, "invalid_request_error", `who is ${JSON.stringify(asked.headers)}? ${KEY}`, {
      headers: { "request-id": KEY },
    }),
  );
});
afterEach(async () => {
  if (child && child.exitCode === null && child.signalCode === null) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

function configure(source: string): void {
  const model = `model: { baseUrl: "${server.url}"${source} }`;
  const stores = "stores: [{ name: app, memory: ~/memory, sessions: [~/sessions] }]";
  const text = `discover: false\nlog: { level: debug }\ndream: { distiller: anthropic }\n${model}\n${stores}\n`;
  writeFileSync(join(home, ".config", "memd", "config.yaml"), text);
}

/** Everything that stands below the home, but for where the user keeps the key. */
function written(): string[] {
  const names = readdirSync(home, { recursive: true, encoding: "utf8" });
  const paths = names.filter((name) => name !== "key").map((name) => join(home, name));
  return paths.filter((path) => statSync(path).isFile() && readFileSync(path).includes(KEY));
}

const SOURCES: readonly [string, () => string, Record<string, string>][] = [
  ["the environment", () => "", { ANTHROPIC_API_KEY: KEY }],
  ["a token of the environment", () => "", { ANTHROPIC_AUTH_TOKEN: KEY }],
  [
    "a file",
    () => {
      writeFileSync(join(home, "key"), `${KEY}\n`);
      chmodSync(join(home, "key"), 0o600);
      return ", apiKeyFile: ~/key";
    },
    {},
  ],
  [
    "a command",
    () => {
      writeFileSync(join(home, "key"), `#!/bin/sh\necho ${KEY}\n`);
      chmodSync(join(home, "key"), 0o700);
      return `, apiKeyCommand: ["${home}/key"]`;
    },
    {},
  ],
];

describe("a key that the endpoint sends back", { timeout: 60_000 }, () => {
  it.each(SOURCES)("from %s stands in no log, no event and no report", async (_, source, env) => {
    configure(source());
    for (let i = 0; i < 5; i++) {
      const said = talk([`Remember: service ${i} is owned by team number ${i}.`], Date.now() - 60_000);
      writeFileSync(join(home, "sessions", `s${i}.jsonl`), transcript(`s${i}`, said));
    }
    child = spawn(process.execPath, [MEMD, "daemon", "--json"], {
      env: { PATH: process.env["PATH"], HOME: home, TZ: "UTC", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let told = "";
    const failed = new Promise<void>((done) => {
      for (const stream of [child?.stdout, child?.stderr])
        stream?.setEncoding("utf8").on("data", (chunk: string) => {
          told += chunk;
          if (/dream (?:failed|done|interrupted)/.test(told)) done();
        });
    });
    await Promise.race([failed, once(child, "exit")]);
    child.kill("SIGTERM");
    await once(child, "close");
    expect(told).toContain("dream failed");
    expect(told).toMatch(/Bearer \[(?:redacted:)?key\]/);
    expect(told).not.toContain(KEY);
    expect(server.requests.length).toBeGreaterThan(0);
    expect(written()).toEqual([]);
  });
});
