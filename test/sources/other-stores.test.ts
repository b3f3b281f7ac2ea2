/** Projects that clients other than Claude Code worked in, and the memory that their sessions feed. */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { checkConfig } from "../../src/config/check.ts";
import { configOf } from "../../src/config/config.ts";
import { platformPaths } from "../../src/config/paths.ts";
import { rememberStore, type StoreSpec, saveRegistry } from "../../src/config/stores.ts";
import type { Store } from "../../src/ports.ts";
import type { StoreCache } from "../../src/sources/claude-store.ts";
import type { Identities } from "../../src/sources/moves.ts";
import { foldersOfOthers } from "../../src/sources/other-stores.ts";
import { discover } from "../../src/steps/discover.ts";
import { surveySources } from "../../src/steps/sources.ts";
import { describeWithSqlite } from "../support/sqlite.ts";
import { openclaw } from "./openclaw-world.ts";
import { opencode } from "./opencode-world.ts";
import { conversation, jsonl, live, put, tempFolder, watchedFiles } from "./world.ts";

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
  const identities: Identities = new Map();
  const found = (raw: unknown = null) => discover(files, { paths, config: config(raw), cache, identities });
  const inHome = (path: string) => path.slice(home.length + 1);
  return { home, files, paths, codex, claude, found, inHome };
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
    const { home, files, codex, claude, found, inHome } = machine();
    codex("02", "/srv/app");
    const [before] = await found();
    mkdirSync(before?.memory ?? "", { recursive: true });
    claude("/srv/app");
    const after = await found();
    expect(after).toMatchObject([{ project: "/srv/app", memory: before?.memory }]);
    expect(after[0]?.sessions.map(inHome)).toEqual([".claude/projects/-srv-app", ".codex/sessions/2026/03/02"]);
    const told = async (stores: readonly StoreSpec[]) => {
      const views = await surveySources(
        files,
        stores.map((spec) => ({ ...spec, state: "" })),
        { formats: [], signal: live() },
      );
      return views.flatMap(({ problems }) => problems.map(({ code }) => code));
    };
    expect(await told(before ? [before] : [])).toEqual(["project-gone"]);
    expect(await told(after)).toEqual(["project-gone", "memory-not-loaded"]);
  });

  it("of two projects whose folders Claude Code calls alike have a memory each, which stays theirs", async () => {
    const { home, files, paths, claude, codex, found } = machine();
    const [dashed, nested] = [join(home, "a-b"), join(home, "a/b")];
    for (const folder of [dashed, nested]) mkdirSync(folder, { recursive: true });
    const memories = async () => new Map((await found()).map(({ project, memory }) => [project, memory]));
    claude(nested);
    const stores = await found();
    const loaded = stores[0]?.memory ?? "";
    expect(loaded).toContain(".claude/projects/");
    saveRegistry(files, paths, stores, "t");
    // Sorted before the other one, and new.
    put(join(dirname(loaded), "22.jsonl"), jsonl([conversation({ cwd: dashed }).user("Hi.")]));
    codex("02", dashed);
    const both = await memories();
    expect(both.get(nested)).toBe(loaded);
    expect(both.get(dashed)).toMatch(/memd\/projects\/a-b-[0-9a-f]{8}\/memory$/);
    const [own] = (await found()).filter(({ project }) => project === dashed);
    expect(own?.sessions).toHaveLength(2);
    // The other one's sessions are gone, but what was remembered of it is not.
    rmSync(join(dirname(loaded), "11.jsonl"));
    rememberStore(files, { ...stores[0], memory: loaded, state: join(paths.state, "stores/x") } as Store, "t");
    saveRegistry(files, paths, [], "t");
    mkdirSync(loaded);
    expect(await memories()).toEqual(new Map([[dashed, both.get(dashed)]]));
    // Without a trace of the other project this may be itself, renamed.
    rmSync(nested, { recursive: true });
    expect(await memories()).toEqual(new Map([[dashed, loaded]]));
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

  it("of a project that was moved feed the store that it has now, in the memory that was begun", async () => {
    const { home, codex, claude, found } = machine();
    const repository = (root: string) => put(join(root, ".git/logs/HEAD"), `${"0".repeat(40)} ${"a".repeat(40)} Ana\n`);
    const [old, now] = [join(home, "code/app"), join(home, "code/shop")];
    repository(old);
    codex("02", old);
    const [before] = await found();
    mkdirSync(before?.memory ?? "", { recursive: true });
    renameSync(old, now);
    codex("03", now, "c1");
    expect(await found()).toMatchObject([{ name: "shop", project: now, memory: before?.memory, formerly: [old] }]);
    claude(join(home, "code/gone"));
    const stores = await found();
    expect(stores.map(({ project }) => project)).toEqual([join(home, "code/gone"), now]);
    expect(stores[1]?.sessions).toHaveLength(2);
  });

  it("of Codex are found when they were packed, also by a Node that cannot unpack them", async () => {
    const { home, codex, files } = machine();
    const path = codex("02", "/srv/app");
    const look = (cache: StoreCache, unzstd: typeof unpack | null) =>
      foldersOfOthers(files, { roots: [join(home, ".codex/sessions")], cache, unzstd });
    const unpack = (packed: Buffer) => gunzipSync(packed);
    const cache: StoreCache = new Map();
    const plain = await look(cache, null);
    put(`${path}.zst`, gzipSync(meta("/srv/app")));
    rmSync(path);
    expect(await look(cache, null)).toEqual(plain);
    expect(await look(new Map(), null)).toEqual(new Map());
    expect(await look(new Map(), unpack)).toEqual(plain);
  });

  it("of a described format feed the project that their records name, wherever its field stands", async () => {
    const { home, found } = machine();
    const said = { role: "user", content: "Hi.", env: { dir: "/srv/app" } };
    put(join(home, "acme/a.jsonl"), jsonl([said]));
    const formats = [{ name: "acme", folders: ["~/acme"], cwd: "env.dir" }];
    expect(await found({ formats })).toMatchObject([{ project: "/srv/app", sessions: [join(home, "acme")] }]);
  });
});

describeWithSqlite("sessions in a database", () => {
  it("feed the project they worked in; the folder around the database is not searched again", async () => {
    const { home, found, codex } = machine();
    const open = opencode(join(home, ".local/share/opencode/opencode.db"));
    open.session({ directory: "/srv/app" });
    open.session({ id: "ses_2", directory: "/srv/other" });
    open.session({ id: "ses_3", directory: "/srv/sub", parent: "ses_1" });
    const claw = openclaw(join(home, ".openclaw/agents/main/agent/openclaw-agent.sqlite"));
    claw.window({ cwd: "/srv/claw" });
    codex("02", "/srv/app");
    const stores = await found();
    expect(stores.map(({ project }) => project)).toEqual(["/srv/app", "/srv/claw", "/srv/other"]);
    expect(stores[0]?.sessions).toEqual([
      join(home, ".codex/sessions/2026/03/02"),
      join(home, ".local/share/opencode/opencode.db"),
    ]);
    expect(stores[1]?.sessions).toEqual([join(home, ".openclaw/agents/main/agent/openclaw-agent.sqlite")]);
    open.close();
    claw.close();
  });
});
