/** A dream over sessions that lie in databases, from a person's words to a topic and back to the row they came from. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { loadStoreState } from "../../src/ledger/store-state.ts";
import { surveySources } from "../../src/steps/sources.ts";
import { readEvidence } from "../../src/store/evidence.ts";
import { type Home, makeHome } from "../support/home.ts";
import { describeWithSqlite } from "../support/sqlite.ts";
import { openclaw } from "./openclaw-world.ts";
import { opencode } from "./opencode-world.ts";
import { live, put } from "./world.ts";

let home: Home;
afterEach(() => home.remove());

const RULE = "Always use pnpm in this repository, never npm, because the lock file is pnpm's.";

interface Talking {
  talk(texts: readonly string[]): void;
}

const CLIENTS: [name: string, path: string, start: (path: string) => Talking][] = [
  [
    "opencode",
    ".local/share/opencode/opencode.db",
    (path) => {
      const client = opencode(path);
      client.session();
      return client;
    },
  ],
  [
    "openclaw",
    ".openclaw/agents/main/agent/openclaw-agent.sqlite",
    (path) => {
      const client = openclaw(path);
      client.window();
      return client;
    },
  ],
];

describeWithSqlite("a dream over a database", () => {
  it.each(CLIENTS)("of %s remembers a rule, cites its row, and reads nothing twice", async (_, name, start) => {
    home = makeHome();
    const path = join(home.sessions, name);
    const client = start(path);
    client.talk(["Hello there.", RULE]);
    const first = await home.dream({ now: true });
    expect(first.report).toMatchObject({ outcome: "done", sessions: { read: 1 } });
    const topics = readdirSync(home.memory).filter((file) => file.endsWith(".md") && file !== "MEMORY.md");
    expect(topics.map((file) => readFileSync(join(home.memory, file), "utf8")).join("\n")).toContain("pnpm");
    const { records } = readEvidence(nodeFiles, join(home.memory, ".memd/evidence.jsonl"));
    const [citation] = records.flatMap(({ citations }) => citations);
    expect(citation).toMatchObject({ file: `${path}#ses_1`, session: "ses_1", speaker: "user" });
    expect(citation?.line).toBeGreaterThan(1);
    const second = await home.dream({ now: true });
    expect(second.report).toMatchObject({ outcome: "unchanged", reason: "nothing-new" });
    client.talk(["Always write release notes in English, because the Berlin team reads them."]);
    const third = await home.dream({ now: true });
    expect(third.report).toMatchObject({ outcome: "done", sessions: { read: 1 } });
  });

  it("goes on without a database that is broken, and says so", async () => {
    home = makeHome();
    put(join(home.sessions, "opencode.db"), "no database ".repeat(100));
    const { report } = await home.dream({ now: true });
    expect(report.sessions?.dropped).toMatchObject({ "database-unusable": 1 });
    const { conditions } = loadStoreState(nodeFiles, home.store.state);
    expect(conditions.map(({ code }) => code)).toContain("database-unusable");
  });

  it("is told of by memd sources where it is closed, though no store is found for what it holds", async () => {
    home = makeHome();
    const path = put(join(home.root, ".local/share/opencode/opencode.db"), "no database ".repeat(100));
    const places = [join(home.root, ".local/share/opencode"), join(home.root, ".openclaw/agents")];
    const views = await surveySources(nodeFiles, [], { formats: [], signal: live(), places });
    expect(views).toMatchObject([{ store: null, client: "opencode", folder: path, sessions: 0 }]);
    expect(views[0]?.problems.map(({ code }) => code)).toEqual(["database-unusable"]);
    const named = { ...home.store, sessions: [join(home.root, ".local/share/opencode")] };
    const told = await surveySources(nodeFiles, [named], { formats: [], signal: live(), places });
    expect(told.flatMap(({ problems }) => problems.map(({ code }) => code))).toEqual(["database-unusable"]);
  });
});
