/** What is watched where a store's sessions lie in a database. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import type { Store } from "../../src/ports.ts";
import { placesOf } from "../../src/triggers/places.ts";

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

it("is the database's folder, where its log grows, and none of what else the client keeps there", () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "memd-places-")));
  made.push(home);
  const root = join(home, "agents");
  const folder = join(root, "main/agent");
  mkdirSync(join(folder, "snapshot/objects"), { recursive: true });
  writeFileSync(join(folder, "openclaw-agent.sqlite"), "");
  const store: Store = {
    name: "claw",
    layout: "claude-code",
    memory: join(home, "memory"),
    sessions: [join(folder, "openclaw-agent.sqlite")],
    logs: [],
    project: home,
    paused: false,
    state: join(home, "state"),
  };
  const places = placesOf(nodeFiles, { stores: [store], roots: [root] });
  // Only a new agent beside this one is worth looking for stores again, not each word that is said to it.
  expect([...places].map(([path, keys]) => [path, [...keys]])).toEqual([
    [folder, [store.memory]],
    [join(root, "main"), [""]],
  ]);
});
