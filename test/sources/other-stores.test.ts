/** Projects that clients other than Claude Code worked in, and the memory that their sessions feed. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkConfig } from "../../src/config/check.ts";
import { configOf } from "../../src/config/config.ts";
import { platformPaths } from "../../src/config/paths.ts";
import type { StoreCache } from "../../src/sources/claude-store.ts";
import { discover } from "../../src/steps/discover.ts";
import { conversation, jsonl, put, tempFolder, watchedFiles } from "./world.ts";

const meta = (cwd: string) =>
  jsonl([{ timestamp: "2026-03-02T09:00:00Z", type: "session_meta", payload: { id: "c0", cwd } }]);

function machine() {
  const home = tempFolder();
  const files = watchedFiles();
  const paths = platformPaths({}, "linux", home);
  const cache: StoreCache = new Map();
  const config = (raw: unknown) => configOf(checkConfig(raw, home).values);
  const codex = (day: string, cwd: string, id = "c0") =>
    put(join(home, `.codex/sessions/2026/03/${day}/rollout-2026-03-${day}T09-00-00-${id}.jsonl`), meta(cwd));
  const claude = (cwd: string) =>
    put(
      join(home, ".claude/projects", cwd.replace(/[^A-Za-z0-9]/g, "-"), "11.jsonl"),
      jsonl([conversation({ cwd }).user("Hi.")]),
    );
  const found = (raw: unknown = null) => discover(files, { paths, config: config(raw), cache });
  const inHome = (path: string) => path.slice(home.length + 1);
  return { home, files, codex, claude, found, inHome };
}

describe("sessions of other clients", () => {
  it("feed the store that Claude Code has for their project", async () => {
    const { home, codex, claude, found, inHome } = machine();
    claude("/srv/app");
    codex("02", "/srv/app");
    codex("03", "/srv/other");
    put(join(home, ".gemini/tmp/app/.project_root"), "/srv/app");
    put(join(home, ".gemini/tmp/app/chats/session-2026-03-02T09-00-ge.jsonl"), "{}\n");
    const [app] = (await found()).filter(({ project }) => project === "/srv/app");
    expect(app?.sessions.map(inHome)).toEqual([
      ".claude/projects/-srv-app",
      ".codex/sessions/2026/03/02",
      ".gemini/tmp/app/chats",
    ]);
    expect(app && inHome(app.memory)).toBe(".claude/projects/-srv-app/memory");
  });

  it("feed a store of their own where Claude Code does not know the project, under a name that stays", async () => {
    const { codex, found, inHome } = machine();
    codex("02", "/srv/app");
    const [alone] = await found();
    codex("03", "/home/sam/app", "c1");
    const both = await found();
    expect(both.map(({ name, project }) => [name, project])).toEqual([
      ["app", "/home/sam/app"],
      ["app", "/srv/app"],
    ]);
    expect(both[1]?.memory).toBe(alone?.memory);
    expect(alone && inHome(alone.memory)).toMatch(/^\.local\/share\/memd\/projects\/app-[0-9a-f]{8}\/memory$/);
    expect(both[0]?.memory).not.toBe(both[1]?.memory);
  });

  it("keep the memory that was begun for them when Claude Code comes to know the project", async () => {
    const { codex, claude, found } = machine();
    codex("02", "/srv/app");
    const [before] = await found();
    mkdirSync(before?.memory ?? "", { recursive: true });
    claude("/srv/app");
    const after = await found();
    expect(after.map(({ memory }) => memory)).toContain(before?.memory);
    expect(after).toHaveLength(2);
    expect(after.flatMap(({ sessions }) => sessions).filter((folder) => folder.includes(".codex"))).toHaveLength(1);
  });

  it("are not looked for when the configuration says so, and an unchanged tree opens nothing", async () => {
    const { codex, found, files } = machine();
    codex("02", "/srv/app");
    expect(await found({ discoverOthers: false })).toEqual([]);
    const first = await found();
    files.reset();
    expect(await found()).toEqual(first);
    expect(files.opened).toEqual([]);
  });
});
