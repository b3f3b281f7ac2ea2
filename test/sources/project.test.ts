import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { isInside, projectRoots } from "../../src/sources/project.ts";
import { put, tempFolder, watchedFiles } from "./world.ts";

/** A main checkout with one linked worktree, as git lays them out. */
function repository() {
  const home = tempFolder();
  const main = join(home, "app");
  const worktree = join(home, "app-wt");
  const gitDir = join(main, ".git", "worktrees", "wt");
  put(join(gitDir, "commondir"), "../..\n");
  put(join(worktree, ".git"), `gitdir: ${gitDir}\n`);
  mkdirSync(join(main, "packages", "web"), { recursive: true });
  return { home, main, worktree, gitDir };
}

const rootOf = (cwd: string) => projectRoots(nodeFiles)(cwd);

describe("the project of a working directory", () => {
  it("is the git root, from any folder below it", () => {
    const { main } = repository();
    expect([rootOf(main), rootOf(join(main, "packages/web"))]).toEqual([main, main]);
  });

  it("is the main checkout for a linked worktree, pruned or not", () => {
    const { main, worktree, gitDir } = repository();
    expect(rootOf(worktree)).toBe(main);
    rmSync(gitDir, { recursive: true });
    expect(rootOf(worktree)).toBe(main);
  });

  it("is the main checkout for a worktree inside it that was removed", () => {
    const { main } = repository();
    expect(rootOf(join(main, ".claude", "worktrees", "gone", "src"))).toBe(main);
  });

  it("is the worktree's own folder when its repository is gone", () => {
    const { main, worktree } = repository();
    rmSync(main, { recursive: true });
    expect(rootOf(worktree)).toBe(worktree);
  });

  it("is the submodule itself, and the bare repository behind a worktree of one", () => {
    const { home, main } = repository();
    mkdirSync(join(main, ".git", "modules", "lib"), { recursive: true });
    put(join(main, "lib", ".git"), "gitdir: ../.git/modules/lib\n");
    expect(rootOf(join(main, "lib"))).toBe(join(main, "lib"));
    put(join(home, "bare.git", "worktrees", "wt", "commondir"), "../..\n");
    put(join(home, "wt2", ".git"), `gitdir: ${join(home, "bare.git", "worktrees", "wt")}\n`);
    expect(rootOf(join(home, "wt2"))).toBe(join(home, "bare.git"));
  });

  it("is the directory itself outside of any repository, also when it is gone", () => {
    const home = tempFolder();
    mkdirSync(join(home, "notes", "sub"), { recursive: true });
    expect(rootOf(join(home, "notes"))).toBe(join(home, "notes"));
    expect(rootOf(join(home, "notes", "sub"))).toBe(join(home, "notes", "sub"));
    expect(rootOf(join(home, "gone", "sub"))).toBe(join(home, "gone", "sub"));
  });

  it("keeps /a-b and /a/b apart", () => {
    const home = tempFolder();
    mkdirSync(join(home, "a-b", ".git"), { recursive: true });
    mkdirSync(join(home, "a", "b", ".git"), { recursive: true });
    expect(rootOf(join(home, "a-b"))).toBe(join(home, "a-b"));
    expect(rootOf(join(home, "a", "b", "sub"))).toBe(join(home, "a", "b"));
    expect([isInside("/a-b", "/a"), isInside("/a/b", "/a"), isInside("/a", "/a/"), isInside("/", "/")]).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it("is the real path behind a link", () => {
    const { home, main } = repository();
    symlinkSync(main, join(home, "link"));
    expect(rootOf(join(home, "link", "packages"))).toBe(main);
  });

  it("does not trust a .git file that is huge or says nothing", () => {
    const home = tempFolder();
    for (const content of ["", "gitdir:", "x".repeat(10_000)]) {
      put(join(home, "odd", ".git"), content);
      expect(rootOf(join(home, "odd"))).toBe(join(home, "odd"));
    }
  });

  it("is asked of the disk once per run", () => {
    const { worktree, main } = repository();
    const files = watchedFiles();
    const resolve = projectRoots(files);
    resolve(worktree);
    files.reset();
    expect([resolve(worktree), files.opened]).toEqual([main, []]);
  });
});
