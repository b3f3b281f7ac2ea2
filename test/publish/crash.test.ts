/** A process that dies while it publishes: the file is whole, and what follows works as if nothing had happened. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { type FaultyFiles, faultyFiles } from "../support/faulty-files.ts";
import { makeProject, type Project } from "./world.ts";

const RULES = "# Rules\r\nUse pnpm.";
const TOPIC = "---\nname: rules\ndescription: Rules\nmetadata:\n  type: feedback\n---\n\n- Run make check.\n";

let app: Project;
const fresh = () => {
  app = makeProject();
  app.home.topic("rules.md", TOPIC);
  app.write("AGENTS.md", RULES);
};
beforeEach(fresh);
afterEach(() => app.home.remove());

type Act = (files?: FaultyFiles) => Promise<unknown>;
const ACTS: readonly (readonly [what: string, prepare: () => Promise<unknown>, act: Act])[] = [
  [
    "puts a block into a file",
    async () => undefined,
    (files) => app.publish({ named: ["AGENTS.md"] }, files ? { files } : {}),
  ],
  [
    "makes a file",
    async () => undefined,
    (files) => app.publish({ named: ["GEMINI.md"], create: true }, files ? { files } : {}),
  ],
  [
    "renews a block",
    async () => {
      await app.publish({ named: ["AGENTS.md"] });
      app.home.topic("rules.md", TOPIC.replace("make check", "make test"));
    },
    (files) => app.publish({}, files ? { files } : {}),
  ],
  [
    "takes a block out",
    () => app.publish({ named: ["AGENTS.md"] }),
    (files) => app.publish({ remove: true }, files ? { files } : {}),
  ],
];

const texts = () => ["AGENTS.md", "GEMINI.md"].map((name) => (existsSync(app.path(name)) ? app.read(name) : null));

describe("dying at any verb while memd", () => {
  it.each(ACTS)("%s leaves the file before or after, and nothing beside it", async (_, prepare, act) => {
    await prepare();
    const old = texts();
    const whole = faultyFiles(nodeFiles);
    await act(whole);
    const done = texts();
    const meant = whole.calls.filter(({ path }) => /\/code\/app\b|\/publish(?:ed)?\b/.test(path));
    expect(meant.length).toBeGreaterThan(10);
    for (const { number: dieAt } of meant) {
      app.home.remove();
      fresh();
      await prepare();
      const files = faultyFiles(nodeFiles, { dieAt });
      await Promise.resolve()
        .then(() => act(files))
        .catch(() => undefined);
      expect([JSON.stringify(old), JSON.stringify(done)]).toContain(JSON.stringify(texts()));
      // What tells a dead holder is told elsewhere; here its process lives on.
      for (const name of [".memd/lease.lock", ".memd/lease.json", ".consolidate-lock"])
        rmSync(join(app.home.memory, name), { recursive: true, force: true });
      await act();
      expect(texts()).toEqual(done);
      expect(readdirSync(app.folder).filter((name) => !/^(?:AGENTS|GEMINI)\.md$/.test(name))).toEqual([]);
      await app.publish({ named: ["AGENTS.md", "GEMINI.md"], remove: true });
      expect(texts()).toEqual([RULES, null]);
    }
  });
});
