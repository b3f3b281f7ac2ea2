/** Memories as other agents lay them out: every file keeps its place, and what nobody gave to memd keeps its bytes. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { forgetWords, lookFor } from "../../src/steps/forget.ts";
import { recoverStore } from "../../src/steps/recover.ts";
import { chooseUndo, undoRun } from "../../src/steps/undo.ts";
import { readMemory } from "../../src/store/read.ts";
import { type Call, faultyFiles } from "../support/faulty-files.ts";
import { DAY, type Home, makeHome, manualClock, START, talk } from "../support/home.ts";

/** Memory-backed where there is such a thing: the crash story syncs thousands of times. */
const SCRATCH = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

const homes: Home[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) home.remove();
});

const WORDS = [
  "I am a data engineer and I prefer answers in German.",
  "Never force-push to main, because it broke the release branch in May.",
  "We decided to store all amounts as integer cents.",
];

function laid(
  layout: Home["store"]["layout"],
  files: Readonly<Record<string, string>>,
  texts: readonly string[] = WORDS,
) {
  const home = makeHome(manualClock(), SCRATCH);
  homes.push(home);
  home.session("s1", talk(texts, START - 2 * DAY));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home.root, name)), { recursive: true });
    writeFileSync(join(home.root, name), text);
  }
  const store = { layout };
  const at = (name: string) => readFileSync(join(home.root, name), "utf8");
  return { home, at, store, dream: (more = {}) => home.dream({}, { store, ...more }) };
}

const WORKSPACE = {
  "soul.md": "# Soul\n\nYou are calm.\n",
  "AGENT-RULES.md": "Never lie.\n",
  "user.md": "# User\n\n- Lives in Basel.\n",
  "agent.md": "# Agent\r\n\r\nBe brief.\r\n",
  "memory/MEMORY.md": "# Memory\n\n- [Tools](tools.md) — read before using tools\n",
  "memory/tools.md": "---\nname: tools\ndescription: tools\ntype: reference\n---\n\n- Uses ripgrep.\n",
  "memory/2026-11-27.md": "- Remember: the mirror host is called plover.\n",
};

