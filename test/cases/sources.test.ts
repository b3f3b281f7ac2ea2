import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { expiringConditions } from "../../src/commands/expiring.ts";
import { loadStoreState } from "../../src/ledger/store-state.ts";
import { scanNow } from "../../src/steps/run.ts";
import { DAY, HOUR, type Home, makeHome, START, talk, transcript } from "../support/home.ts";

const homes: Home[] = [];
function home(): Home {
  const made = makeHome();
  homes.push(made);
  return made;
}
afterEach(() => {
  for (const made of homes.splice(0)) made.remove();
});

const codes = (at: Home) => loadStoreState(nodeFiles, at.state).conditions.map(({ code }) => code);

/** A headless one-shot session: a script's, which does not count. */
function oneShot(at: Home, name: string): void {
  const text = transcript(name, talk([`Format file ${name}.`], START - HOUR)).replaceAll('"cli"', '"sdk-cli"');
  writeFileSync(join(at.sessions, `${name}.jsonl`), text);
}

describe("what is wrong with the sources", () => {
  it("is told by a dream at once that finds most sessions dropped", async () => {
    const at = home();
    for (const name of ["a", "b", "c"]) oneShot(at, name);
    at.session("mine", talk(["Remember: the staging box is called heron."], START - HOUR));
    await at.dream();
    expect(codes(at)).toContain("most-sessions-dropped");
  });

  it("is told by a scan that leaves the gates closed", async () => {
    const at = home();
    for (const name of ["a", "b", "c"]) oneShot(at, name);
    await at.dream({ now: false, cause: "cron" });
    expect(codes(at)).toContain("most-sessions-dropped");
  });

  it("is no longer told once a scan finds it mended", async () => {
    const at = home();
    for (const name of ["a", "b", "c"]) oneShot(at, name);
    await at.dream();
    for (const name of ["d", "e", "f", "g"]) at.session(name, talk(["Let us look at the parser."], START));
    at.clock.move(DAY);
    const world = at.world();
    await scanNow(world, new AbortController().signal);
    await world.close();
    expect(codes(at)).not.toContain("most-sessions-dropped");
  });

  it("says nothing of one session that somebody opened and left", async () => {
    const at = home();
    oneShot(at, "a");
    await at.dream();
    // Where SQLite does not load, that is what is wrong, and nothing else.
    expect(codes(at).filter((code) => code !== "no-sqlite")).toEqual([]);
  });

  it("names both projects when two share a transcript folder", async () => {
    const at = home();
    const say = (name: string, cwd: string) =>
      writeFileSync(
        join(at.sessions, `${name}.jsonl`),
        transcript(name, talk(["We use Postgres 15."], START - HOUR), cwd),
      );
    mkdirSync(at.memory, { recursive: true });
    say("one", "/home/ana/code/data-hub-api");
    say("two", "/home/ana/code/data-hub/api");
    const world = at.world();
    const { project: _, ...store } = world.store;
    await scanNow(
      { ...world, store: { ...store, project: "/home/ana/code/data-hub-api" } },
      new AbortController().signal,
    );
    await world.close();
    const [condition] = loadStoreState(nodeFiles, at.state).conditions;
    expect(condition?.message).toMatch(/data-hub-api, .*data-hub\/api$/);
    expect(condition?.code).toBe("shared-folder");
  });
});

describe("sessions that their client is about to delete", () => {
  const unread = (days: number) => ({
    ...loadStoreState(nodeFiles, "/nowhere"),
    lastScan: { at: START, seen: 3, counted: 2, unread: 2, dropped: {}, oldestUnread: START - days * DAY },
  });

  it.each([
    [27, ["sessions-expiring"]],
    [21, ["sessions-expiring"]],
    [20, []],
  ])("are told of by status when the oldest is %i days old", (days, codes) => {
    const told = expiringConditions("app", unread(days), { now: START, expiringAfter: 21 * DAY });
    expect(told.map(({ code }) => code)).toEqual(codes);
  });

  it("are not told of once they were read", () => {
    const state = {
      ...loadStoreState(nodeFiles, "/nowhere"),
      lastScan: { ...unread(27).lastScan, unread: 0, oldestUnread: null },
    };
    expect(expiringConditions("app", state, { now: START, expiringAfter: 21 * DAY })).toEqual([]);
  });
});

describe("sessions that may not be read", () => {
  const shut = (name: string) => ({
    ...nodeFiles,
    list: (path: string) => {
      if (path.endsWith(name)) throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
      return nodeFiles.list(path);
    },
  });
  const inFolder = (at: Home, folder: string, text: string) => {
    mkdirSync(join(at.sessions, folder), { recursive: true });
    writeFileSync(join(at.sessions, folder, "s.jsonl"), transcript(folder, talk([text], START - HOUR)));
  };

  it("are named while the others are read", async () => {
    const at = home();
    inFolder(at, "open", "Remember: the staging box is called heron.");
    inFolder(at, "shut", "Remember: the mirror host is named plover.");
    const { report } = await at.dream({}, { files: shut("/shut") });
    expect(report).toMatchObject({ outcome: "done", sessions: { dropped: { "unreadable-folder": 1 } } });
    expect(codes(at)).toContain("unreadable-folder");
  });

  it.each([true, false])("are a failure, no quiet day, when there are no others (--now: %s)", async (now) => {
    const at = home();
    inFolder(at, "shut", "Remember: the mirror host is named plover.");
    const { report, exit } = await at.dream({ now }, { files: shut("/shut") });
    expect(report).toMatchObject({ outcome: "failed", code: "no-permission", stampAfter: 0 });
    expect(exit).toBe(78);
    expect(loadStoreState(nodeFiles, at.state).lastSuccessAt).toBeNull();
  });
});
