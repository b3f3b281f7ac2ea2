import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InstallRequest, install } from "../../src/service/install.ts";
import { installedManager, serviceReport } from "../../src/service/service.ts";
import { purge, uninstall } from "../../src/service/uninstall.ts";
import { directivesOf } from "../../src/service/unit-text.ts";
import type { ServiceHost } from "../../src/service/world.ts";
import { type FakeSystemd, fakeSystemd } from "./systemctl.ts";
import { type ServiceHome, serviceHome } from "./world.ts";

let home: ServiceHome;
let systemd: FakeSystemd;
const unit = () => join(home.root, ".config/systemd/user/memd.service");
beforeEach(() => {
  home = serviceHome();
  systemd = fakeSystemd(unit());
});
afterEach(() => home.remove());

interface Changes {
  readonly host?: Partial<ServiceHost>;
  readonly env?: Record<string, string>;
  readonly config?: unknown;
  readonly version?: string;
}
const world = ({ host, env, version = "1.2.3" }: Changes = {}) => ({
  ...home.world({ programs: systemd.programs, ...(host ? { host } : {}), ...(env ? { env } : {}) }),
  version,
});
const put = (request: Partial<InstallRequest> = {}, changes: Changes = {}) =>
  install(world(changes), home.settings(changes.config), { node: null, dryRun: false, force: false, ...request });
const text = () => readFileSync(unit(), "utf8");
const verbs = () =>
  systemd.programs.calls
    .filter((call) => / (?:daemon-reload|enable|restart|start|stop)(?: |$)/.test(call))
    .map((call) => call.replace("systemctl --user ", ""));

