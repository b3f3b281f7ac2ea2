import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { chooseNode, loadsSqlite } from "../../src/service/choose-node.ts";
import { systemPrograms } from "../../src/service/programs.ts";
import { isPassing, managerOf, moverOf } from "../../src/service/versioned-path.ts";
import { hasSqlite } from "../support/sqlite.ts";
import type { Play } from "./world.ts";
import { PROJECT, played, type ServiceHome, serviceHome } from "./world.ts";

let home: ServiceHome;
beforeEach(() => {
  home = serviceHome();
});
afterEach(() => home.remove());

const VERSION = "22.1.0";
const answers =
  (version: string): Play =>
  (args) => ({ stdout: args[0] === "--version" ? `v${version}\n` : "" });

/** Nodes by path with their versions; those with `-` do not load SQLite. */
function choose(running: string, nodes: Readonly<Record<string, string>> = {}, named: string | null = null) {
  const plays = Object.fromEntries(
    Object.entries({ [running]: VERSION, ...nodes }).map(([path, version]): [string, Play] => [
      path,
      (args) => (args[0] === "-e" && version.startsWith("-") ? { status: 1 } : answers(version.replace("-", ""))(args)),
    ]),
  );
  const node = { path: running, version: VERSION };
  return chooseNode({ files: nodeFiles, programs: played(plays), node, base: home.root, temporary: null }, named);
}
const link = (from: string, to: string) => {
  const path = join(home.root, from);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(home.root, to), path);
  return path;
};

/** /usr/bin/node and the like are the host's own; which of them is there decides nothing below, as only played ones answer. */
const NO_SYSTEM = {};

describe("the node of the service", () => {
  it("is the running one where its path stays", async () => {
    expect(await choose("/usr/bin/node")).toMatchObject({ path: "/usr/bin/node", mover: null, chosen: false });
  });

  it("is Homebrew's own link, not the Cellar", async () => {
    const real = home.file("homebrew/Cellar/node@22/22.1.0/bin/node");
    link("homebrew/opt/node@22", "homebrew/Cellar/node@22/22.1.0");
    expect(await choose(real)).toMatchObject({ path: join(home.root, "homebrew/opt/node@22/bin/node"), mover: null });
  });

  it.each([
    ["nvm", ".nvm/versions/node/v22.1.0/bin/node"],
    ["fnm", ".local/share/fnm/node-versions/v22.1.0/installation/bin/node"],
    ["volta", ".volta/tools/image/node/22.1.0/bin/node"],
    ["asdf", ".asdf/installs/nodejs/22.1.0/bin/node"],
    ["mise", ".local/share/mise/installs/node/22.1.0/bin/node"],
    ["nodenv", ".nodenv/versions/22.1.0/bin/node"],
    ["one version alone", "apps/node-v22.1.0-linux-x64/bin/node"],
  ])("of %s is used with a warning where no other fits", async (mover, name) => {
    const real = home.file(name);
    expect(await choose(real, NO_SYSTEM)).toMatchObject({ path: real, mover });
  });

  it("is the manager's own link before the versioned path, one major version before all", async () => {
    const real = home.file(".local/share/mise/installs/node/22.1.0/bin/node");
    link(".local/share/mise/installs/node/latest", ".local/share/mise/installs/node/22.1.0");
    const major = link(".local/share/mise/installs/node/22", ".local/share/mise/installs/node/22.1.0");
    expect(await choose(real, NO_SYSTEM)).toMatchObject({ path: `${major}/bin/node`, mover: "mise" });
    const fnm = home.file(".fnm/node-versions/v22.1.0/installation/bin/node");
    const alias = link(".fnm/aliases/default", ".fnm/node-versions/v22.1.0/installation");
    expect(await choose(fnm, NO_SYSTEM)).toMatchObject({ path: `${alias}/bin/node`, mover: "fnm" });
  });

  it.skipIf(!nodeFiles.stat("/usr/bin/node"))(
    "is a supported one of the system before a versioned one, if it loads what the running one loads",
    async () => {
      const real = home.file(".nvm/versions/node/v22.1.0/bin/node");
      expect(await choose(real, { "/usr/bin/node": "20.19.0" })).toMatchObject({
        path: "/usr/bin/node",
        version: "20.19.0",
        mover: null,
        why: expect.stringContaining("nvm"),
      });
      expect(await choose(real, { "/usr/bin/node": "18.20.0" })).toMatchObject({ path: real, mover: "nvm" });
      expect(await choose(real, { "/usr/bin/node": "-22.0.0" })).toMatchObject({ path: real, mover: "nvm" });
    },
  );

  it("is the one that is named, and only if it runs and is new enough", async () => {
    const mine = "/opt/node/bin/node";
    expect(await choose("/usr/bin/node", { [mine]: "24.0.0" }, mine)).toMatchObject({
      path: mine,
      version: "24.0.0",
      chosen: true,
    });
    await expect(choose("/usr/bin/node", { [mine]: "18.0.0" }, mine)).rejects.toMatchObject({ code: "bad-node" });
    await expect(choose("/usr/bin/node", {}, mine)).rejects.toMatchObject({
      code: "bad-node",
      family: "misconfigured",
    });
  });
});

describe("the ledger's native part", () => {
  it("is tried with the node in question, from memd's own folder", async () => {
    const programs = systemPrograms({ PATH: process.env["PATH"] });
    expect(await loadsSqlite(programs, process.execPath, PROJECT)).toBe(hasSqlite);
    expect(await loadsSqlite(programs, process.execPath, home.root)).toBe(false);
    expect(await loadsSqlite(programs, join(home.root, "no-node"), PROJECT)).toBe(false);
  });
});

describe("paths that do not stay", () => {
  it.each([
    ["/home/a/.npm/_npx/ab12/node_modules/memd-daemon/dist/memd.js"],
    ["/tmp/memd/dist/memd.js"],
    ["/private/var/folders/x1/T/memd.js"],
    ["/home/a/.cache/pnpm/dlx-12/node_modules/memd-daemon/dist/memd.js"],
    ["/run/user/1000/fnm_multishells/12_34/bin/node"],
  ])("%s is emptied without asking", (path) => {
    expect(isPassing(path, null)).toBe(true);
  });

  it("a folder that TMPDIR names is another one; a home is not", () => {
    expect(isPassing("/scratch/me/memd.js", "/scratch/me")).toBe(true);
    expect(isPassing("/home/a/tmp/memd.js", null)).toBe(false);
  });

  it.each([
    ["/usr/bin/node", null],
    ["/opt/homebrew/opt/node@22/bin/node", null],
    ["/home/a/.nvm/versions/node/v20.20.2/bin/node", "nvm"],
    ["/home/a/.local/share/pnpm/global/5/.pnpm/memd-daemon@0.1.0/node_modules/memd-daemon/dist/memd.js", "pnpm"],
    ["/nix/store/abc-nodejs-22.1.0/bin/node", "Nix"],
    ["/snap/node/9876/bin/node", "snap"],
    ["/usr/local/lib/nodejs/node-v20.19.0-linux-x64/bin/node", "one version alone"],
    ["/home/a/project 2.0/node", null],
  ])("%s is moved by %s", (path, mover) => {
    expect(moverOf(path)).toBe(mover);
    expect(managerOf("/usr/bin/node")).toBe(null);
  });
});
