import { afterEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { HOUR, type Home, makeHome, START, talk } from "../support/home.ts";

const homes: Home[] = [];
afterEach(() => {
  for (const made of homes.splice(0)) made.remove();
});

const fullFor = (name: string) => {
  const full = (path: string) => {
    if (path.endsWith(`memory/${name}`)) throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
  };
  return {
    ...nodeFiles,
    rename: (from: string, to: string) => {
      full(to);
      nodeFiles.rename(from, to);
    },
    link: (from: string, to: string) => {
      full(to);
      nodeFiles.link(from, to);
    },
  };
};

describe("a run whose writing fails", () => {
  it.each(["project-facts.md", "MEMORY.md"])("reports no file that it rolled back (%s)", async (name) => {
    const at = makeHome();
    homes.push(at);
    at.topic("MEMORY.md", "# Memory\n");
    at.session("s", talk(["Remember: the mirror host is named plover."], START - HOUR));
    const { report } = await at.dream({}, { files: fullFor(name) });
    expect(report).toMatchObject({ outcome: "failed", code: "disk-full" });
    expect(report.files).toEqual({ created: [], updated: [], archived: [] });
    expect(report.changes).toEqual([]);
    expect(at.read("MEMORY.md")).toBe("# Memory\n");
    const again = await at.dream();
    expect(again.report.files.created).toEqual(["project-facts.md"]);
  });
});
