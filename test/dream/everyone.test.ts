/** One project, many agents: the same things told to every client feed one memory. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { checkConfig } from "../../src/config/check.ts";
import { configOf } from "../../src/config/config.ts";
import { platformPaths } from "../../src/config/paths.ts";
import type { Store } from "../../src/ports.ts";
import { discover } from "../../src/steps/discover.ts";
import { readEvidence } from "../../src/store/evidence.ts";
import { ACME, acme, CLIENTS } from "../support/clients.ts";
import { DAY, makeHome, START } from "../support/home.ts";
import { describeWithSqlite } from "../support/sqlite.ts";

const FACTS = [
  "Always use pnpm in this repository, never npm.",
  "Remember: the staging server is called heron.",
  "我们决定金额统一用整数分存储。",
  "Here is how we release the app: first run the checks, then bump the version, then push the tag.",
];

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const statements = (home: ReturnType<typeof makeHome>) =>
  readdirSync(home.memory)
    .filter((name) => name.endsWith(".md") && name !== "MEMORY.md")
    .flatMap((name) => home.read(name).split("\n"))
    .filter((line) => line.startsWith("- "));

describeWithSqlite("what was told to every client about one project", () => {
  function everyone(texts: (client: number) => readonly string[]) {
    const person = realpathSync(mkdtempSync(join(tmpdir(), "memd-everyone-")));
    const home = makeHome();
    made.push(person, home.root);
    const folders = [...Object.values(CLIENTS), acme].map((tell, i) =>
      tell({ home: person, cwd: "/srv/app", texts: texts(i), at: START - 5 * DAY + i * 3_600_000 }),
    );
    const config = { formats: [{ ...ACME, folders: [join(person, "acme")] }] };
    const dream = (store: Partial<Store> = {}) => home.dream({}, { config, store: { sessions: folders, ...store } });
    return { person, home, folders, config, dream };
  }

  it("is stored once each, with a citation from every one of them", async () => {
    const { home, dream } = everyone(() => FACTS);
    expect((await dream()).report.outcome).toBe("done");
    expect(statements(home)).toHaveLength(FACTS.length);
    const { records } = readEvidence(nodeFiles, home.world().place.evidence);
    const clients = records.map(({ citations }) => citations.map(({ client }) => client).sort());
    expect(clients).toEqual(FACTS.map(() => [...Object.keys(CLIENTS), "acme"].sort()));
    const before = readFileSync(join(home.memory, "MEMORY.md"), "utf8");
    expect((await dream()).report.outcome).toBe("unchanged");
    expect(readFileSync(join(home.memory, "MEMORY.md"), "utf8")).toBe(before);
  });

  it("is found by itself, and feeds one store", async () => {
    const { dream, person, folders, config } = everyone(() => FACTS);
    const paths = platformPaths({}, "linux", person);
    const values = configOf(checkConfig(config, person).values);
    const found = await discover(nodeFiles, { paths, config: values, cache: new Map() });
    expect(found.map(({ project }) => project)).toEqual(["/srv/app"]);
    const places = found[0]?.sessions.map((place) => (/\.(?:db|sqlite)$/.test(place) ? dirname(place) : place));
    expect(places?.sort()).toEqual(folders.sort());
    const ended = await dream({ layout: "claude-code", sessions: found[0]?.sessions ?? [], project: "/srv/app" });
    expect(ended.report.sessions).toMatchObject({ read: folders.length, dropped: {} });
  });

  it("is corrected by whoever spoke last, whatever client that was", async () => {
    const last = Object.keys(CLIENTS).length;
    const { home, dream } = everyone((i) => [
      i === last
        ? "The staging server is called plover now, not heron."
        : "Remember: the staging server is called heron.",
    ]);
    await dream();
    expect(statements(home)).toHaveLength(1);
    expect(statements(home)[0]).toContain("plover");
  });

  it("stays in its project, though another one shares its folders, its name, its organisation and its words", async () => {
    const person = realpathSync(mkdtempSync(join(tmpdir(), "memd-everyone-")));
    made.push(person);
    // Claude Code and Qwen Code put both into one folder, Codex and the databases always do.
    const projects = [
      { cwd: join(person, "a-b/acme/shop"), host: "heron", tag: "a" },
      { cwd: join(person, "a/b-acme/shop"), host: "plover", tag: "b" },
    ];
    for (const { cwd, host, tag } of projects) {
      mkdirSync(join(cwd, ".git"), { recursive: true });
      const texts = [
        `Remember: the staging server of the acme shop is called ${host}.`,
        `We decided that the acme shop is released from the branch ${host}-stable.`,
      ];
      for (const tell of [...Object.values(CLIENTS), acme])
        tell({ home: person, cwd, texts, at: START - 3 * DAY, tag });
    }
    const raw = { formats: [{ ...ACME, folders: [join(person, "acme")] }] };
    const config = configOf(checkConfig(raw, person).values);
    const paths = platformPaths({}, "linux", person);
    const stores = await discover(nodeFiles, { paths, config, cache: new Map() });
    expect(stores.map(({ project }) => project)).toEqual(projects.map(({ cwd }) => cwd));
    for (const { project, sessions } of stores) {
      const home = makeHome();
      made.push(home.root);
      await home.dream({}, { config: raw, store: { layout: "claude-code", sessions, project } });
      const [own, other] = project === projects[0]?.cwd ? ["heron", "plover"] : ["plover", "heron"];
      expect(statements(home).join("\n")).toContain(own);
      expect(statements(home).join("\n")).not.toContain(other);
      const { records } = readEvidence(nodeFiles, home.world().place.evidence);
      for (const { citations } of records) expect(citations.map(({ client }) => client)).toHaveLength(8);
    }
  });
});
