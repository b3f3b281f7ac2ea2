import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkService } from "../../src/doctor/unit.ts";
import { install } from "../../src/service/install.ts";
import { type FakeSystemd, fakeSystemd } from "./systemctl.ts";
import { type ServiceHome, serviceHome } from "./world.ts";

let home: ServiceHome;
let systemd: FakeSystemd;
/** Neither is in a temporary folder, which no service starts anything from; the node is played, the script any file that is there. */
const NODE = "/opt/played/bin/node";
const SCRIPT = "/usr/bin/env";
const unit = () => join(home.root, ".config/systemd/user/memd.service");
beforeEach(async () => {
  home = serviceHome();
  systemd = fakeSystemd(unit());
  await install(world(), home.settings(), { node: null, dryRun: false, force: false });
});
afterEach(() => home.remove());

function world(version = "1.2.3", nodeVersion = "22.1.0") {
  const programs = {
    ...systemd.programs,
    run: async (file: string, args: readonly string[]) =>
      file === NODE ? { status: 0, stdout: `v${nodeVersion}\n`, stderr: "" } : systemd.programs.run(file, args),
    with: () => programs,
  };
  const host = { node: { path: NODE, version: "22.1.0" }, script: SCRIPT };
  return { ...home.world({ programs, host, env: {} }), version };
}
const look = (...args: Parameters<typeof world>) => checkService(world(...args), home.settings());
const wrongOnes = async (...args: Parameters<typeof world>) =>
  (await look(...args)).filter(({ ok }) => !ok).map(({ code, hint }) => [code, hint]);
const codes = async () => (await look()).map(({ code }) => code);
const edit = (from: string | RegExp, to: string) =>
  writeFileSync(unit(), readFileSync(unit(), "utf8").replace(from, to));

describe("doctor, of the service", () => {
  it("finds nothing wrong with a fresh one, and names how to have it run without a login", async () => {
    const findings = await look();
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: "no-linger",
        ok: true,
        hint: expect.stringContaining("sudo loginctl enable-linger ana"),
      }),
    );
  });

  it("has one remark where none is installed", async () => {
    rmSync(unit());
    expect(await look()).toEqual([expect.objectContaining({ code: "service-absent", ok: true })]);
  });

  it.each([
    ["its node is gone", () => edit(NODE, "/gone/node"), "service-node-missing", "memd service install"],
    [
      "its script is gone",
      () => edit(`${SCRIPT} daemon`, "/gone/memd.js daemon"),
      "service-script-missing",
      "memd service install",
    ],
    ["somebody else made it", () => edit(/^#.*\n/, ""), "unit-foreign", "Move it away"],
    [
      "it failed for good",
      () => Object.assign(systemd, { active: false, exits: 3 }),
      "service-failed",
      "memd service start",
    ],
    ["it is not enabled", () => Object.assign(systemd, { enabled: false }), "service-disabled", "memd service install"],
    [
      "a twin starts memd too",
      () => home.file(".config/systemd/user/mine.service", "[Service]\nExecStart=/usr/bin/node /x/memd.js daemon\n"),
      "service-duplicate",
      "mine.service",
    ],
    [
      "a drop-in holds a key",
      () => {
        mkdirSync(`${unit()}.d`);
        writeFileSync(join(`${unit()}.d`, "key.conf"), "[Service]\nEnvironment=ANTHROPIC_API_KEY=sk-ant-x\n");
      },
      "key-in-unit",
      "mode 0600",
    ],
  ])("finds that %s", async (_, spoil, code, hint) => {
    spoil();
    expect(await wrongOnes()).toContainEqual([code, expect.stringContaining(hint)]);
  });

  it("finds a unit of another memd, of an old node, and one for a systemd that was", async () => {
    expect(await wrongOnes("1.3.0")).toEqual([["unit-outdated", expect.stringContaining("memd service install")]]);
    expect(await wrongOnes("1.2.3", "18.0.0")).toEqual([["service-node-too-old", expect.any(String)]]);
    systemd.version = 257;
    expect((await wrongOnes()).map(([code]) => code)).toEqual(["unit-outdated"]);
  });

  it("only remarks on what a person may have wanted", async () => {
    edit("Nice=10", "Nice=5");
    expect(await codes()).toContain("unit-edited");
    Object.assign(systemd, { active: false });
    expect(await codes()).toContain("service-stopped");
    systemd.away = true;
    expect(await codes()).toContain("manager-unreachable");
    expect(await wrongOnes()).toEqual([]);
  });
});
