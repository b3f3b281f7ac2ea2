import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, talk, transcript } from "../support/home.ts";
import { filesWith } from "./world.ts";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "memd-control-"));
  mkdirSync(join(home, "sessions"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function memd(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [MEMD, ...args], {
    env: { PATH: process.env["PATH"] ?? "", HOME: home, TZ: "UTC" },
    cwd: home,
    encoding: "utf8",
  });
}

function json(...args: string[]) {
  const { status, stdout } = memd(...args, "--json");
  return { status, value: JSON.parse(stdout) };
}

function say(name: string, texts: readonly string[], at: number): void {
  writeFileSync(join(home, "sessions", `${name}.jsonl`), transcript(name, talk(texts, at)));
}

const dream = () => json("dream", "--now", "--memory", join(home, "memory"), "--sessions", join(home, "sessions"));
const ORBIT = "Bugs are tracked in the Linear project ORBIT.";
const everywhere = () => filesWith("Linear project ORBIT", join(home, "memory"), join(home, ".local"));

describe("memd forget", () => {
  it("lists what it would forget, needs a yes, and then leaves nothing of it", () => {
    say("a", [ORBIT, "Always squash commits before merging."], Date.now() - DAY);
    dream();
    const asked = memd("forget", "ORBIT");
    expect(asked.status).toBe(2);
    expect(asked.stdout).toContain(ORBIT);
    expect(asked.stderr).toContain("--yes");
    expect(everywhere().length).toBeGreaterThan(0);
    const { status, value } = json("forget", "ORBIT", "--yes");
    expect(status).toBe(0);
    expect(value).toMatchObject({
      run: expect.stringMatching(/^\d{8}T/),
      entries: 1,
      conflicts: [],
      files: { created: [] },
    });
    expect(everywhere()).toEqual([]);
    expect(json("history", "--limit", "1").value.runs[0]).toMatchObject({ id: value.run, cause: "forget" });
    expect(json("why", "ORBIT").value.entries).toEqual([]);
    expect(json("why-not", ORBIT).value.tombstones).toEqual([expect.objectContaining({ cause: "forget" })]);
    expect(json("forget", "ORBIT", "--yes")).toMatchObject({ status: 0, value: { run: null, entries: 0 } });
  });
});

describe("memd pin, questions and answer", () => {
  it("pin by words, ask for closer ones, and unpin", () => {
    say("a", [ORBIT, "Designs are kept in the Figma project ORBIT-UI."], Date.now() - DAY);
    dream();
    const many = memd("pin", "ORBIT");
    expect(many.status).toBe(2);
    expect(many.stderr).toContain("Figma");
    expect(json("pin", "Linear", "ORBIT")).toMatchObject({ status: 0, value: { entries: 1, conflicts: [] } });
    expect(json("why", "Linear").value.entries[0]).toMatchObject({ pinned: true });
    expect(memd("unpin", "Linear").stdout).toContain("Unpinned: 1 entry");
    expect(memd("pin", "no such entry").status).toBe(2);
  });

  it("show a contradiction with its citation, and settle it by a cited answer", () => {
    say("a", ["Always squash commits before merging."], Date.now() - 3 * DAY);
    dream();
    say("b", ["Never squash commits before merging."], Date.now() - DAY);
    expect(dream().value.runs[0]).toMatchObject({ questions: 1 });
    const [question] = json("questions").value.questions;
    expect(question).toMatchObject({
      id: expect.any(String),
      store: expect.any(String),
      entries: [expect.any(String)],
      citations: [{ speaker: "user", quote: "Never squash commits before merging." }],
    });
    expect(memd("questions").stdout).toContain("memd answer ID");
    expect(memd("answer", question.id).status).toBe(2);
    expect(memd("answer", "nothing", "keep").status).toBe(2);
    expect(json("answer", question.id, "replace")).toMatchObject({
      status: 0,
      value: { entries: 1, conflicts: [], refused: [] },
    });
    const [entry] = json("why", "squash").value.entries;
    expect(entry.text).toContain("Never squash");
    const own = entry.citations.find(({ client }: { client: string }) => client === "memd");
    expect(JSON.parse(readFileSync(own.file, "utf8").split("\n")[own.line - 1] ?? "").text).toBe(own.quote);
    expect(json("questions").value.questions).toEqual([]);
    expect(json("undo", "last").status).toBe(0);
    expect(json("why", "squash").value.entries[0].text).toContain("Always squash");
  });
});

describe("every command of a person's control", () => {
  it.each(["forget", "pin", "unpin", "questions", "answer"])(
    "%s has a help with one example and an exit status, and refuses to guess",
    (name) => {
      const { stdout, status } = memd(name, "--help");
      expect(status).toBe(0);
      expect(stdout).toMatch(/^Example:\n {2}memd /m);
      expect(stdout).toContain("Exit status:");
      if (name !== "questions") expect(memd(name).status).toBe(2);
      expect(memd(name, "--yess").status).toBe(2);
    },
  );
});
