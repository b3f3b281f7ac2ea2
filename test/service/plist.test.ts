import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Definition } from "../../src/service/definition.ts";
import { LABEL, readPlist, renderPlist } from "../../src/service/plist.ts";
import { readSeal } from "../../src/service/seal.ts";
import { PROJECT } from "./world.ts";

const TEMPLATE = readFileSync(join(PROJECT, "launchd", `${LABEL}.plist`), "utf8");
const DTD = join(PROJECT, "test/fixtures/service/plist.dtd");
const ODD = "/Users/home dir/100% 用户 $x & <y>";
const DEFINITION: Definition = {
  version: "1.2.3",
  node: "/usr/local/bin/node",
  nodeChosen: false,
  script: "/usr/local/lib/node_modules/memd-daemon/dist/memd.js",
  home: "/Users/ana",
  state: "/Users/ana/Library/Application Support/memd/state",
  env: { MEMD_SERVICE: "launchd", PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" },
  writable: [],
  hidden: [],
};
const render = (changes: Partial<Definition> = {}) => renderPlist(TEMPLATE, { ...DEFINITION, ...changes });

const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const PYTHON = has("python3", "-c", "import plistlib");
const XMLLINT = has("xmllint", "--version");
for (const [there, name] of [
  [PYTHON, "python3"],
  [XMLLINT, "xmllint"],
] as const)
  if (!there) process.stderr.write(`\n*** NOT TESTED: the plist by ${name}, which is not installed ***\n\n`);

/** What another parser than ours reads. */
function parsed(text: string): Record<string, unknown> {
  const script = "import plistlib,json,sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
  const { stdout, stderr } = spawnSync("python3", ["-c", script], { input: text, encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

describe("the LaunchAgent", () => {
  it("is the one that was looked at", async () => {
    await expect(render()).toMatchFileSnapshot("../fixtures/service/agent.plist");
  });

  it.runIf(XMLLINT).each([
    ["as it is shipped", TEMPLATE],
    ["for a plain home", render()],
    ["for an odd home", render({ home: ODD, node: `${ODD}/node`, env: { HOME: ODD }, nodeChosen: true })],
  ])("is a property list by its grammar, %s", (_, text) => {
    const valid = (xml: string) =>
      spawnSync("xmllint", ["--noout", "--nonet", "--dtdvalid", DTD, "-"], { input: xml, encoding: "utf8" }).status;
    expect(valid(text)).toBe(0);
    expect(valid(text.replace("<true/>", "<yes/>"))).not.toBe(0);
  });

  it.runIf(PYTHON)("tells launchd what it needs, in the kinds that it takes", () => {
    const agent = parsed(render());
    expect(agent).toMatchObject({
      Label: LABEL,
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 10,
      ExitTimeOut: 30,
      ProcessType: "Background",
      LowPriorityIO: true,
      LowPriorityBackgroundIO: true,
      Nice: 10,
      Umask: 0o077,
      SoftResourceLimits: { NumberOfFiles: 4_096 },
      WorkingDirectory: "/Users/ana",
      EnvironmentVariables: DEFINITION.env,
    });
    expect(agent["ProgramArguments"]).toEqual([
      "/usr/local/bin/node",
      "--max-semi-space-size=1",
      "--max-old-space-size=512",
      DEFINITION.script,
      "daemon",
    ]);
    expect(agent["StandardErrorPath"]).toBe(`${DEFINITION.state}/logs/launchd.log`);
    // No shell, no watch that loses events, no secret.
    expect(Object.keys(agent).filter((key) => /WatchPaths|Program$|KEY|TOKEN|SECRET/.test(key))).toEqual([]);
  });

  it.runIf(PYTHON)("carries every path and value as it is", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab $%;&<>`~#|*?-=@:/用户é😀]"), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (words) => {
        const env = Object.fromEntries(words.map((word, n) => [`V${n}`, word]));
        const [script] = words.map((word) => `/Users/a/${word}/memd.js`);
        const rendered = render({ env, script: script ?? "" });
        const agent = parsed(rendered);
        expect(agent["EnvironmentVariables"]).toEqual(env);
        expect(agent["ProgramArguments"]).toContain(script);
        expect(readPlist(rendered)).toEqual({ node: DEFINITION.node, script, nodeChosen: false });
      }),
      { numRuns: 25, seed: 5 },
    );
  });

  it("refuses a path that no plist could hold", () => {
    expect(() => render({ node: "/opt/a\u0007b" })).toThrow(/cannot stand/);
    expect(() => render({ home: "Users/ana" })).toThrow(/cannot stand/);
  });

  it("remembers that its node was chosen, and carries a seal", () => {
    const text = render({ nodeChosen: true });
    expect(readPlist(text).nodeChosen).toBe(true);
    expect(readSeal(text)).toEqual({ version: "1.2.3", intact: true });
    expect(readSeal(text.replace("<integer>30<", "<integer>31<"))).toEqual({ version: "1.2.3", intact: false });
  });
});
