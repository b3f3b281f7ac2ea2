import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import { writeBriefFolder } from "../../src/distill/brief-folder.ts";
import { makeWorld, type World } from "./world.ts";

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

const BRIEF = [
  { path: "brief.json", text: "{}" },
  { path: "sessions/S1.md", text: "# S1" },
];

/** Files of a world in which something happens right after the n-th file was created. */
function filesWith(n: number, happening: () => void): Files {
  let created = 0;
  const scratch: Files["scratch"] = (path, data, mode) => {
    nodeFiles.scratch(path, data, mode);
    created += 1;
    if (created === n) happening();
  };
  return { ...nodeFiles, scratch };
}

describe("the brief folder", () => {
  it("holds exactly the brief's files, for its owner alone", () => {
    expect(writeBriefFolder(nodeFiles, world.folder, BRIEF)).toBe(world.folder);
    expect(readdirSync(world.folder, { recursive: true }).sort()).toEqual(["brief.json", "sessions", "sessions/S1.md"]);
    const modes = ["", "brief.json", "sessions", "sessions/S1.md"].map(
      (name) => statSync(join(world.folder, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o700, 0o600]);
  });

  it("is named by its real path, however it was reached", () => {
    symlinkSync(world.root, join(world.root, "way"));
    expect(writeBriefFolder(nodeFiles, join(world.root, "way", "brief"), BRIEF)).toBe(world.folder);
  });

  it("is made private when it stood open", () => {
    mkdirSync(world.folder, { mode: 0o755 });
    writeBriefFolder(nodeFiles, world.folder, BRIEF);
    expect(statSync(world.folder).mode & 0o777).toBe(0o700);
  });

  const planted: [string, () => void][] = [
    [
      "a link to a file of the user",
      () => symlinkSync(join(world.root, "secret.txt"), join(world.folder, "brief.json")),
    ],
    ["a link to a folder of the user", () => symlinkSync(world.root, join(world.folder, "sessions"))],
    ["a link to nothing", () => symlinkSync("nowhere", join(world.folder, "x"))],
    ["a file", () => writeFileSync(join(world.folder, "notes.md"), "x")],
    [
      "a second name of a file of the user",
      () => nodeFiles.link(join(world.root, "secret.txt"), join(world.folder, "x")),
    ],
  ];

  it.each(planted)("is refused when %s lies in it", (_, plant) => {
    mkdirSync(world.folder);
    plant();
    expect(() => writeBriefFolder(nodeFiles, world.folder, BRIEF)).toThrow(
      expect.objectContaining({ code: "brief-folder" }),
    );
  });

  it.each(planted.slice(2))("is refused when %s was put into it meanwhile", (_, plant) => {
    const files = filesWith(2, plant);
    expect(() => writeBriefFolder(files, world.folder, BRIEF)).toThrow(
      expect.objectContaining({ code: "brief-folder" }),
    );
  });

  it("is refused when a file of it got a second name meanwhile", () => {
    const files = filesWith(2, () => nodeFiles.link(join(world.folder, "brief.json"), join(world.root, "second")));
    expect(() => writeBriefFolder(files, world.folder, BRIEF)).toThrow(
      expect.objectContaining({ code: "brief-folder" }),
    );
  });

  it("is refused when a file of it went meanwhile", () => {
    const files = filesWith(2, () => void nodeFiles.unlink(join(world.folder, "brief.json")));
    expect(() => writeBriefFolder(files, world.folder, BRIEF)).toThrow(
      expect.objectContaining({ code: "brief-folder" }),
    );
  });

  it("is refused when it is itself a link", () => {
    mkdirSync(join(world.root, "elsewhere"));
    symlinkSync(join(world.root, "elsewhere"), world.folder);
    expect(() => writeBriefFolder(nodeFiles, world.folder, BRIEF)).toThrow(
      expect.objectContaining({ code: "brief-folder" }),
    );
    expect(readdirSync(join(world.root, "elsewhere"))).toEqual([]);
  });

  it("that cannot be used starts no child", async () => {
    mkdirSync(world.folder);
    symlinkSync(join(world.root, "secret.txt"), join(world.folder, "link"));
    const told = await world.run("misbehave", "silence");
    expect(told.error).toMatchObject({ family: "misconfigured", code: "brief-folder" });
    expect(told.pid).toBe(0);
  });
});
