/** What holds for the person is remembered for the person; what belongs to one client's project never leaves it. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import type { Citation } from "../../src/memory/operation.ts";
import { habitsIn, isPersonal } from "../../src/memory/person.ts";
import type { Store } from "../../src/ports.ts";
import { rememberPerson } from "../../src/steps/person.ts";
import { chooseUndo, undoRun } from "../../src/steps/undo.ts";
import { readEvidence } from "../../src/store/evidence.ts";
import { DAY, type Home, makeHome, START, talk } from "../support/home.ts";

const homes: Home[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) home.remove();
});

const cited = (quote: string): Citation => ({
  session: "s",
  client: "codex",
  file: "/f",
  line: 1,
  record: null,
  speaker: "user",
  at: null,
  quote,
});
const told = (project: string, statement: string) => ({
  project,
  statement,
  citations: [{ ...cited(statement), file: `${project}/s.jsonl` }],
});
const statements = (...all: [project: string, statement: string][]) =>
  habitsIn(
    all.map(([project, statement]) => told(project, statement)),
    new Set(["acme", "billing", "示例"]),
  ).map(({ statement }) => statement);

describe("what holds for the person", () => {
  const cases: [what: string, told: [project: string, statement: string][], kept: string[]][] = [
    [
      "is said in two projects",
      [
        ["/a", "I prefer answers in German."],
        ["/b", "I prefer answers in German"],
      ],
      ["I prefer answers in German"],
    ],
    [
      "is said in other words",
      [
        ["/a", "I prefer short answers in reviews."],
        ["/b", "I prefer short answers."],
      ],
      ["I prefer short answers."],
    ],
    [
      "is not said twice in one",
      [
        ["/a", "I prefer German."],
        ["/a", "I prefer German."],
      ],
      [],
    ],
    [
      "is not denied anywhere",
      [
        ["/a", "I want commits signed."],
        ["/b", "I want commits signed."],
        ["/c", "I do not want commits signed."],
      ],
      [],
    ],
    [
      "names no project",
      [
        ["/a", "I maintain billing alone."],
        ["/b", "I maintain billing alone."],
      ],
      [],
    ],
    [
      "names no organisation",
      [
        ["/a", "I work for Acme."],
        ["/b", "I work for Acme."],
      ],
      [],
    ],
    [
      "names none in Chinese",
      [
        ["/a", "我负责示例平台。"],
        ["/b", "我负责示例平台。"],
      ],
      [],
    ],
    [
      "is kept in Chinese",
      [
        ["/a", "请用中文回答我。"],
        ["/b", "请用中文回答我。"],
      ],
      ["请用中文回答我。"],
    ],
    [
      "names no one else",
      [
        ["/a", "I report to Marta."],
        ["/b", "I report to Marta."],
      ],
      [],
    ],
    [
      "names no path and no code",
      [
        ["/a", "I keep notes in ~/notes/x."],
        ["/b", "I keep notes in ~/notes/x."],
      ],
      [],
    ],
  ];
  it.each(cases)("%s", (_, all, kept) => {
    expect(statements(...all)).toEqual(kept);
  });

  it.each([
    ["I know SQL and TypeScript well.", true],
    ["Prefers short answers.", true],
    ["Works on acme-web.", false],
    ["Uses `make check`.", false],
    ["Lives near buildings.", true],
    ["The deadline is 2026-12-01.", false],
  ])("%s", (statement, personal) => {
    expect(isPersonal(statement, new Set(["acme", "build"]))).toBe(personal);
  });
});

/** A project's store, with its own words; both are called `shop`, belong to `acme`, and speak of the same things. */
function project(client: string, texts: readonly string[]) {
  const home = makeHome();
  homes.push(home);
  const root = join(home.root, client, "acme", "shop");
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, ".git/config"), '[remote "origin"]\n\turl = git@git.example:acme/shop-api.git\n');
  home.session(client, talk(texts, START - 2 * DAY));
  const store: Store = { ...home.store, project: root };
  return { home, store, dream: () => home.dream({}, { store: { project: null } }) };
}

const text = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");

it("is not heard twice where one session feeds two memories, or was copied", () => {
  const one = { ...told("/a", "I prefer German."), citations: [{ ...cited("x"), record: "r1" }] };
  const same = { ...one, project: "/b", citations: [{ ...cited("x"), record: "r1", file: "/copy" }] };
  const own = { ...one, project: "/c", citations: [{ ...cited("x"), record: "r2" }] };
  expect(habitsIn([one, same], new Set())).toEqual([]);
  expect(habitsIn([one, same, own], new Set())).toHaveLength(1);
});

describe("two projects of one name, one organisation and one vocabulary", () => {
  const BOTH = ["I am a data engineer and I prefer answers in German.", "I maintain shop-api at Acme."];

  async function told(): Promise<{ a: ReturnType<typeof project>; b: ReturnType<typeof project>; person: Store }> {
    const a = project("client-a", [
      ...BOTH,
      "The staging server is called heron.",
      "Always deploy the shop on Mondays.",
    ]);
    const b = project("client-b", [
      ...BOTH,
      "The staging server is called plover.",
      "Never deploy the shop on Mondays.",
    ]);
    await a.dream();
    await b.dream();
    const memory = join(a.home.root, "person", "memory");
    const state = join(a.home.root, "state", "memd", "stores", "person");
    const person: Store = { ...a.store, name: "person", layout: "person", memory, state, sessions: [], project: null };
    return { a, b, person };
  }

  it("share the person, and nothing else: not by the user's memory and not by each other's", async () => {
    const { a, b, person } = await told();
    const world = a.home.world({ store: person });
    expect(await rememberPerson(world, [a.store, b.store])).not.toBeNull();
    await world.close();
    const own = text(person.memory);
    expect(own).toContain("data engineer");
    expect(own).not.toMatch(/shop|acme|heron|plover|Monday|client/i);
    expect(text(a.home.memory)).toMatch(/heron/);
    expect(text(a.home.memory)).not.toMatch(/plover|Never deploy/);
    expect(text(b.home.memory)).not.toMatch(/heron|Always deploy/);
    const { records } = readEvidence(nodeFiles, join(person.memory, ".memd/evidence.jsonl"));
    expect(records.flatMap(({ citations }) => citations.map(({ file }) => file.startsWith(a.home.root)))).toEqual([
      true,
      false,
    ]);
  });

  it("say it once, whatever is dreamt later, and it does not come back when it was undone", async () => {
    const { a, b, person } = await told();
    const world = a.home.world({ store: person });
    await rememberPerson(world, [a.store, b.store]);
    expect(await rememberPerson(world, [a.store, b.store])).toBeNull();
    const other = a.home.world({ store: a.store });
    // The dream is what one means by the last run, though it was told on afterwards.
    expect(chooseUndo([other, world], "last").world).toBe(other);
    await other.close();
    const { record } = chooseUndo([world], "last");
    await undoRun(world, { record, force: false });
    expect(await rememberPerson(world, [a.store, b.store])).toBeNull();
    expect(text(person.memory)).not.toContain("data engineer");
    await world.close();
  });

  it("leave no memory of the person while only one of them speaks of them", async () => {
    const { a, b, person } = await told();
    rmSync(b.home.memory, { recursive: true });
    const world = a.home.world({ store: person });
    expect(await rememberPerson(world, [a.store, b.store])).toBeNull();
    expect(await rememberPerson(world, [a.store, { ...a.store, name: "copy" }])).toBeNull();
    await world.close();
    expect(nodeFiles.stat(person.memory)).toBeNull();
  });
});
