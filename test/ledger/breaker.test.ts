import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { sha256 } from "../../src/base/ids.ts";
import { openBreaker } from "../../src/ledger/breaker.ts";
import { scratch } from "./samples.ts";

const DAY = 86_400_000;
const ERROR = { code: "bad-key", message: "the endpoint answered 401", hint: "Check the key." };

function breakerIn(folder = scratch()) {
  const world = { now: 1_000, key: "one" };
  let serial = 0;
  const breaker = openBreaker(
    {
      files: nodeFiles,
      clock: { now: () => world.now },
      token: () => `t${++serial}`,
      fingerprint: (salt) => sha256(`${salt} ${world.key}`),
    },
    folder,
  );
  return { world, breaker, path: join(folder, "breaker.json") };
}

describe("the breaker", () => {
  it("stands until the key changes", () => {
    const { world, breaker } = breakerIn();
    expect(breaker.tripped()).toBeNull();
    breaker.trip(ERROR);
    expect(breaker.tripped()).toEqual({ ...ERROR, since: 1_000, until: 1_000 + DAY });
    world.key = "two";
    expect(breaker.tripped()).toBeNull();
    world.key = "one";
    expect(breaker.tripped()).not.toBeNull();
  });

  it("stands for a day at most, and no longer because a clock was set back", () => {
    const { world, breaker } = breakerIn();
    breaker.trip(ERROR);
    world.now += DAY - 1;
    expect(breaker.tripped()).not.toBeNull();
    world.now += 1;
    expect(breaker.tripped()).toBeNull();
    world.now = 0;
    expect(breaker.tripped()).toBeNull();
  });

  it("goes when the endpoint answers", () => {
    const { breaker } = breakerIn();
    breaker.trip(ERROR);
    breaker.mend();
    expect(breaker.tripped()).toBeNull();
    breaker.mend();
  });

  it("stays for the key that was refused when another one works", () => {
    const { world, breaker } = breakerIn();
    breaker.trip(ERROR);
    world.key = "two";
    breaker.mend();
    world.key = "one";
    expect(breaker.tripped()).not.toBeNull();
  });

  it("says nothing about the key in its file, and takes a damaged one for none", () => {
    const { world, breaker, path } = breakerIn();
    world.key = "sk-secret-value";
    breaker.trip(ERROR);
    const text = readFileSync(path, "utf8");
    expect(text).not.toContain("secret");
    expect(text).not.toContain(sha256(" sk-secret-value"));
    for (const damage of ["", "[]", "{", '{"code":1}', text.replace('"since":1000', '"since":"x"')]) {
      writeFileSync(path, damage);
      expect(breaker.tripped()).toBeNull();
    }
  });
});
