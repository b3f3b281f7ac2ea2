import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { findKey, keySource, sourceText } from "../../src/config/api-key.ts";

const NEVER = new AbortController().signal;

function place() {
  const root = mkdtempSync(join(tmpdir(), "memd-key-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (name: string, text: string, mode = 0o600) => {
    const path = join(root, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };
  return { root, write };
}

interface Given {
  readonly env?: Record<string, string>;
  readonly file?: string | null;
  readonly command?: readonly string[];
}

const worldOf = ({ env = {}, file = null, command = [] }: Given) => ({
  files: nodeFiles,
  env,
  model: { apiKeyFile: file, apiKeyCommand: command },
});
const find = (given: Given, signal = NEVER) => findKey(worldOf(given), signal);
const node = (code: string) => [process.execPath, "-e", code];

describe("the key", () => {
  it("comes from the environment, then the systemd credential, then the file, then the command", async () => {
    const { root, write } = place();
    write("credentials/anthropic-api-key", "from-credential\n", 0o400);
    const all = {
      env: {
        ANTHROPIC_API_KEY: "from-key",
        ANTHROPIC_AUTH_TOKEN: "from-token",
        CREDENTIALS_DIRECTORY: join(root, "credentials"),
      },
      file: write("key", "from-file\n"),
      command: node("console.log('from-command')"),
    };
    expect(await find(all)).toMatchObject({ value: "from-key", kind: "key" });
    const { ANTHROPIC_API_KEY: _, ...token } = all.env;
    expect(await find({ ...all, env: token })).toMatchObject({ value: "from-token", kind: "token" });
    const { ANTHROPIC_AUTH_TOKEN: __, ...credential } = token;
    expect((await find({ ...all, env: credential })).value).toBe("from-credential");
    expect((await find({ ...all, env: {} })).value).toBe("from-file");
    expect((await find({ command: all.command })).value).toBe("from-command");
  });

  it("is not looked for in an empty variable, and a folder without the credential is passed by", async () => {
    const { root, write } = place();
    const env = { ANTHROPIC_API_KEY: "", CREDENTIALS_DIRECTORY: root };
    expect((await find({ env, file: write("key", "k") })).value).toBe("k");
  });

  it("is missing: every way to give one is named", async () => {
    const names = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "apiKeyFile", "apiKeyCommand", "anthropic-api-key"];
    const error = await find({}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "no-key", family: "misconfigured" });
    for (const name of names) expect(error).toMatchObject({ hint: expect.stringContaining(name) });
  });

  it.each([0o640, 0o604, 0o644, 0o660, 0o610])(
    "is refused from a file of mode %o, with the chmod that mends it",
    async (mode) => {
      const path = place().write("key", "sk-x", mode);
      await expect(find({ file: path })).rejects.toMatchObject({
        code: "key-file-open",
        family: "misconfigured",
        hint: expect.stringContaining(`chmod 600 ${path}`),
      });
    },
  );

  it("is read through a link, and the mode that counts is that of the file", async () => {
    const { root, write } = place();
    const path = write("real", "sk-x");
    symlinkSync(path, join(root, "link"));
    expect((await find({ file: join(root, "link") })).value).toBe("sk-x");
    chmodSync(path, 0o644);
    await expect(find({ file: join(root, "link") })).rejects.toMatchObject({ code: "key-file-open" });
  });

  it.each([
    ["a file that is not there", (root: string) => join(root, "nothing")],
    ["a folder", (root: string) => root],
  ])("cannot be read from %s", async (_, path) => {
    const { root } = place();
    chmodSync(root, 0o700);
    await expect(find({ file: path(root) })).rejects.toMatchObject({ code: "key-file-unreadable" });
  });

  it.each([
    ["", "empty"],
    ["\n\n", "empty"],
    ["a key with blanks", "blanks"],
    ["sk-\u00e4", "characters"],
    ["sk-a\u0000b", "characters"],
  ])("is no key when the file holds %j", async (text, why) => {
    const error = await find({ file: place().write("key", text) }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "key-unusable", message: expect.stringContaining(why) });
    if (text.trim() !== "") expect(JSON.stringify(error)).not.toContain(text.trim());
  });

  it("is the first line, whatever follows", async () => {
    expect((await find({ file: place().write("key", "  sk-x\r\nlogin: ana\n") })).value).toBe("sk-x");
  });

  it("is never in what is told of its source", () => {
    const source = keySource(worldOf({ env: { ANTHROPIC_API_KEY: "sk-secret" } }));
    expect(source && sourceText(source)).toBe("the environment (ANTHROPIC_API_KEY)");
    expect(JSON.stringify(source)).not.toContain("secret");
  });
});

describe("the command that prints the key", () => {
  it("runs without a shell, and without what a shell or an agent would hand on", async () => {
    const shown = "console.log(JSON.stringify(process.env).replace(/\\s/g,''))";
    const env = { PATH: "/bin", HOME: "/h", BW_SESSION: "s", NODE_OPTIONS: "--no-warnings", LD_PRELOAD: "" };
    const more = { CLAUDE_CODE: "1", MEMD_CONFIG: "x" };
    const { value } = await find({ env: { ...env, ...more }, command: node(shown) });
    expect(JSON.parse(value)).toMatchObject({ PATH: "/bin", HOME: "/h", BW_SESSION: "s" });
    expect(value).not.toMatch(/NODE_OPTIONS|LD_PRELOAD|CLAUDE|MEMD/);
    expect((await find({ command: [process.execPath, "-p", "process.argv[1]", "$(id)"] })).value).toBe("$(id)");
  });

  it.each([
    ["fails", node("console.log('sk-half'); process.exit(3)"), "exit code 3"],
    ["is killed", node("process.kill(process.pid, 'SIGKILL')"), "signal SIGKILL"],
    ["is not there", ["/nowhere/op", "read"], "no such program"],
    ["floods", node("process.stdout.write('x'.repeat(1e6)); setInterval(() => {}, 1e3)"), "prints too much"],
  ])("%s: that is said, and nothing of what it printed", async (_, command, why) => {
    const error = await find({ command }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "key-command-failed", message: expect.stringContaining(why) });
    expect(JSON.stringify(error)).not.toContain("sk-half");
  });

  it("is ended with all that it started when the run is interrupted", async () => {
    const abort = new AbortController();
    const { root } = place();
    const code = `require("fs").writeFileSync(${JSON.stringify(join(root, "pid"))}, String(process.pid)); setInterval(() => {}, 1e3)`;
    const found = find({ command: node(code) }, abort.signal);
    while (nodeFiles.stat(join(root, "pid")) === null) await new Promise((next) => setImmediate(next));
    abort.abort(new Error("enough"));
    await expect(found).rejects.toThrow("enough");
  });
});
