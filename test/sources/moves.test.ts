/** Projects whose folders are gone: followed where git or a trace leads, and nowhere else. */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import type { Store } from "../../src/ports.ts";
import { encodeProject } from "../../src/sources/claude-store.ts";
import { type Identities, identityOf, movesOf } from "../../src/sources/moves.ts";
import { projectRoots } from "../../src/sources/project.ts";
import { surveySources } from "../../src/steps/sources.ts";
import { storeWorld, talk, turnTexts } from "./store-world.ts";
import { live, put, tempFolder } from "./world.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";

/** As `git clone` leaves it. @param at when, which no two clones share */
function clone(root: string, { remote = "https://git.example/acme/app.git", at = 1 } = {}): string {
  put(
    join(root, ".git/logs/HEAD"),
    `${"0".repeat(40)} ${SHA} Ana <a@b.c> ${1_772_442_000 + at} +0100\tclone: from ${remote}\n`,
  );
  put(join(root, ".git/config"), `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${remote}\n\tfetch = +refs\n`);
  return root;
}

function rootsOf(roots: readonly string[], known: Identities = new Map()) {
  const moves = movesOf(nodeFiles, roots, known);
  return projectRoots(nodeFiles, moves);
}

describe("a project whose folder is gone", () => {
  it("is the repository that lists it as a worktree, also inside another repository", () => {
    const home = tempFolder();
    mkdirSync(join(home, ".git"));
    const app = clone(join(home, "code/app"));
    put(join(app, ".git/worktrees/wt/gitdir"), `${join(home, "code/app-wt/.git")}\n`);
    const rootOf = rootsOf([app, home]);
    expect([rootOf(join(home, "code/app-wt")), rootOf(join(home, "code/app-wt/src"))]).toEqual([app, app]);
    expect(rootOf(join(home, "code/app-wt2"))).toBe(home);
  });

  it("is the repository that it was a worktree of, though git has removed it, and that repository has moved since", () => {
    const home = tempFolder();
    const known: Identities = new Map();
    const app = clone(join(home, "app"));
    const worktree = join(home, "app-wt");
    const git = put(join(app, ".git/worktrees/wt/gitdir"), `${worktree}/.git\n`);
    put(join(app, ".git/worktrees/wt/commondir"), "../..\n");
    put(join(worktree, ".git"), `gitdir: ${dirname(git)}\n`);
    expect(rootsOf([app], known)(worktree)).toBe(app);
    for (const folder of [worktree, dirname(git)]) rmSync(folder, { recursive: true });
    expect(rootsOf([app], known)(join(worktree, "src"))).toBe(app);
    const now = join(home, "shop");
    renameSync(app, now);
    expect(rootsOf([now], known)(worktree)).toBe(now);
    // Another repository in its place is that one.
    expect(rootsOf([now, clone(worktree, { at: 9 })], known)(worktree)).toBe(worktree);
    rmSync(worktree, { recursive: true });
    expect(rootsOf([now], known)(worktree)).toBe(worktree);
  });

  it("is not what another repository only says to be its worktree", () => {
    const home = tempFolder();
    const known: Identities = new Map();
    const own = clone(join(home, "own"), { remote: "https://git.example/a/own" });
    const other = clone(join(home, "other"), { remote: "https://git.example/b/other", at: 2 });
    put(join(other, ".git/worktrees/wt/gitdir"), `${own}/.git\n`);
    expect(rootsOf([own, other], known)(own)).toBe(own);
    rmSync(own, { recursive: true });
    expect(rootsOf([other], known)(own)).toBe(own);
  });

  it("is followed when it was renamed or moved", () => {
    const home = tempFolder();
    const known: Identities = new Map();
    const old = clone(join(home, "app"));
    rootsOf([old], known);
    const now = join(home, "elsewhere/shop");
    mkdirSync(join(home, "elsewhere"));
    renameSync(old, now);
    expect(rootsOf([now], known)(join(old, "src"))).toBe(now);
    // Noted for good: a later look follows it again.
    expect(rootsOf([now], known)(old)).toBe(now);
  });

  it("is followed to the one clone of the same name and remote, however that is written", () => {
    const home = tempFolder();
    const known: Identities = new Map();
    const old = clone(join(home, "old/app"), { remote: "git@git.example:acme/app.git" });
    rootsOf([old], known);
    rmSync(old, { recursive: true });
    const anew = clone(join(home, "new/app"), { remote: "https://ana:secret@git.example/acme/app/", at: 2 });
    const fork = clone(join(home, "new/shop"), { remote: "git@git.example:acme/app.git", at: 3 });
    expect(rootsOf([anew, fork], known)(old)).toBe(anew);
    const second = clone(join(home, "third/app"), { at: 4 });
    expect(rootsOf([anew, second], known)(old)).toBe(old);
    expect(JSON.stringify([...known])).not.toContain("secret");
  });

  it("stays what it was where no trace leads on, or the trace leads to two", () => {
    const home = tempFolder();
    mkdirSync(join(home, ".git"));
    const known: Identities = new Map();
    const old = clone(join(home, "app"), { remote: "https://git.example/a/app" });
    rootsOf([old, home], known);
    rmSync(old, { recursive: true });
    const other = clone(join(home, "x/app"), { remote: "https://git.example/b/app", at: 2 });
    expect(rootsOf([other, home], known)(join(old, "src"))).toBe(old);
    const [one, two] = [join(home, "c1"), join(home, "c2")].map((copy) => clone(copy));
    const twice: Identities = new Map([[old, { log: identityOf(nodeFiles, one ?? "")?.log ?? null, remote: null }]]);
    expect(rootsOf([one ?? "", two ?? ""], twice)(old)).toBe(old);
  });

  it("is itself again when it is there again", () => {
    const home = tempFolder();
    const known: Identities = new Map();
    const old = clone(join(home, "app"));
    rootsOf([old], known);
    const now = join(home, "shop");
    renameSync(old, now);
    const moves = movesOf(nodeFiles, [now], known);
    mkdirSync(old);
    expect(projectRoots(nodeFiles, moves)(old)).toBe(old);
  });
});