describe("a workspace", () => {
  it("gets who the user is into user.md, corrections into agent.md, and subjects into topics that the index names", async () => {
    const { at, dream } = laid("workspace", WORKSPACE);
    const { report } = await dream();
    expect(report.outcome).toBe("done");
    expect(at("user.md").startsWith(WORKSPACE["user.md"])).toBe(true);
    expect(at("user.md")).toMatch(/- I am a data engineer.*\[created: /);
    expect(at("agent.md").startsWith(WORKSPACE["agent.md"])).toBe(true);
    expect(at("agent.md")).toMatch(/- Never force-push to main.*\r\n/);
    const index = at("memory/MEMORY.md");
    expect(index).toContain("project-decisions.md");
    expect(index).not.toMatch(/user\.md|agent\.md/);
    expect(at("memory/project-decisions.md")).toContain("integer cents");
  });

  it("keeps what is the agent's own and the daily logs as they are, and reads the logs", async () => {
    const { home, at, dream } = laid("workspace", WORKSPACE);
    await dream();
    for (const name of ["soul.md", "AGENT-RULES.md", "memory/2026-11-27.md", "memory/tools.md"] as const)
      expect(at(name)).toBe(WORKSPACE[name]);
    const all = ["project-facts.md", "project-decisions.md", "external-systems.md"].filter((name) =>
      existsSync(join(home.memory, name)),
    );
    expect(all.map((name) => home.read(name)).join()).toContain("plover");
  });

  it("says nothing twice: neither in a second dream nor of what the agent's rules say", async () => {
    const rules = { ...WORKSPACE, "soul.md": "- Never force-push to main.\n" };
    const { home, at, dream } = laid("workspace", rules);
    await dream();
    expect(at("agent.md")).toBe(rules["agent.md"]);
    const before = at("user.md");
    home.session("s2", talk(["I am a data engineer and I prefer answers in German."], START - DAY));
    await dream();
    expect(at("user.md")).toBe(before);
  });

  it("makes the files that are not there, under the names that the others have", async () => {
    const { at, dream } = laid("workspace", { "soul.md": "x\n" });
    await dream();
    expect(at("user.md")).toContain("data engineer");
    expect(at("agent.md")).toContain("force-push");
    const claw = laid("workspace", { "SOUL.md": "x\n", "AGENTS.md": "Rules.\n", "USER.md": "# USER\n" });
    await claw.dream();
    expect(claw.at("USER.md")).toContain("data engineer");
    expect(claw.at("AGENTS.md")).toBe("Rules.\n");
    expect(existsSync(join(claw.home.root, "agent.md"))).toBe(false);
    expect(claw.home.read("commits-and-review.md")).toContain("force-push");
  });

  it("leaves a linked user.md and one inside the memory as they are", async () => {
    const { home, at, dream } = laid("workspace", { ...WORKSPACE, "memory/user.md": WORKSPACE["memory/tools.md"] });
    await dream();
    expect(at("user.md")).toBe(WORKSPACE["user.md"]);
    expect(home.read("about-the-user.md")).toContain("data engineer");
    const linked = laid("workspace", { ...WORKSPACE, "elsewhere.md": "Mine.\n" });
    rmSync(join(linked.home.root, "user.md"));
    symlinkSync("elsewhere.md", join(linked.home.root, "user.md"));
    await linked.dream();
    expect(linked.at("elsewhere.md")).toBe("Mine.\n");
    expect(linked.home.read("about-the-user.md")).toContain("data engineer");
  });

  it("has its index beside its rules where the agent keeps it there", async () => {
    const { home, at, dream } = laid("workspace", {
      "SOUL.md": "x\n",
      "AGENTS.md": "Rules.\n",
      "USER.md": "# USER\n",
      "MEMORY.md": "# MEMORY\n\nBorn in May.\n",
      "memory/2026-11-27.md": "- Lunch.\n",
    });
    await dream();
    expect(at("MEMORY.md")).toMatch(/\(memory\/project-decisions\.md\)/);
    expect(at("MEMORY.md")).toContain("Born in May.");
    expect(existsSync(join(home.memory, "MEMORY.md"))).toBe(false);
  });

  it("lets go of what is to be forgotten, wherever it stands", async () => {
    const { home, at, dream, store } = laid("workspace", WORKSPACE);
    await dream();
    const world = home.world({ store });
    const found = await lookFor(world, "data engineer");
    if (found === null) throw new Error("nothing to forget");
    expect(await forgetWords(world, "data engineer", found)).toMatchObject({ entries: 1, conflicts: [] });
    await world.close();
    expect(at("user.md")).toBe(WORKSPACE["user.md"]);
  });

  it("is as before after an undo", async () => {
    const { home, at, dream, store } = laid("workspace", WORKSPACE);
    await dream();
    const world = home.world({ store });
    const { record } = chooseUndo([world], "last");
    await undoRun(world, { record, force: false });
    await world.close();
    for (const name of Object.keys(WORKSPACE) as (keyof typeof WORKSPACE)[]) expect(at(name)).toBe(WORKSPACE[name]);
  });
});

const READING = new Set<Call["verb"]>([
  "stat",
  "lstat",
  "list",
  "read",
  "readText",
  "open",
  "readAt",
  "close",
  "realpath",
]);

describe("a workspace in a crash", () => {
  it("is before or after a dream, never between, whenever the process dies", async () => {
    const probe = laid("workspace", WORKSPACE);
    const whole = faultyFiles(nodeFiles);
    await probe.dream({ files: whole });
    const files = ["user.md", "agent.md", "memory/MEMORY.md"] as const;
    const after = files.map(probe.at);
    const first = whole.calls.findIndex(({ path }) => path.includes("journal"));
    const moments = whole.calls.slice(first).filter(({ verb }) => !READING.has(verb));
    for (const { number } of moments) {
      const { home, at, store } = laid("workspace", WORKSPACE);
      const dying = faultyFiles(nodeFiles, { dieAt: number });
      await home.dream({}, { store, files: dying }).catch((error: unknown) => {
        if (!dying.dead()) throw error;
      });
      const world = home.world({ store });
      await recoverStore(world, () => true);
      await world.close();
      const now = files.map(at);
      const before = files.map((name) => WORKSPACE[name]);
      const isWhole = [before, after].some((texts) => texts.every((text, i) => text === now[i]));
      expect([number, isWhole ? "whole" : now]).toEqual([number, "whole"]);
    }
  });
});

describe("an index beside the folder of its topics", () => {
  it("gets pointers that lead into that folder, and none twice", async () => {
    const files = {
      ".claude/MEMORY.md": "# Memory\n\n- [Tools](memory/tools.md) — read before using tools\n- [Readme](README.md)\n",
      ".claude/memory/tools.md": "---\nname: tools\ndescription: tools\ntype: reference\n---\n\n- Uses ripgrep.\n",
    };
    const { home, at, store } = laid("icode", files, ["We decided to store all amounts as integer cents."]);
    const where = { ...store, memory: join(home.root, ".claude/memory") };
    await home.dream({}, { store: where });
    const index = at(".claude/MEMORY.md");
    expect(index).toContain("(memory/project-decisions.md)");
    expect(index).toContain("- [Tools](memory/tools.md) — read before using tools\n- [Readme](README.md)\n");
    expect(existsSync(join(where.memory, "MEMORY.md"))).toBe(false);
    home.session("s2", talk(["We decided that invoices are numbered per year."], START - DAY));
    await home.dream({}, { store: where });
    expect(at(".claude/MEMORY.md").match(/project-decisions\.md/g)).toHaveLength(1);
    expect(at(".claude/memory/project-decisions.md")).toContain("per year");
  });
});

describe("an index with sections", () => {
  it("gets each pointer below the heading that names its type, and keeps all other words", async () => {
    const index = "# Memory\n\n## About me\n\nI live in Basel.\n\n## Projects\n\nNothing yet.\n\n## References\n";
    const { home, store } = laid("daily", { "memory/MEMORY.md": index, "memory/daily/2026-11-27.md": "- Lunch.\n" });
    await home.dream({}, { store });
    const [, user, projects] = home.read("MEMORY.md").split("## ");
    expect(user).toMatch(/^About me\n\n- \[.*about-the-user\.md.*\n\nI live in Basel\./);
    expect(projects).toMatch(/^Projects\n\n- \[.*project-decisions\.md.*\n\nNothing yet\./);
    expect(readMemory(nodeFiles, home.memory).tree.index).toContain("## References");
  });
});
