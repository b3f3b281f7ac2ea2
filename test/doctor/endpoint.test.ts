import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Finding } from "../../src/doctor/finding.ts";
import { openMoney } from "../../src/steps/money.ts";
import { type Clinic, makeClinic, wrongOf } from "./clinic.ts";

const KEY = "sk-ant-0123456789-abcdef";

let clinic: Clinic;
beforeEach(async () => {
  clinic = await makeClinic(false);
});
afterEach(() => clinic.remove());

function configure(config: Record<string, unknown>): void {
  const folder = join(clinic.root, ".config", "memd");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "config.yaml"),
    JSON.stringify({ discover: false, dream: { distiller: "anthropic" }, ...config }),
  );
}

function keyFile(mode = 0o600): string {
  const path = join(clinic.root, "key");
  writeFileSync(path, `${KEY}\n`);
  chmodSync(path, mode);
  return path;
}

const found = (findings: readonly Finding[], code: string) => findings.find((item) => item.code === code);

describe("the doctor, asked about a distiller that spends", () => {
  it("says that the built-in one needs nothing, and that a key is not used", async () => {
    const findings = await clinic.visit({ env: { ANTHROPIC_API_KEY: KEY } });
    expect(found(findings, "distiller")).toMatchObject({
      ok: true,
      message: expect.stringContaining("nothing is spent"),
    });
    expect(found(findings, "key-not-used")).toMatchObject({ ok: true });
    expect(JSON.stringify(findings)).not.toContain(KEY);
  });

  it.each<[string, () => { config?: Record<string, unknown>; env?: Record<string, string> }, string, string]>([
    ["there is no key", () => ({}), "no-key", "apiKeyFile"],
    [
      "others can read the key",
      () => ({ config: { model: { apiKeyFile: keyFile(0o644) } } }),
      "key-file-open",
      "chmod 600",
    ],
    [
      "others can read a key that is not even used",
      () => ({ config: { dream: { distiller: "extractive" }, model: { apiKeyFile: keyFile(0o640) } } }),
      "key-file-open",
      "chmod 600",
    ],
    [
      "the key file is not there",
      () => ({ config: { model: { apiKeyFile: "/nowhere/key" } } }),
      "key-file-unreadable",
      "umask 077",
    ],
    [
      "the endpoint is no address",
      () => ({ config: { model: { baseUrl: "localhost:11434" } }, env: { ANTHROPIC_API_KEY: KEY } }),
      "bad-base-url",
      "model.baseUrl",
    ],
    [
      "the key would go over the network in the clear",
      () => ({ config: { model: { baseUrl: "http://models.example.com" } }, env: { ANTHROPIC_API_KEY: KEY } }),
      "endpoint-not-encrypted",
      "https",
    ],
  ])("finds that %s", async (_, given, code, fix) => {
    const { config = {}, env = {} } = given();
    configure(config);
    const findings = await clinic.visit({ env });
    expect(wrongOf(findings)).toEqual([code]);
    expect(found(findings, code)?.hint).toContain(fix);
    expect(JSON.stringify(findings)).not.toContain(KEY);
  });

  it("says where the key would come from, which models would be asked where, and what a service will not see", async () => {
    configure({});
    const inShell = await clinic.visit({ env: { ANTHROPIC_API_KEY: KEY } });
    expect(found(inShell, "key-in-shell")?.hint).toContain("A service does not see");
    expect(found(inShell, "endpoint")?.message).toBe(
      "claude-haiku-5-5 and claude-sonnet-5-5 would be asked at api.anthropic.com",
    );
    configure({ model: { apiKeyFile: keyFile() } });
    const inFile = await clinic.visit();
    expect(found(inFile, "key")?.message).toContain(join(clinic.root, "key"));
    expect(wrongOf(inFile)).toEqual([]);
    configure({ model: { apiKeyCommand: ["pass", "show", "anthropic"] } });
    expect(found(await clinic.visit(), "key")?.message).toContain("the command pass");
  });

  it("says when money is not capped, and nothing of that for a price of the configuration", async () => {
    const model = { extract: "qwen3", consolidate: "qwen3", baseUrl: "http://127.0.0.1:11434" };
    configure({ model });
    const env = { ANTHROPIC_AUTH_TOKEN: "local" };
    expect(found(await clinic.visit({ env }), "price-unknown")?.message).toContain("qwen3");
    configure({ model: { ...model, inputUsd: 0, outputUsd: 0 } });
    expect(found(await clinic.visit({ env }), "price-unknown")).toBeUndefined();
  });

  it("says that the endpoint refused the key, as long as it is the same key", async () => {
    configure({ model: { apiKeyFile: keyFile() } });
    const { config, files, clock } = clinic.world({
      config: { dream: { distiller: "anthropic" }, model: { apiKeyFile: join(clinic.root, "key") } },
    });
    const token = () => "t";
    const money = openMoney({ files, clock, env: {}, token, config, state: clinic.stateRoot, timeZone: () => "UTC" });
    money.breaker.trip({ code: "bad-key", message: "the endpoint answered 401", hint: "Check the key." });
    expect(wrongOf(await clinic.visit())).toContain("bad-key");
    writeFileSync(join(clinic.root, "key"), "sk-another\n");
    expect(wrongOf(await clinic.visit())).toEqual([]);
  });

  it.each<[string, Record<string, string>, string, boolean]>([
    ["a proxy", { HTTPS_PROXY: "http://ana:secret@proxy.example:3128" }, "proxy", true],
    ["a proxy that it cannot go through", { HTTPS_PROXY: "socks5://proxy.example:1080" }, "bad-proxy", false],
    ["authorities that are not there", { NODE_EXTRA_CA_CERTS: "/nowhere/ca.pem" }, "ca-file-unreadable", false],
  ])("names %s between memd and the endpoint", async (_, env, code, ok) => {
    configure({});
    const findings = await clinic.visit({ env: { ANTHROPIC_API_KEY: KEY, ...env } });
    expect(found(findings, code)).toMatchObject({ ok });
    expect(JSON.stringify(findings)).not.toContain("secret");
  });

  it("says nothing of the network where there is nothing to say", async () => {
    configure({});
    const codes = (await clinic.visit({ env: { ANTHROPIC_API_KEY: KEY } })).map(({ code }) => code);
    expect(codes.filter((code) => /proxy|ca-file|batch/.test(code))).toEqual([]);
  });
});
