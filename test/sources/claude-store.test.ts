import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { discoverClaudeStores, encodeProject, type StoreCache } from "../../src/sources/claude-store.ts";
import { talk } from "./store-world.ts";
import { jsonl, put, tempFolder, watchedFiles } from "./world.ts";

describe("Claude Code's folder name for a path", () => {
  it.each([
    ["/home/dev/app", "-home-dev-app"],
    ["/a-b", "-a-b"],
    ["/a/b", "-a-b"],
    ["/home/dev/my_lib.v2", "-home-dev-my-lib-v2"],
    ["/home/dev/示例工程", "-home-dev-----"],
    ["/p/🧭", "-p---"],
    [`/${"x".repeat(199)}`, `-${"x".repeat(199)}`],
  ])("of %s is %s", (path, name) => {
    expect(encodeProject(path)).toBe(name);
  });

  it("keeps 200 characters of a longer path and a hash of the whole", () => {
    const [one, two] = [`/${"x".repeat(200)}1`, `/${"x".repeat(200)}2`];
    expect(encodeProject(one)).toMatch(/^-x{199}-[0-9a-z]{1,7}$/);
    expect(encodeProject(one)).not.toBe(encodeProject(two));
    // 31 * h + code over "ab" is 97 * 31 + 98 = 3105; the same sum over a long path, done with exact integers.
    let hash = 0n;
    for (const unit of one) hash = BigInt.asIntN(32, hash * 31n + BigInt(unit.charCodeAt(0)));
    expect(encodeProject(one)).toBe(`-${"x".repeat(199)}-${(hash < 0n ? -hash : hash).toString(36)}`);
  });
});

function home() {
  const root = tempFolder();
  const config = join(root, ".claude");
  const session = (cwd: string, id: string, folder = encodeProject(cwd)) =>
    put(join(config, "projects", folder, `${id}.jsonl`), jsonl(talk(id, ["one"], { cwd })));
  return { root, config, session, projects: join(config, "projects") };
}

describe("Claude Code's stores", () => {
  it("unite all folders of one repository, and keep strangers in one folder apart", async () => {
    const { root, config, session, projects } = home();
    mkdirSync(join(root, "app", ".git"), { recursive: true });
    mkdirSync(join(root, "app", "web"));
    session(join(root, "app"), "1");
    session(join(root, "app", "web"), "2");
    session(join(root, "x", "y"), "3");
    session(join(root, "x-y"), "4");
    put(join(projects, "empty", "memory", "MEMORY.md"), "");
    const stores = await discoverClaudeStores(watchedFiles(), config, { cache: new Map() });
    const shared = encodeProject(join(root, "x-y"));
    expect(stores).toEqual([
      {
        name: "app",
        project: join(root, "app"),
        memory: join(projects, encodeProject(join(root, "app")), "memory"),
        sessions: [encodeProject(join(root, "app")), encodeProject(join(root, "app", "web"))].map((name) =>
          join(projects, name),
        ),
      },
      {
        name: "x-y",
        project: join(root, "x-y"),
        memory: join(projects, shared, "memory"),
        sessions: [join(projects, shared)],
      },
      {
        name: "y",
        project: join(root, "x", "y"),
        memory: join(projects, shared, "memory"),
        sessions: [join(projects, shared)],
      },
    ]);
  });

  it("have names of their own", async () => {
    const { config, session } = home();
    session("/srv/app", "1");
    session("/home/app", "2");
    session("/lib", "3");
    session("/a/z/lib", "4");
    session("/b/z/lib", "5");
    const names = (await discoverClaudeStores(watchedFiles(), config, { cache: new Map() })).map(({ name }) => name);
    expect(new Set(names).size).toBe(5);
    expect(names).toEqual(expect.arrayContaining(["home-app", "srv-app"]));
  });

  it("are found again without opening a file, and learn from one that grew", async () => {
    const { config, session } = home();
    const path = session("/home/sam/app", "1");
    const files = watchedFiles();
    const cache: StoreCache = new Map();
    const first = await discoverClaudeStores(files, config, { cache });
    files.reset();
    expect(await discoverClaudeStores(files, config, { cache })).toEqual(first);
    expect(files.opened).toEqual([]);
    appendFileSync(path, jsonl(talk("1", ["two"], { cwd: "/home/sam/lib" })));
    expect((await discoverClaudeStores(files, config, { cache })).map(({ name }) => name)).toEqual(["app", "lib"]);
    expect(files.opened).toEqual([path]);
  });

  it("are none where Claude Code never ran", async () => {
    expect(await discoverClaudeStores(watchedFiles(), tempFolder(), { cache: new Map() })).toEqual([]);
  });
});