describe("memd service install", () => {
  it("writes the unit, enables and starts it; a second time touches nothing", async () => {
    expect(await put()).toMatchObject({
      action: "installed",
      path: unit(),
      node: { path: "/usr/bin/node", mover: null },
      state: { state: "running", enabled: true, pid: 42, text: "idle; 2 stores", since: 1_796_025_600_000 },
    });
    expect(verbs()).toEqual(["daemon-reload", "enable memd.service", "restart memd.service"]);
    expect(statSync(unit()).mode & 0o777).toBe(0o644);
    const mtime = statSync(unit()).mtimeMs;
    expect(await put()).toMatchObject({ action: "unchanged" });
    expect(verbs().length).toBe(3);
    expect(statSync(unit()).mtimeMs).toBe(mtime);
  });

  it("restarts once for a newer memd, and starts what was stopped", async () => {
    await put();
    expect(await put({}, { version: "1.3.0" })).toMatchObject({ action: "updated" });
    expect(verbs().filter((verb) => verb.startsWith("restart")).length).toBe(2);
    systemd.active = false;
    expect(await put({}, { version: "1.3.0" })).toMatchObject({ action: "unchanged", state: { state: "running" } });
  });

  it("shows the unit and changes nothing on a dry run, also where no manager can be reached", async () => {
    systemd.away = true;
    const shown = await put({ dryRun: true });
    expect(shown).toMatchObject({ action: "dry-run", state: null });
    expect(shown.text).toContain('ExecStart="/usr/bin/node"');
    expect([existsSync(unit()), existsSync(join(home.root, ".local"))]).toEqual([false, false]);
  });

  it("tells what to do where no manager can be reached", async () => {
    systemd.away = true;
    await expect(put()).rejects.toMatchObject({
      code: "no-service-manager",
      family: "misconfigured",
      hint: expect.stringMatching(
        /memd\.js daemon in the foreground.*crontab -e: \*\/30 \* \* \* \* \/usr\/bin\/node .* dream$/,
      ),
    });
    expect(existsSync(unit())).toBe(false);
  });

  it("shows what a person's edit would lose, and takes --force for a yes; drop-ins are nobody's business", async () => {
    await put();
    mkdirSync(`${unit()}.d`);
    writeFileSync(join(`${unit()}.d`, "mine.conf"), "[Service]\nNice=5\n");
    expect(await put()).toMatchObject({ action: "unchanged" });
    writeFileSync(unit(), text().replace("Nice=10", "Nice=5"));
    await expect(put()).rejects.toMatchObject({
      code: "edited-definition",
      message: expect.stringMatching(/^-Nice=5\n\+Nice=10$/m),
    });
    expect(text()).toContain("Nice=5");
    expect(await put({ force: true })).toMatchObject({ action: "updated" });
    expect(text()).toContain("Nice=10");
    home.file(".config/systemd/user/memd.service", "[Service]\nExecStart=/bin/other\n");
    await expect(put()).rejects.toMatchObject({ message: expect.stringContaining("was not made by memd") });
  });

  it("says what stopped it when the daemon does not come up", async () => {
    systemd.exits = 78;
    await expect(put()).rejects.toMatchObject({
      code: "service-misconfigured",
      family: "misconfigured",
      message: expect.stringContaining("exit status 78"),
    });
    systemd.exits = 1;
    await expect(put()).rejects.toMatchObject({ code: "service-failed", family: "unavailable" });
    systemd.exits = 4;
    await expect(put()).rejects.toMatchObject({ hint: expect.stringContaining("another daemon of this user") });
  });

  it("refuses what is emptied without asking, and shows it with a warning", async () => {
    const host = { script: "/home/ana/.npm/_npx/1a2b/node_modules/memd-daemon/dist/memd.js" };
    await expect(put({}, { host })).rejects.toMatchObject({
      code: "passing-path",
      hint: expect.stringContaining("npm install --global memd-daemon"),
    });
    expect((await put({ dryRun: true }, { host })).warnings.map(({ code }) => code)).toContain("passing-path");
  });

  it("starts the link that stays when the script's own path does not", async () => {
    const script = "/home/ana/.local/share/pnpm/global/5/.pnpm/memd-daemon@0.1.0/node_modules/memd-daemon/dist/memd.js";
    const called = "/home/ana/.local/bin/memd";
    expect((await put({ dryRun: true }, { host: { script, called } })).text).toContain(`${called} daemon`);
    const { warnings } = await put({ dryRun: true }, { host: { script } });
    expect(warnings).toContainEqual(expect.objectContaining({ code: "versioned-script" }));
  });

  it("keeps a node that was chosen until another is", async () => {
    const mine = "/opt/node/bin/node";
    const played = {
      ...systemd.programs,
      run: (file: string, args: readonly string[]) =>
        file.startsWith("/opt/")
          ? Promise.resolve({ status: 0, stdout: "v24.1.0\n", stderr: "" })
          : systemd.programs.run(file, args),
      with: () => played,
    };
    const as = (node: string | null) =>
      install({ ...world(), programs: played }, home.settings(), { node, dryRun: false, force: false });
    expect(await as(mine)).toMatchObject({ node: { path: mine, chosen: true, version: "24.1.0" } });
    expect(await as(null)).toMatchObject({ action: "unchanged", node: { path: mine } });
    expect(await as("/opt/other/node")).toMatchObject({ action: "updated", node: { path: "/opt/other/node" } });
  });

  it("passes on where things are, and no key", async () => {
    const env = {
      XDG_STATE_HOME: "/data/state",
      MEMD_CONFIG: "/etc/memd.yaml",
      CODEX_HOME: "relative",
      ANTHROPIC_API_KEY: "sk-ant-secret",
      HTTPS_PROXY: "http://me:pw@proxy",
    };
    const shown = await put({ dryRun: true }, { env, config: { dream: { distiller: "anthropic" } } });
    expect(directivesOf(shown.text, "Environment")).toEqual([
      '"MEMD_SERVICE=systemd"',
      '"PATH=/usr/bin:/usr/local/bin:/bin"',
      '"MEMD_CONFIG=/etc/memd.yaml"',
      '"XDG_STATE_HOME=/data/state"',
    ]);
    expect(JSON.stringify(shown)).not.toMatch(/sk-ant|pw@/);
    expect(shown.warnings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["key-not-in-service", "network-not-in-service"]),
    );
  });

  it.each<[string, Record<string, string>, Record<string, unknown>, readonly string[]]>([
    ["a key that nobody has", {}, { dream: { distiller: "anthropic" } }, ["no-key-for-service"]],
    [
      "the key that Claude Code is to spend",
      { ANTHROPIC_API_KEY: "sk-ant-secret" },
      { dream: { distiller: "claude" }, claude: { useKey: true } },
      ["key-not-in-service"],
    ],
    [
      "a token of Claude Code",
      { CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-secret", ANTHROPIC_API_KEY: "sk-ant-secret" },
      { dream: { distiller: "claude" } },
      ["token-not-in-service"],
    ],
    [
      "another endpoint, and the way to it",
      { ANTHROPIC_BASE_URL: "http://me:secret@127.0.0.1:1", https_proxy: "http://me:secret@proxy" },
      { dream: { distiller: "anthropic" }, model: { apiKeyFile: "/k" } },
      ["endpoint-not-in-service", "network-not-in-service"],
    ],
    ["nothing for the built-in rules", { ANTHROPIC_API_KEY: "sk-ant-secret", HTTPS_PROXY: "http://secret" }, {}, []],
    [
      "nothing where a command gives the key",
      { ANTHROPIC_API_KEY: "sk-ant-secret" },
      { dream: { distiller: "anthropic" }, model: { apiKeyCommand: ["pass", "x"] } },
      [],
    ],
  ])(
    "says that the service does not see %s, and how to give it, and copies no secret",
    async (_, env, config, codes) => {
      const shown = await put({ dryRun: true }, { env, config });
      const told = shown.warnings.filter(({ code }) => /-service$/.test(code));
      expect(told.map(({ code }) => code)).toEqual(codes);
      expect(JSON.stringify(shown)).not.toContain("secret");
    },
  );

  it("is silent about what a drop-in of the person's own gives", async () => {
    home.file(".config/systemd/user/memd.service.d/override.conf", "[Service]\nLoadCredential=anthropic-api-key:/k\n");
    const shown = await put({ dryRun: true }, { config: { dream: { distiller: "anthropic" } } });
    expect(shown.warnings.filter(({ code }) => /-service$/.test(code))).toEqual([]);
  });

  it("lets the daemon write the memories that there are, and hides what memd never needs, less what it does need", async () => {
    const memory = home.file("notes/memory/MEMORY.md").replace("/MEMORY.md", "");
    const settings = home.settings({ model: { apiKeyCommand: ["pass", "show", "memd"] }, discover: false }, [
      { memory },
      { memory: join(home.root, ".local/state/memd/deep") },
      { memory: join(home.root, ".kube/memory") },
    ]);
    const shown = await install(world(), settings, { node: null, dryRun: true, force: false });
    const below = (name: string) => `"-${join(home.root, name)}"`;
    expect(directivesOf(shown.text, "ReadWritePaths")).toEqual([
      below(".local/state/memd"),
      below("notes/memory"),
      below(".kube/memory"),
    ]);
    const hidden = directivesOf(shown.text, "InaccessiblePaths");
    expect(hidden).toContain(below(".ssh"));
    for (const name of [".kube", ".gnupg", ".password-store"]) expect(hidden).not.toContain(below(name));
    expect(directivesOf((await put({ dryRun: true })).text, "ReadWritePaths")).toEqual([
      below(".claude/projects"),
      below(".local/share/memd"),
      below(".local/state/memd"),
    ]);
  });

  it("warns of what needs a person: lingering, namespaces", async () => {
    systemd.namespaces = false;
    const shown = await put({ dryRun: true });
    expect(shown.warnings).toEqual([
      expect.objectContaining({ code: "no-user-namespaces" }),
      expect.objectContaining({ code: "no-linger", hint: expect.stringContaining("sudo loginctl enable-linger ana") }),
    ]);
    expect(shown.text).not.toContain("PrivateUsers=");
  });
});

