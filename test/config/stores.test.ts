import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { checkConfig } from "../../src/config/check.ts";
import { configOf } from "../../src/config/config.ts";
import { platformPaths } from "../../src/config/paths.ts";
import { loadRegistry, rememberedStores, resolveStores, type StoreSpec } from "../../src/config/stores.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "memd-stores-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const paths = () => platformPaths({ XDG_STATE_HOME: join(root, "state") }, "linux", root);
const NO_FLAGS = { names: [], memory: null, sessions: [], logs: [] };

function spec(name: string, memory: string): StoreSpec {
  return { name, layout: "claude-code", memory, sessions: [], logs: [], project: null, paused: false };
}

function resolved(specs: readonly StoreSpec[], names: readonly string[] = []) {
  const world = { files: nodeFiles, paths: paths(), cwd: root };
  const config = configOf(checkConfig(null).values);
  return resolveStores(world, config, { ...NO_FLAGS, names }, async () => specs);
}

describe("the stores of a command", () => {
  it("each have a name of their own, also where one is called like another's number", async () => {
    const specs = [spec("app", "/a"), spec("app", "/b"), spec("app-2", "/c"), spec("app", "/d")];
    const stores = await resolved(specs);
    expect(stores.map(({ name, memory }) => `${name} ${memory}`)).toEqual([
      "app /a",
      "app-3 /b",
      "app-2 /c",
      "app-4 /d",
    ]);
    expect((await resolved(specs, ["app-2"])).map(({ memory }) => memory)).toEqual(["/c"]);
  });

  it("are those that memd's own files tell of, whatever else was written into these files", () => {
    const { state } = paths();
    const folder = join(state, "stores", "x");
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(state, "stores.json"),
      JSON.stringify({ stores: [{ memory: "/m", sessions: "/s" }, { memory: "relative" }, 7, null] }),
    );
    writeFileSync(join(folder, "store.json"), JSON.stringify({ memory: "/n", logs: [1, "/l"], paused: "yes" }));
    const plain = { layout: "custom", sessions: [], logs: [], project: null, paused: false };
    expect(loadRegistry(nodeFiles, paths())).toEqual([{ ...plain, name: "m", memory: "/m" }]);
    expect(rememberedStores(nodeFiles, paths())).toEqual([
      { ...plain, name: "n", memory: "/n", logs: ["/l"], state: folder },
    ]);
  });

  describe("of a project that the configuration names", () => {
    const found: StoreSpec = {
      ...spec("app", "/claude/app/memory"),
      project: "/code/app",
      sessions: ["/claude/app", "/codex/02"],
      formerly: ["/code/old"],
    };
    const configured = async (stores: unknown) => {
      const world = { files: nodeFiles, paths: paths(), cwd: root };
      const all = await resolveStores(world, configOf(checkConfig({ stores }).values), NO_FLAGS, async () => [
        found,
        spec("other", "/claude/other/memory"),
      ]);
      return all.map(({ state: _, ...rest }) => rest);
    };

    it("are one, which all that was found for the project feeds", async () => {
      const [own, other, ...rest] = await configured([
        { memory: "/w/memory", project: "/code/app", sessions: ["/s", "/codex/02"] },
      ]);
      expect(own).toMatchObject({
        memory: "/w/memory",
        project: "/code/app",
        sessions: ["/s", "/codex/02", "/claude/app"],
        found: ["/claude/app"],
        formerly: ["/code/old"],
      });
      expect([other?.name, rest]).toEqual(["other", []]);
    });

    it("take what feeds the memory that they name", async () => {
      const [own] = await configured([{ memory: "/claude/app/memory", shared: "write" }]);
      expect(own).toMatchObject({ project: "/code/app", sessions: found.sessions, shared: "write" });
      const [named] = await configured([{ memory: "/claude/app/memory", sessions: ["/s"] }]);
      expect(named).toMatchObject({ project: null, sessions: ["/s"] });
    });

    it.each([
      ["workspace", "/code/app/memory"],
      ["icode", "/code/app/.claude/memory"],
    ])("take what was found for the project around a memory laid out as %s", async (layout, memory) => {
      const [own, ...rest] = await configured([{ memory, layout }]);
      expect(own).toMatchObject({ layout, memory, project: "/code/app", sessions: found.sessions });
      expect(rest.map(({ name }) => name)).toEqual(["other"]);
      const [plain] = await configured([{ memory, layout: "plain" }]);
      expect(plain).toMatchObject({ project: null, sessions: [] });
    });
  });
});
