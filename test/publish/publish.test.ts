import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import { projectContext } from "../../src/steps/context.ts";
import { forgetWords, lookFor } from "../../src/steps/forget.ts";
import { publish } from "../../src/steps/publish.ts";
import { laidOut } from "../../src/store/layout.ts";
import { FIRST, makeProject, type Project, using } from "./world.ts";

let app: Project;
beforeEach(async () => {
  app = makeProject();
  await app.hear("one", FIRST);
});
afterEach(() => app.home.remove());

const RULES = "# Rules\n\nUse pnpm.\n";
const outcomes = async (done: Promise<{ files: readonly { outcome: string; reason: string | null }[] }>) =>
  (await done).files.map(({ outcome, reason }) => reason ?? outcome);
const conditions = () =>
  app
    .world()
    .state.current()
    .conditions.map(({ code }) => code);

describe("publishing a memory", () => {
  it("puts a block below what stands in the file, and only in files that were named", async () => {
    app.write("AGENTS.md", RULES);
    app.write("CLAUDE.md", RULES);
    const done = await app.publish({ named: ["AGENTS.md"] });
    expect(done).toMatchObject({
      store: "app",
      files: [{ file: app.path("AGENTS.md"), outcome: "updated", reason: null }],
    });
    expect(done.block.entries).toBeGreaterThan(0);
    const text = app.read("AGENTS.md");
    expect(text.startsWith(`${RULES}\n<!-- memd:begin`)).toBe(true);
    expect(text).toContain("make check");
    expect(text).toContain("ORBIT");
    expect(text.endsWith("<!-- memd:end -->\n")).toBe(true);
    expect(app.read("CLAUDE.md")).toBe(RULES);
  });

  it("follows every dream from then on, in each file, and touches nothing else of them", async () => {
    app.write("AGENTS.md", RULES);
    app.write("GEMINI.md", "# For Gemini\r\nNo final line end");
    await app.publish({ named: ["AGENTS.md", "GEMINI.md"] });
    app.write("AGENTS.md", `Top.\n${app.read("AGENTS.md")}\n# Later\n`);
    await app.hear("two", ["We decided that releases happen on Tuesdays."]);
    expect(app.read("AGENTS.md")).toContain("Tuesdays");
    expect(app.read("AGENTS.md")).toMatch(
      /^Top\.\n# Rules\n\nUse pnpm\.\n\n<!-- memd:begin[\s\S]*<!-- memd:end -->\n\n# Later\n$/,
    );
    expect(app.read("GEMINI.md")).toMatch(/^# For Gemini\r\nNo final line end\r\n\r\n<!-- memd:begin[\s\S]*-->$/);
    expect(app.read("GEMINI.md").replaceAll("\r\n", "")).not.toContain("\n");
    expect(conditions()).toEqual([]);
  });

  it("leaves a file whose block is right as it is, time and all", async () => {
    app.write("AGENTS.md", RULES);
    await app.publish({ named: ["AGENTS.md"] });
    const before = app.mark("AGENTS.md");
    expect(await app.publish()).toMatchObject({ run: null, files: [{ outcome: "unchanged" }] });
    await app.hear("nothing", ["Thanks, that looks fine."]);
    expect(app.mark("AGENTS.md")).toBe(before);
  });

  it("keeps the file's mode, and makes a new file only when told to", async () => {
    app.write("AGENTS.md", RULES);
    chmodSync(app.path("AGENTS.md"), 0o664);
    await app.publish({ named: ["AGENTS.md"] });
    expect(statSync(app.path("AGENTS.md")).mode & 0o777).toBe(0o664);
    expect(await outcomes(app.publish({ named: ["GEMINI.md"] }))).toEqual(["no-such-file"]);
    expect(existsSync(app.path("GEMINI.md"))).toBe(false);
    expect(await outcomes(app.publish({ named: ["GEMINI.md"], create: true }))).toEqual(["created"]);
    expect(app.read("GEMINI.md")).toMatch(/^<!-- memd:begin[\s\S]*<!-- memd:end -->\n$/);
  });

  it("publishes nothing of the person, and no secret", async () => {
    app.home.topic(
      "ana.md",
      "---\nname: ana\ndescription: Ana\nmetadata:\n  type: user\n---\n\n- Ana is left-handed.\n",
    );
    app.home.topic(
      "keys.md",
      "---\nname: keys\ndescription: Keys\nmetadata:\n  type: project\n---\n\n- The token is ghp_16C7e42F292c6912E7710c838347Ae178B4a.\n",
    );
    app.write("AGENTS.md", RULES);
    await app.publish({ named: ["AGENTS.md"] });
    expect(app.read("AGENTS.md")).not.toContain("left-handed");
    expect(app.read("AGENTS.md")).not.toContain("ghp_");
    expect(app.read("AGENTS.md")).toContain("The token is [redacted:");
    await app.publish({}, { config: { publish: { user: true } } });
    expect(app.read("AGENTS.md")).toContain("left-handed");
  });

  it("is not read back as the project's own words", async () => {
    app.write("AGENTS.md", RULES);
    await app.publish({ named: ["AGENTS.md"] });
    const [context] = projectContext(nodeFiles, app.folder);
    expect(context?.text).toContain("Use pnpm.");
    expect(context?.text).not.toContain("ORBIT");
  });
});

describe("what memd does not write to", () => {
  it.each([
    ["../outside.md", "outside-project"],
    ["/etc/AGENTS.md", "outside-project"],
    ["notes.txt", "not-markdown"],
    [".git/AGENTS.md", "inside-git"],
    ["nowhere/AGENTS.md", "no-such-folder"],
    ["linked.md", "is-a-link"],
    ["away/AGENTS.md", "outside-project"],
    ["folder.md", "not-a-file"],
    ["twice.md", "hard-linked"],
    ["utf16.md", "utf-16"],
    ["latin.md", "not-utf-8"],
  ])("%s: %s", async (name, reason) => {
    mkdirSync(app.path(".git"));
    mkdirSync(app.path("folder.md"));
    app.write("AGENTS.md", RULES);
    symlinkSync(app.path("AGENTS.md"), app.path("linked.md"));
    symlinkSync(app.home.root, app.path("away"));
    app.write("one.md", RULES);
    linkSync(app.path("one.md"), app.path("twice.md"));
    writeFileSync(app.path("utf16.md"), Buffer.from("\uFEFFRules", "utf16le"));
    writeFileSync(app.path("latin.md"), Buffer.from([0x52, 0xe9, 0x0a]));
    const done = await app.publish({ named: [name], create: true });
    expect(done.files).toMatchObject([{ outcome: "refused", reason }]);
    expect(done.files[0]?.hint).not.toBe("");
    expect(done.run).toBeNull();
    expect(app.read("AGENTS.md")).toBe(RULES);
    expect(await outcomes(app.publish())).toEqual([]);
  });

  it("what belongs to the memory though it lies above its folder", async () => {
    const memory = app.path("memory");
    mkdirSync(memory);
    writeFileSync(
      join(memory, "rules.md"),
      "---\nname: rules\ndescription: Rules\nmetadata:\n  type: feedback\n---\n\n- Run make check.\n",
    );
    for (const name of ["user.md", "agent.md", "AGENTS.md"]) app.write(name, RULES);
    const plain = app.world();
    const store = { ...plain.store, layout: "workspace" as const, memory };
    const files = laidOut(nodeFiles, store);
    const world = { ...plain, store, files, place: { ...plain.place, files, directory: memory } };
    const ask = { named: ["user.md", "agent.md", "memory/rules.md", "AGENTS.md"], from: app.folder };
    const done = await using(world, (one) => publish(one, { ...ask, create: true, remove: false, force: false }));
    expect(done).toMatchObject({
      files: [
        { reason: "inside-memory" },
        { reason: "inside-memory" },
        { reason: "inside-memory" },
        { outcome: "updated" },
      ],
    });
    expect(app.read("user.md")).toBe(RULES);
    expect(app.read("AGENTS.md")).toContain("- Run make check.");
  });

  it("a block whose marks are damaged, and one that somebody edited, which --force writes anew", async () => {
    app.write("AGENTS.md", RULES);
    await app.publish({ named: ["AGENTS.md"] });
    const text = app.read("AGENTS.md");
    for (const broken of [text.replace("<!-- memd:end -->", ""), text + text]) {
      app.write("AGENTS.md", broken);
      expect(await outcomes(app.publish({ force: true }))).toEqual(["marks-damaged"]);
      expect(await outcomes(app.publish({ remove: true, force: true }))).toEqual(["marks-damaged"]);
      await app.hear("two", ["We decided that releases happen on Tuesdays."]);
      expect(conditions()).toContain("publish-marks-damaged");
      expect(app.read("AGENTS.md")).toBe(broken);
    }
    const edited = text.replace("ORBIT", "ORBIT (mine)");
    app.write("AGENTS.md", edited);
    expect(await outcomes(app.publish())).toEqual(["block-edited"]);
    await app.hear("three", ["We decided that the beta starts on 2026-12-18."]);
    expect(conditions()).toContain("publish-block-edited");
    expect(app.read("AGENTS.md")).toBe(edited);
    expect(await outcomes(app.publish({ force: true }))).toEqual(["updated"]);
    expect(app.read("AGENTS.md")).not.toContain("(mine)");
    expect(conditions()).not.toContain("publish-block-edited");
  });

  it("a file from which somebody took the block, until it is asked for again", async () => {
    app.write("AGENTS.md", RULES);
    await app.publish({ named: ["AGENTS.md"] });
    app.write("AGENTS.md", RULES);
    await app.hear("two", ["We decided that releases happen on Tuesdays."]);
    expect(app.read("AGENTS.md")).toBe(RULES);
    expect(conditions()).toEqual(["publish-block-gone"]);
    rmSync(app.path("AGENTS.md"));
    await app.hear("three", ["We decided that the beta starts on 2026-12-18."]);
    expect(conditions()).toEqual(["publish-file-gone"]);
    app.write("AGENTS.md", RULES);
    await app.publish();
    expect(app.read("AGENTS.md")).toContain("Tuesdays");
  });

  it("knows a block of an earlier day that another branch brought back", async () => {
    app.write("AGENTS.md", RULES);
    await app.publish({ named: ["AGENTS.md"] });
    const old = app.read("AGENTS.md");
    await app.hear("two", ["We decided that releases happen on Tuesdays."]);
    const fresh = app.read("AGENTS.md");
    app.write("AGENTS.md", old.replaceAll("\n", "\r\n"));
    await app.publish();
    expect(app.read("AGENTS.md")).toBe(fresh.replaceAll("\n", "\r\n"));
  });
});

describe("taking a publication back", () => {
  it("restores the exact bytes, also after dreams have renewed the block, and stops", async () => {
    app.write("AGENTS.md", "\uFEFF# Rules\r\nUse pnpm.");
    const { run } = await app.publish({ named: ["AGENTS.md"] });
    await app.hear("two", ["We decided that releases happen on Tuesdays."]);
    const done = await app.undo(run ?? "");
    expect(done).toMatchObject({ run, conflicts: [], files: { updated: [app.path("AGENTS.md")] } });
    expect(app.read("AGENTS.md")).toBe("\uFEFF# Rules\r\nUse pnpm.");
    await app.hear("three", ["We decided that the beta starts on 2026-12-18."]);
    expect(app.read("AGENTS.md")).toBe("\uFEFF# Rules\r\nUse pnpm.");
    expect(conditions()).toEqual([]);
  });

  it("refuses where somebody edited the file since, naming it; --force takes the block alone", async () => {
    app.write("AGENTS.md", RULES);
    const { run } = await app.publish({ named: ["AGENTS.md"] });
    const edited = app.read("AGENTS.md").replace("pnpm", "npm");
    app.write("AGENTS.md", edited);
    expect((await app.undo(run ?? "")).conflicts).toEqual([
      { file: app.path("AGENTS.md"), reason: "changed-later", entries: [] },
    ]);
    expect(app.read("AGENTS.md")).toBe(edited);
    expect((await app.undo(run ?? "", true)).conflicts).toEqual([]);
    expect(app.read("AGENTS.md")).toBe(RULES.replace("pnpm", "npm"));
  });

  it("removes a file that it made, and can itself be taken back", async () => {
    await app.publish({ named: ["GEMINI.md"], create: true });
    const made = app.read("GEMINI.md");
    await app.undo("last");
    expect(existsSync(app.path("GEMINI.md"))).toBe(false);
    const ledger = await using(app.world(), async (world) => (await world.ledger()).history({ limit: 10 }));
    expect(ledger.map(({ cause, outcome }) => `${cause} ${outcome}`)).toContain("publish undone");
    const undoing = ledger.find(({ cause }) => cause === "undo")?.id ?? "";
    await app.undo(undoing);
    expect(app.read("GEMINI.md")).toBe(made);
  });

  it("puts the block of a memory that was itself taken back in line with it", async () => {
    app.write("AGENTS.md", RULES);
    await app.publish({ named: ["AGENTS.md"] });
    const before = app.read("AGENTS.md");
    await app.hear("two", ["We decided that releases happen on Tuesdays."]);
    expect(app.read("AGENTS.md")).not.toBe(before);
    await app.undo(dreamIds().at(-1) ?? "");
    expect(app.read("AGENTS.md")).toBe(before);
  });

  const dreamIds = () =>
    readdirSync(join(app.home.state, "undo"))
      .map((name) => name.replace(".json", ""))
      .sort();
});

describe("stopping", () => {
  it("takes the block out to the byte, and removes a file that only held it", async () => {
    app.write("AGENTS.md", "# Rules");
    await app.publish({ named: ["AGENTS.md"] });
    await app.publish({ named: ["GEMINI.md"], create: true });
    const done = await app.publish({ remove: true });
    expect(done.files.map(({ outcome }) => outcome)).toEqual(["removed", "removed"]);
    expect(app.read("AGENTS.md")).toBe("# Rules");
    expect(existsSync(app.path("GEMINI.md"))).toBe(false);
    await app.hear("two", ["We decided that releases happen on Tuesdays."]);
    expect(app.read("AGENTS.md")).toBe("# Rules");
    await app.undo(done.run ?? "");
    expect(app.read("AGENTS.md")).toContain("memd:begin");
    expect(existsSync(app.path("GEMINI.md"))).toBe(true);
  });
});

describe("forgetting", () => {
  it("takes the words out of the block and of what would bring them back", async () => {
    app.write("AGENTS.md", RULES);
    const { run } = await app.publish({ named: ["AGENTS.md"] });
    const done = await using(app.world(), async (world) => {
      const found = await lookFor(world, "ORBIT");
      if (!found) throw new Error("nothing found");
      return forgetWords(world, "ORBIT", found);
    });
    expect(done).toMatchObject({ conflicts: [] });
    expect(app.read("AGENTS.md")).not.toContain("ORBIT");
    expect(app.read("AGENTS.md")).toContain("make check");
    await expect(app.undo(run ?? "")).rejects.toMatchObject({ code: "unknown-run" });
  });

  it("says so where the block cannot be written", async () => {
    app.write("AGENTS.md", RULES);
    await app.publish({ named: ["AGENTS.md"] });
    app.write("AGENTS.md", app.read("AGENTS.md").replace("<!-- memd:end -->", ""));
    const done = await using(app.world(), async (world) => {
      const found = await lookFor(world, "ORBIT");
      if (!found) throw new Error("nothing found");
      return forgetWords(world, "ORBIT", found);
    });
    expect(done).toMatchObject({ conflicts: [{ file: app.path("AGENTS.md"), reason: "still-there" }] });
  });
});

describe("others who write at the same moment", () => {
  /** Calls `act` once, right before the n-th verb of that name on the file. */
  function justBefore(verb: "rename" | "link" | "lstat", target: string, act: () => void): Files {
    let done = false;
    const isMeant = (args: readonly unknown[]) => args.some((arg) => arg === target);
    return {
      ...nodeFiles,
      [verb]: (...args: [string, string]) => {
        if (!done && isMeant(args)) {
          done = true;
          act();
        }
        return (nodeFiles[verb] as (...all: [string, string]) => unknown)(...args);
      },
    };
  }

  it.each(["link", "rename"] as const)(
    "keeps what somebody saved right before our %s, and writes the block into that",
    async (verb) => {
      app.write("AGENTS.md", RULES);
      const files = justBefore(verb, app.path("AGENTS.md"), () =>
        writeFileSync(app.path("AGENTS.md"), `${RULES}\nUse node 20.\n`),
      );
      const done = await app.publish({ named: ["AGENTS.md"] }, { files });
      expect(done.files[0]?.outcome).toBe("updated");
      expect(app.read("AGENTS.md").startsWith(`${RULES}\nUse node 20.\n\n<!-- memd:begin`)).toBe(true);
      expect(readdirSync(app.folder)).toEqual(["AGENTS.md"]);
    },
  );

  it("gives up on a file that never rests, and leaves it theirs", async () => {
    app.write("AGENTS.md", RULES);
    let n = 0;
    const files: Files = {
      ...nodeFiles,
      link: (from, to) => {
        if (from === app.path("AGENTS.md")) app.write("AGENTS.md", `${RULES}${++n}\n`);
        nodeFiles.link(from, to);
      },
    };
    expect(await outcomes(app.publish({ named: ["AGENTS.md"] }, { files }))).toEqual(["changed-meanwhile"]);
    expect(app.read("AGENTS.md")).toBe(`${RULES}${n}\n`);
    expect(await outcomes(app.publish())).toEqual([]);
  });

  it("never overwrites a file that appears where there was none", async () => {
    const target = app.path("AGENTS.md");
    const files = justBefore("link", target, () => writeFileSync(target, RULES));
    await app.publish({ named: ["AGENTS.md"], create: true }, { files });
    expect(app.read("AGENTS.md").startsWith(RULES)).toBe(true);
    expect(app.read("AGENTS.md")).toContain("memd:begin");
  });
});
