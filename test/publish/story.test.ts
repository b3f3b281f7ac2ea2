/** Publishing as a person does it, with the built program. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, talk, transcript } from "../support/home.ts";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");

let home: string;
let app: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "memd-publish-")));
  app = project("app", ["Bugs are tracked in the Linear project ORBIT."]);
  project("shop", ["Bugs are tracked in the Linear project HARBOR."]);
  memd(home, "dream", "--now");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function project(name: string, said: readonly string[]): string {
  const folder = join(home, "code", name);
  mkdirSync(join(folder, ".git"), { recursive: true });
  mkdirSync(join(folder, "web"));
  const sessions = join(home, ".claude", "projects", folder.replace(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(sessions, { recursive: true });
  const file = join(sessions, `${name}.jsonl`);
  writeFileSync(file, transcript(name, talk(said, Date.now() - DAY), folder));
  return folder;
}

function memd(cwd: string, ...args: string[]) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, TZ: "UTC" };
  return spawnSync(process.execPath, [MEMD, ...args], { env, cwd, encoding: "utf8" });
}

function json(cwd: string, ...args: string[]) {
  const { status, stdout } = memd(cwd, ...args, "--json");
  return { status, value: JSON.parse(stdout) };
}

const agents = () => join(app, "AGENTS.md");

describe("memd publish", () => {
  it("writes the memory of the project in which it is called, tells the run, and takes it back", () => {
    writeFileSync(agents(), "# Rules");
    const shown = memd(join(app, "web"), "publish", "--file", "AGENTS.md", "--dry-run");
    expect(shown.status).toBe(0);
    expect(shown.stdout).toContain("+- Bugs");
    expect(readFileSync(agents(), "utf8")).toBe("# Rules");
    const { status, value } = json(join(app, "web"), "publish", "--file", "AGENTS.md");
    expect(status).toBe(0);
    expect(value.published).toEqual([
      {
        store: "app",
        run: expect.stringMatching(/^\d{8}T/),
        files: [{ file: agents(), outcome: "updated", reason: null, message: null, hint: null }],
        block: { bytes: expect.any(Number), entries: 1, left: 0 },
      },
    ]);
    expect(readFileSync(agents(), "utf8")).toContain("ORBIT");
    expect(readFileSync(agents(), "utf8")).not.toContain("HARBOR");
    const { run } = value.published[0];
    expect(memd(app, "show", run, "--diff").stdout).toContain("+- Bugs");
    expect(json(home, "history").value.runs[0]).toMatchObject({ id: run, cause: "publish", outcome: "done" });
    expect(memd(app, "show", run).stdout).toContain(`${agents()} by memd publish`);
    const taken = memd(app, "undo", "last").stdout;
    expect(taken).toContain("Taken back");
    expect(taken).not.toContain("not proposed again");
    expect(readFileSync(agents(), "utf8")).toBe("# Rules");
    expect(json(home, "history").value.runs.find(({ id }: { id: string }) => id === run).outcome).toBe("undone");
  });

  it("says what to do where nothing was named, more than one store could be meant, or a file is missing", () => {
    expect(memd(app, "publish")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("memd publish --file AGENTS.md"),
    });
    expect(memd(home, "publish", "--file", "AGENTS.md")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--store: app, shop"),
    });
    expect(memd(app, "publish", "--file", "AGENTS.md")).toMatchObject({
      status: 6,
      stdout: expect.stringContaining("--create"),
    });
    expect(existsSync(agents())).toBe(false);
    expect(memd(home, "publish", "--store", "app", "--file", "AGENTS.md", "--create").status).toBe(0);
    expect(memd(app, "publish").stdout).toContain("as it was");
    expect(memd(app, "publish", "--remove").stdout).toContain("block taken out");
    expect(existsSync(agents())).toBe(false);
  });

  it("means the main checkout where it is called in a linked work tree", () => {
    const git = join(app, ".git", "worktrees", "feature");
    mkdirSync(git, { recursive: true });
    writeFileSync(join(git, "commondir"), "../..\n");
    const tree = join(home, "trees", "feature");
    mkdirSync(tree, { recursive: true });
    writeFileSync(join(tree, ".git"), `gitdir: ${git}\n`);
    writeFileSync(agents(), "# Rules\n");
    expect(memd(tree, "publish", "--file", "AGENTS.md").status).toBe(0);
    expect(readFileSync(agents(), "utf8")).toContain("ORBIT");
  });

  it("does not learn its own block back, and keeps it while dreams go on", () => {
    writeFileSync(agents(), "# Rules\n");
    memd(app, "publish", "--file", "AGENTS.md");
    const before = readFileSync(agents(), "utf8");
    project2("Deploys go through the Jenkins job release-app.");
    expect(json(home, "dream", "--now", "--store", "app").value.runs[0]).toMatchObject({ outcome: "done" });
    const after = readFileSync(agents(), "utf8");
    expect(after).toContain("release-app");
    expect(after).toContain("ORBIT");
    expect(after.startsWith("# Rules\n\n<!-- memd:begin")).toBe(true);
    memd(home, "undo", "last", "--store", "app");
    expect(readFileSync(agents(), "utf8")).toBe(before);
  });

  function project2(said: string): void {
    const sessions = join(home, ".claude", "projects", app.replace(/[^A-Za-z0-9]/g, "-"));
    writeFileSync(join(sessions, "later.jsonl"), transcript("later", talk([said], Date.now() - DAY / 2), app));
  }
});
