/** The kernel's fence around Claude Code, tried from inside by a script that speaks as it does; real.test.ts has the real one. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cli, makeCli } from "../../support/cli.ts";

const BWRAP = ["--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "true"];
const HAS_BWRAP = spawnSync("bwrap", BWRAP).status === 0;
if (!HAS_BWRAP)
  process.stderr.write("\n*** NOT TESTED: Claude Code inside bubblewrap, which does not run here ***\n\n");

let cli: Cli;
beforeEach(() => {
  cli = makeCli();
});
afterEach(() => cli.remove());

const USAGE = `"usage":{"input_tokens":1000,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}`;

/** Tells by its own error, which memd passes on, what it could do. */
function install(): void {
  const { home } = cli;
  const script = `#!/bin/sh
[ "$1" = --version ] && { echo "2.1.332 (Claude Code)"; exit 0; }
did=""
can() { name="$1"; shift; "$@" 2>/dev/null && did="$did $name"; }
reads() ( read -r line <"$1" )
writes() ( echo >"$1" )
task=$(cat)
can task [ -n "$task" ]
can brief reads sessions/S1.txt
can credentials reads ${home}/.claude/.credentials.json
can state reads ${home}/.claude.json
can ssh reads ${home}/.ssh/id_ed25519
can memory reads ${home}/app/sessions/one.jsonl
can config reads ${home}/.config/memd/config.yaml
can wrote-home writes ${home}/wrote
can wrote-credentials writes ${home}/.claude/.credentials.json
can wrote-brief writes sessions/S1.txt
can wrote-tmp writes /tmp/wrote
can scratch writes "$CLAUDE_CODE_TMPDIR/one"
can others [ -e /proc/${process.pid}/environ ]
echo '{"type":"system","subtype":"init","model":"claude-sonnet-5-5","claude_code_version":"2.1.332"}'
echo '{"type":"system","subtype":"status","status":"requesting"}'
echo '{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["could:'"$did"'"],${USAGE},"total_cost_usd":0}'
`;
  writeFileSync(join(home, "claude"), script);
  chmodSync(join(home, "claude"), 0o755);
  for (const folder of [".claude", ".ssh"]) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, ".claude.json"), "{}\n");
  writeFileSync(join(home, ".ssh", "id_ed25519"), "private\n");
  signIn(Date.now() + 8 * 3_600_000);
}

function signIn(expiresAt: number): void {
  const login = { claudeAiOauth: { accessToken: "sk-ant-oat01-x", refreshToken: "sk-ant-ort01-x", expiresAt } };
  writeFileSync(join(cli.home, ".claude", ".credentials.json"), `${JSON.stringify(login)}\n`);
}

function configure(fence: string): void {
  cli.configure({
    discover: false,
    dream: { distiller: "claude", fence },
    claude: { path: join(cli.home, "claude"), model: "claude-sonnet-5-5" },
    stores: [cli.store("app", 2)],
  });
}

async function could(): Promise<readonly string[]> {
  const { value } = await cli.json("dream", "--now");
  const [run] = value.runs;
  const [, did = ""] = /could:([\w -]*)/.exec(run.reason) ?? [];
  return did.trim().split(" ");
}

const fenceFindings = async () =>
  (await cli.json("doctor")).value.checks.filter(({ code }: { code: string }) => /kernel-fence/.test(code));

describe.skipIf(!HAS_BWRAP)("Claude Code inside bubblewrap", () => {
  it.each(["auto", "required"])(
    "reads its task, the brief and its sign-in, and writes nowhere else (%s)",
    async (fence) => {
      install();
      configure(fence);
      expect(await could()).toEqual(["task", "brief", "credentials", "scratch"]);
      expect(existsSync(join(cli.home, "wrote"))).toBe(false);
      expect(readFileSync(join(cli.home, ".claude", ".credentials.json"), "utf8")).toContain("sk-ant-oat01-x");
      expect(await fenceFindings()).toMatchObject([{ code: "kernel-fence", ok: true }]);
    },
  );

  it("is left outside where its sign-in must be renewed first, or not run where the fence is required", async () => {
    install();
    signIn(Date.now() + 60_000);
    configure("auto");
    expect(await could()).toContain("wrote-home");
    signIn(Date.now() + 60_000);
    expect(await fenceFindings()).toMatchObject([
      { code: "no-kernel-fence", message: expect.stringContaining("claude setup-token") },
    ]);
    configure("required");
    expect((await cli.json("dream", "--now")).value.runs[0].code).toBe("no-kernel-fence");
  });

  it("needs no file of a sign-in where a token is handed on", async () => {
    install();
    signIn(Date.now() - 60_000);
    cli.env["CLAUDE_CODE_OAUTH_TOKEN"] = "sk-ant-oat01-0123456789";
    configure("required");
    expect(await could()).toEqual(["task", "brief", "scratch"]);
  });

  it("is left outside where the program does not start inside", async () => {
    install();
    const script = readFileSync(join(cli.home, "claude"), "utf8");
    writeFileSync(join(cli.home, "claude"), script.replace("#!/bin/sh", `#!/bin/sh\n. ${cli.home}/.ssh/rc || exit 3`));
    writeFileSync(join(cli.home, ".ssh", "rc"), "");
    configure("auto");
    expect(await could()).toContain("wrote-home");
    configure("required");
    expect((await cli.json("dream", "--now")).value.runs[0].code).toBe("no-kernel-fence");
  });
});
