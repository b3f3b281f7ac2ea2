/** The part of a memory that a team shares: proposed, and written only where somebody said so. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { platformPaths } from "../../src/config/paths.ts";
import { rememberedStores } from "../../src/config/stores.ts";
import { loadQuestions } from "../../src/ledger/questions.ts";
import type { Store } from "../../src/ports.ts";
import { chooseUndo, undoRun } from "../../src/steps/undo.ts";
import { DAY, type Home, makeHome, photograph, START, talk } from "../support/home.ts";

const homes: Home[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) home.remove();
});

const WORDS = [
  "I am a data engineer and I prefer answers in German.",
  "Never force-push to main.",
  "In this repository we always use pnpm, never npm.",
  "We decided to store all amounts as integer cents.",
];
const TEAM = "---\nname: money\ndescription: money\ntype: project\n---\n\n- Prices are in Swiss francs.\n";

function team(shared: Store["shared"], files: Readonly<Record<string, string>> = { "team/money.md": TEAM }) {
  const home = makeHome();
  homes.push(home);
  home.session("s1", talk(WORDS, START - 2 * DAY));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home.memory, name)), { recursive: true });
    writeFileSync(join(home.memory, name), text);
  }
  const store = shared === undefined ? {} : { shared };
  const proposal = join(home.memory, "proposals/team.md");
  return { home, store, proposal, dream: () => home.dream({}, { store }) };
}

const teamText = (home: Home) =>
  readdirSync(join(home.memory, "team"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => home.read(`team/${name}`))
    .join("\n");

describe("a memory with a team's part", () => {
  it("proposes what holds for the project and leaves the team's files alone", async () => {
    const { home, dream, proposal } = team(undefined);
    const before = photograph(join(home.memory, "team"));
    await dream();
    const text = readFileSync(proposal, "utf8");
    expect(text).toMatch(/integer cents/);
    expect(text).toMatch(/pnpm/);
    expect(text).not.toMatch(/German|force-push/);
    expect(photograph(join(home.memory, "team"))).toEqual(before);
    expect(loadQuestions(nodeFiles, home.state)).toHaveLength(1);
  });

  it("proposes nothing that the team has, that contradicts it, or that somebody takes out of it", async () => {
    const has = `${TEAM}- We store all amounts as integer cents.\n- In this repository we always use npm, never pnpm.\n`;
    const { dream, proposal } = team("propose", { "team/money.md": has });
    await dream();
    expect(existsSync(proposal)).toBe(false);
    const own = team("propose", { "team/money.md": TEAM, "proposals/team.md": "My own notes.\n" });
    await own.dream();
    expect(readFileSync(own.proposal, "utf8")).toBe("My own notes.\n");
  });

  it("takes its proposal back with what it came from", async () => {
    const { home, store, dream, proposal } = team("propose");
    await dream();
    const world = home.world({ store });
    const { record } = chooseUndo([world], "last");
    await undoRun(world, { record, force: false });
    await world.close();
    expect(existsSync(proposal)).toBe(false);
  });

  it("says nothing where the store keeps to itself, and where there is no team", async () => {
    const off = team("off");
    await off.dream();
    const alone = team("write", {});
    await alone.dream();
    expect([off, alone].map(({ proposal }) => existsSync(proposal))).toEqual([false, false]);
    expect(existsSync(join(alone.home.memory, "team"))).toBe(false);
  });

  it("writes it there where the store says so: once, beside what stands there, and undoable", async () => {
    const { home, dream, proposal } = team("write");
    await dream();
    expect(teamText(home)).toContain("Swiss francs");
    expect(teamText(home)).toContain("integer cents");
    expect(teamText(home)).toContain("pnpm");
    expect(teamText(home)).not.toMatch(/German|force-push/);
    expect(existsSync(proposal)).toBe(false);
    // What people said is nobody else's.
    expect(existsSync(join(home.memory, "team/.memd/evidence.jsonl"))).toBe(false);
    const before = teamText(home);
    home.clock.move(DAY);
    home.session("s2", talk(["We decided that invoices are numbered per year."], START - DAY));
    await dream();
    expect(teamText(home).match(/integer cents/g)).toHaveLength(1);
    const paths = platformPaths({ XDG_STATE_HOME: join(home.root, "state") }, "linux", home.root);
    const [shared] = rememberedStores(nodeFiles, paths).filter(({ layout }) => layout === "team");
    if (shared === undefined) throw new Error("the team's part is not remembered");
    const world = home.world({ store: shared });
    const { record } = chooseUndo([world], "last");
    await undoRun(world, { record, force: false });
    await world.close();
    expect(teamText(home)).toBe(before);
  });

  it("leaves several teams to a person", async () => {
    const { home, dream, proposal } = team("write", { "team/a/money.md": TEAM, "team/b/money.md": TEAM });
    const before = photograph(join(home.memory, "team"));
    await dream();
    expect(photograph(join(home.memory, "team"))).toEqual(before);
    expect(existsSync(proposal)).toBe(true);
  });
});