describe("what feeds a store", () => {
  const store = (over: Partial<Store>): Store => ({
    name: "app",
    layout: "claude-code",
    memory: "/m",
    sessions: [tempFolder()],
    logs: [],
    project: null,
    paused: false,
    state: "/s",
    ...over,
  });
  const codes = async (over: Partial<Store>) => {
    const views = await surveySources(nodeFiles, [store(over)], { formats: [], signal: live() });
    return views.flatMap(({ problems }) => problems.map(({ code }) => code));
  };

  it("says when its project is gone and nobody knows where", async () => {
    const here = tempFolder();
    expect(await codes({ project: join(here, "gone") })).toEqual(["project-gone"]);
    expect(await codes({ project: here })).toEqual([]);
  });

  it("says where an agent left the memory of a project that was moved", async () => {
    const projects = tempFolder();
    const [from, project] = ["/srv/app", tempFolder()];
    const memory = join(projects, encodeProject(project), "memory");
    expect(await codes({ project, memory, formerly: [from] })).toEqual([]);
    put(join(projects, encodeProject(from), "memory/limits.md"), "- x\n");
    expect(await codes({ project, memory, formerly: [from] })).toEqual(["memory-left-behind"]);
  });

  it("takes the words of its earlier places as its own", async () => {
    const world = storeWorld();
    const project = tempFolder();
    world.session("-a/a.jsonl", 2, talk("a", ["one"], { cwd: "/srv/old/src" }));
    world.session("-b/b.jsonl", 3, talk("b", ["two"], { cwd: "/srv/older" }));
    const collected = await world.collect({ project, formerly: ["/srv/old"] });
    expect(turnTexts(collected)).toEqual(["one"]);
    expect(collected.sessions.dropped).toEqual({ "other-project": 1 });
  });
});
