import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { sha256 } from "../../src/base/ids.ts";
import { faultyFiles, untilDeath } from "../support/faulty-files.ts";
import {
  AFTER,
  applyRun,
  BEFORE,
  MACHINE,
  makeWorld,
  NOW,
  RUN,
  recoverWorld,
  removeWorlds,
  tempsOf,
  textsOf,
  traceOf,
  type World,
} from "./world.ts";

afterEach(removeWorlds);

const journal = (world: World, ...parts: string[]) => join(world.memory, ".memd", "journal", ...parts);

/** A world whose process died when the index was about to be replaced. */
function killed(): World {
  const calm = faultyFiles(nodeFiles);
  applyRun(makeWorld(), calm);
  const renames = calm.calls.filter(({ verb, path }) => verb === "rename" && path.includes(".memd-tmp-"));
  const world = makeWorld();
  const dieAt = renames.find((_, i) => i === 2)?.number ?? 0;
  const files = faultyFiles(nodeFiles, { dieAt });
  expect(untilDeath(files, () => applyRun(world, files))).toBe("death");
  return world;
}

/** Rewrites the manifest that a crash left. */
function forge(world: World, change: (manifest: Record<string, unknown>) => void): void {
  const path = journal(world, MACHINE, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  change(manifest);
  writeFileSync(path, JSON.stringify(manifest));
}

describe("recovery", () => {
  it("finishes the run and says which, with what can undo it", () => {
    const world = killed();
    const recovered = recoverWorld(world);
    expect(recovered).toMatchObject({ outcome: "finished", run: RUN, kind: "apply", temps: 1, notices: [] });
    expect(recovered.undo?.files.map(({ file }) => file).sort()).toEqual([
      "MEMORY.md",
      "fresh.md",
      "limits.md",
      "old.md",
    ]);
    expect(textsOf(world)).toEqual(AFTER);
  });

  it("has nothing to do after a run that ended", () => {
    const world = makeWorld();
    applyRun(world);
    expect(recoverWorld(world)).toEqual({ outcome: "clean", run: null, kind: null, undo: null, temps: 0, notices: [] });
  });

  it.each(["in place", "by rename"])(
    "takes the run back when someone edited one of its files %s after the crash",
    (how) => {
      const world = killed();
      const path = join(world.memory, "MEMORY.md");
      const target = how === "in place" ? path : join(world.root, "edited");
      writeFileSync(target, `${BEFORE["MEMORY.md"]}- my own line\n`);
      if (target !== path) renameSync(target, path);
      expect(recoverWorld(world)).toMatchObject({ outcome: "taken-back", run: RUN, undo: null });
      expect(textsOf(world)).toEqual({ ...BEFORE, "MEMORY.md": `${BEFORE["MEMORY.md"]}- my own line\n` });
      expect(traceOf(world)).toMatchObject({ evidence: [], archived: [], journal: false, temps: [] });
    },
  );

  it("keeps a new topic that someone's index names already, though the run is taken back", () => {
    const world = killed();
    const index = `${BEFORE["MEMORY.md"]}- [mine](fresh.md)\n`;
    writeFileSync(join(world.memory, "MEMORY.md"), index);
    recoverWorld(world);
    expect(textsOf(world)).toEqual({ ...BEFORE, "MEMORY.md": index, "fresh.md": AFTER["fresh.md"] });
  });
});

describe("a crash while a topic was moved away", () => {
  it("gives the topic back when someone had just written into it", () => {
    const calm = faultyFiles(nodeFiles);
    applyRun(makeWorld(), calm);
    const away = calm.calls.find(({ verb, path }) => verb === "rename" && path.endsWith("/old.md"))?.number ?? 0;
    const world = makeWorld();
    const edited = `${BEFORE["old.md"]}- my own line\n`;
    const before = (call: { number: number }) => {
      if (call.number === away) writeFileSync(join(world.memory, "old.md"), edited);
    };
    const files = faultyFiles(nodeFiles, { dieAt: away + 1, before });
    expect(untilDeath(files, () => applyRun(world, files))).toBe("death");
    expect(existsSync(join(world.memory, "old.md"))).toBe(false);
    recoverWorld(world);
    expect(textsOf(world)["old.md"]).toBe(edited);
    expect(traceOf(world)).toMatchObject({ journal: false, temps: [] });
  });
});

describe("a journal that is not this machine's", () => {
  it("is reported and never replayed, and this machine's runs go on beside it", () => {
    const world = killed();
    renameSync(journal(world, MACHINE), journal(world, "machine-b"));
    const states = textsOf(world);
    const recovered = recoverWorld(world);
    expect(recovered).toMatchObject({ outcome: "clean", notices: [{ code: "foreign-journal" }] });
    expect(textsOf(world)).toEqual(states);
    expect(existsSync(journal(world, "machine-b", "manifest.json"))).toBe(true);
  });

  it("is not replayed when it was copied under this machine's name", () => {
    const world = killed();
    forge(world, (manifest) => {
      manifest.machine = "machine-b";
    });
    const states = textsOf(world);
    expect(recoverWorld(world)).toMatchObject({ outcome: "damaged", notices: [{ code: "journal-damaged" }] });
    expect(textsOf(world)).toEqual(states);
  });
});

describe("a journal that is damaged or forged", () => {
  const hostile = (file: string) => ({
    file,
    before: null,
    after: "owned",
    beforeHash: null,
    afterHash: sha256("owned"),
    mode: 0o4777,
    mtime: null,
    beforeMtime: null,
  });

  it.each(["../outside.md", "/etc/passwd.md", "a/b.md", ".bashrc", ".memd.md"])("writes nothing to %s", (file) => {
    const world = killed();
    forge(world, (manifest) => {
      manifest.files = [hostile(file)];
    });
    expect(recoverWorld(world).outcome).toBe("damaged");
    expect(existsSync(join(world.root, "outside.md"))).toBe(false);
  });

  it("is set aside with its old texts, and the next run works", () => {
    const world = killed();
    writeFileSync(journal(world, MACHINE, "manifest.json"), "{ half a mani");
    expect(recoverWorld(world).outcome).toBe("damaged");
    const aside = join(world.memory, ".memd", `damaged-journal-${MACHINE}`);
    const texts = nodeFiles.list(aside).map(({ name }) => readFileSync(join(aside, name), "utf8"));
    expect(texts).toContain(BEFORE["limits.md"]);
    expect(recoverWorld(world)).toMatchObject({ outcome: "clean", notices: [] });
  });

  it("is not believed when a text does not fit its hash", () => {
    const world = killed();
    forge(world, (manifest) => {
      const [first] = manifest.files as { after: string }[];
      if (first) first.after = "changed on the disk";
    });
    expect(recoverWorld(world).outcome).toBe("damaged");
  });

  it("is just dropped when the crash came before it was written", () => {
    const world = makeWorld();
    mkdirSync(journal(world, MACHINE), { recursive: true });
    cpSync(join(world.memory, "limits.md"), journal(world, MACHINE, "0123456789ab.found"));
    expect(recoverWorld(world)).toMatchObject({ outcome: "clean", notices: [] });
    expect(traceOf(world).journal).toBe(false);
    expect(textsOf(world)).toEqual(BEFORE);
  });
});

describe("temp files", () => {
  const left = (world: World, name: string, ageMs: number) => {
    writeFileSync(join(world.memory, name), "half a te");
    utimesSync(join(world.memory, name), (NOW - ageMs) / 1000, (NOW - ageMs) / 1000);
  };

  it("of this machine go at once, others after an hour, and younger ones are reported", () => {
    const world = makeWorld();
    left(world, `.memd-tmp-${MACHINE}-run-x`, 0);
    left(world, ".memd-tmp-machine-b-run-old", 3_700_000);
    left(world, ".memd-tmp-machine-b-run-young", 60_000);
    expect(recoverWorld(world)).toMatchObject({ temps: 2, notices: [{ code: "foreign-temp" }] });
    expect(tempsOf(world)).toEqual(["memory/.memd-tmp-machine-b-run-young"]);
  });
});