describe("the installed service", () => {
  it("is told about without a change, and driven only when it is there", async () => {
    expect(await serviceReport(world())).toMatchObject({ installed: false, state: { state: "absent" } });
    await expect(installedManager(world())).rejects.toMatchObject({ code: "not-installed", family: "misconfigured" });
    await put();
    await (await installedManager(world())).stop();
    expect(await serviceReport(world())).toMatchObject({
      installed: true,
      version: "1.2.3",
      edited: false,
      state: { state: "stopped" },
    });
    systemd.away = true;
    expect(await serviceReport(world())).toMatchObject({ installed: true, state: null });
  });

  it("goes with its unit alone; what is not memd's stays, and memory whatever is asked", async () => {
    await put();
    expect(await uninstall(world())).toMatchObject({ action: "uninstalled", removed: [unit()] });
    expect([existsSync(unit()), systemd.active, systemd.enabled]).toEqual([false, false, false]);
    expect(await uninstall(world())).toMatchObject({ action: "absent", removed: [] });
    home.file(".config/systemd/user/memd.service", "[Service]\nExecStart=/bin/other\n");
    await expect(uninstall(world())).rejects.toMatchObject({ code: "foreign-definition" });
    const state = world().paths.state;
    expect(() => purge(world(), [join(state, "memory")])).toThrow(/lies in the state directory/);
    expect(existsSync(state)).toBe(true);
    purge(world(), [join(home.root, "memory")]);
    expect(existsSync(state)).toBe(false);
  });

  it("goes without a manager to ask, its enabling too", async () => {
    await put();
    systemd.away = true;
    expect(await uninstall(world())).toMatchObject({ action: "uninstalled" });
    expect(existsSync(unit())).toBe(false);
  });
});
