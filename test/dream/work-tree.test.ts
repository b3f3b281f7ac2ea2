import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { readEvidence } from "../../src/store/evidence.ts";
import { makeHome, START, talk } from "../support/home.ts";

const home = makeHome();
afterEach(() => home.remove());

it("keeps its evidence when somebody makes a git work tree around the memory, and out of every commit", async () => {
  home.session("one", talk(["From now on always run `make check` before a commit."], START - 3_600_000));
  await home.dream();
  const before = home.world().place.evidence;
  const { records } = readEvidence(nodeFiles, before);
  expect(records.length).toBeGreaterThan(0);

  mkdirSync(join(home.root, ".git"));
  await home.dream();
  const after = home.world().place.evidence;
  expect(after).toBe(join(home.state, "evidence.jsonl"));
  expect(readEvidence(nodeFiles, after).records).toEqual(records);
  expect(existsSync(before)).toBe(false);
});
