import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { projectContext } from "../../src/steps/context.ts";

let project: string;
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), "memd-context-")));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(project, name), text);

describe("what a project tells its agents", () => {
  it("is read from the file of each of them", () => {
    write("CLAUDE.md", "Use pnpm.");
    write("AGENTS.md", "Use tabs.");
    write("GEMINI.md", "Answer in French.");
    write("CLAUDE.local.md", "Call me Ada.");
    expect(projectContext(nodeFiles, project)).toEqual([
      { file: "CLAUDE.md", text: "Use pnpm." },
      { file: "AGENTS.md", text: "Use tabs." },
      { file: "GEMINI.md", text: "Answer in French." },
      { file: "CLAUDE.local.md", text: "Call me Ada." },
    ]);
  });

  it("is read once where one file is a link to another", () => {
    write("AGENTS.md", "Use tabs.");
    symlinkSync("AGENTS.md", join(project, "GEMINI.md"));
    expect(projectContext(nodeFiles, project)).toEqual([{ file: "AGENTS.md", text: "Use tabs." }]);
  });

  it("is cut where it is too long, and left out where it is huge, no file, or outside", () => {
    write("CLAUDE.md", "x".repeat(100_000));
    write("AGENTS.md", "x".repeat(300_000));
    mkdirSync(join(project, "GEMINI.md"));
    symlinkSync("/etc/hostname", join(project, "CLAUDE.local.md"));
    const [only, ...rest] = projectContext(nodeFiles, project);
    expect([only?.file, rest]).toEqual(["CLAUDE.md", []]);
    expect(only?.text.length).toBeLessThanOrEqual(40_000);
  });
});
