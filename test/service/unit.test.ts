import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Definition } from "../../src/service/definition.ts";
import { type Features, featuresOf } from "../../src/service/features.ts";
import { readSeal } from "../../src/service/seal.ts";
import { readUnit, renderUnit } from "../../src/service/unit.ts";
import { directivesOf } from "../../src/service/unit-text.ts";
import { PROJECT } from "./world.ts";

const TEMPLATE = readFileSync(join(PROJECT, "systemd/memd.service"), "utf8");
const SYSTEM = join(PROJECT, "systemd/memd@.service");
const OLD = featuresOf({ version: 252, namespaces: true, notifySocket: "/run/user/1000/systemd/notify" });
const NEW = featuresOf({ version: 257, namespaces: true, notifySocket: "/run/user/1000/systemd/notify" });
const BARE = featuresOf({ version: 252, namespaces: false, notifySocket: null });

const DEFINITION: Definition = {
  version: "1.2.3",
  node: "/usr/bin/node",
  nodeChosen: false,
  script: "/usr/lib/node_modules/memd-daemon/dist/memd.js",
  home: "/home/ana",
  state: "/home/ana/.local/state/memd",
  env: { MEMD_SERVICE: "systemd", PATH: "/usr/bin:/usr/local/bin:/bin" },
  writable: ["/home/ana/.claude/projects", "/home/ana/.local/state/memd"],
  hidden: ["/home/ana/.ssh"],
};
const ODD = "/home/home dir/100% 用户 $x";

const render = (changes: Partial<Definition> = {}, features: Features = OLD) =>
  renderUnit(TEMPLATE, { ...DEFINITION, ...changes }, features);

describe("the user unit", () => {
  it.each([
    ["systemd 252", OLD, "unit-252.service"],
    ["systemd 257", NEW, "unit-257.service"],
    ["a system without user namespaces", BARE, "unit-bare.service"],
  ])("for %s is the one that was looked at", async (_, features, file) => {
    await expect(render({}, features)).toMatchFileSnapshot(`../fixtures/service/${file}`);
  });

  it("starts an absolute node and script, and doubles what systemd would expand", () => {
    const unit = render({ node: `${ODD}/node`, script: `${ODD}/memd.js`, env: { HOME: ODD }, writable: [ODD] });
    expect(directivesOf(unit, "ExecStart")[0]).toBe(
      `"/home/home dir/100%% 用户 $x/node" --max-semi-space-size=1 --max-old-space-size=512 "/home/home dir/100%% 用户 $$x/memd.js" daemon`,
    );
    expect(directivesOf(unit, "Environment")).toEqual([`"HOME=/home/home dir/100%% 用户 $x"`]);
    expect(directivesOf(unit, "ReadWritePaths")).toEqual([`"-/home/home dir/100%% 用户 $x"`]);
    expect(readUnit(unit)).toEqual({ node: `${ODD}/node`, script: `${ODD}/memd.js`, nodeChosen: false });
  });

  it.each([`/opt/it's/node`, `/opt/"node"`, "/opt/a\\b/node", "/opt/a\nb", "node"])("refuses the path %j", (path) => {
    expect(() => render({ node: path })).toThrow(/cannot stand in a service definition/);
    expect(() => render({ script: path })).toThrow(/cannot stand in a service definition/);
    expect(() => render({ writable: [path] })).toThrow(/cannot stand in a service definition/);
  });

  it("asks only what the systemd found knows", () => {
    expect(directivesOf(render(), "OpenFile")).toEqual([]);
    expect(directivesOf(render(), "RestartSteps")).toEqual([]);
    expect(directivesOf(render(), "NotifyAccess")).toEqual(["all"]);
    expect(directivesOf(render({}, NEW), "OpenFile")).toEqual(["/run/user/1000/systemd/notify:notify"]);
    expect(directivesOf(render({}, NEW), "NotifyAccess")).toEqual(["main"]);
    expect(directivesOf(render({}, BARE), "ProtectHome")).toEqual([]);
    expect(directivesOf(render({}, BARE), "NoNewPrivileges")).toEqual(["yes"]);
  });

  it("carries a seal that one changed byte breaks", () => {
    const unit = render();
    expect(readSeal(unit)).toEqual({ version: "1.2.3", intact: true });
    expect(readSeal(unit.replace("Nice=10", "Nice=11"))).toEqual({ version: "1.2.3", intact: false });
    expect(readSeal(TEMPLATE)).toBe(null);
  });
});

const ANALYZE = spawnSync("systemd-analyze", ["--version"]).status === 0;
if (!ANALYZE) process.stderr.write("\n*** NOT TESTED: units by systemd-analyze, which is not installed ***\n\n");

describe.skipIf(!ANALYZE)("to systemd-analyze", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "memd-unit-"));
    mkdirSync(join(folder, "run/systemd"), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const analyze = (...args: string[]) => {
    const env = { ...process.env, XDG_RUNTIME_DIR: join(folder, "run"), SYSTEMD_COLORS: "0" };
    const { status, stdout, stderr } = spawnSync("systemd-analyze", args, { env, encoding: "utf8" });
    return { status, stdout, stderr };
  };
  const written = (text: string, name = "memd.service") => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  /** Verify complains of a program that is not there. */
  const withNode = (text: string) => text.replace(/^ExecStart="[^"]*"/m, `ExecStart="${process.execPath}"`);
  const SILENT = { status: 0, stdout: "", stderr: "" };

  it("the unit and the template are nothing to complain about, as they are shipped", () => {
    expect(analyze("--user", "verify", written(withNode(TEMPLATE)))).toEqual(SILENT);
    expect(analyze("verify", written(withNode(readFileSync(SYSTEM, "utf8")), "memd@.service"))).toEqual(SILENT);
  });

  it.each([
    ["a plain home", {}],
    ["an odd home", { script: `${ODD}/memd.js`, env: { HOME: ODD }, writable: [ODD], hidden: [ODD] }],
  ])("nor is the rendered unit of %s", (_, changes) => {
    expect(analyze("--user", "verify", written(withNode(render(changes))))).toEqual(SILENT);
  });

  it("the exposure is at most 5.6 for the user unit and 2.0 for the template", () => {
    const within = (most: number, path: string) =>
      analyze("security", "--offline=yes", "--no-pager", `--threshold=${most}`, path).status;
    expect(within(56, written(render()))).toBe(0);
    expect(within(20, SYSTEM)).toBe(0);
    expect(within(1, SYSTEM)).not.toBe(0);
  });
});
