import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import type { Event, EventSink } from "../../src/ledger/event.ts";
import { conditionEvents, openEventLog } from "../../src/ledger/event-log.ts";
import { endOfEvents, eventsAfter } from "../../src/ledger/event-reader.ts";
import { faultyFiles } from "../support/faulty-files.ts";
import { manualClock } from "../support/home.ts";

let state: string;
beforeEach(() => {
  state = join(mkdtempSync(join(tmpdir(), "memd-events-")), "state");
});
afterEach(() => rmSync(join(state, ".."), { recursive: true, force: true }));

const clock = manualClock();
let serial = 0;
const log = (files = nodeFiles): EventSink => openEventLog({ files, clock, state, token: () => `t${serial++}` });
const path = () => join(state, "events.jsonl");
const asked = (question: string): Event => ({ event: "question-asked", store: "app", question });
const all = (after = 0) => [...eventsAfter(nodeFiles, state, after)];
const questions = (after = 0) => all(after).map(({ question }) => question);

/** Some 49 KB per event: two dozen fill a file. */
const BIG = "x".repeat(490);
function fill(sink: EventSink, count: number, from = 0): void {
  for (let i = from; i < from + count; i++)
    sink.emit({
      event: "memory-changed",
      store: "app",
      run: String(i),
      cause: "dream",
      created: Array(100).fill(BIG),
      updated: [],
      archived: [],
    });
}

describe("the event log", () => {
  it("keeps what happened, with version, time and a number that only grows", () => {
    const sink = log();
    sink.emit({ event: "dream-began", store: "app", run: "r1", cause: "now" });
    sink.emit({ event: "daemon-stopped", pid: 7, reason: "SIGTERM" });
    const [one, two] = all();
    expect(one).toEqual({
      v: 1,
      seq: one?.seq,
      at: "2026-11-30T08:00:00.000Z",
      event: "dream-began",
      store: "app",
      run: "r1",
      cause: "now",
    });
    expect(two?.seq).toBeGreaterThan(one?.seq ?? Number.POSITIVE_INFINITY);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(sink.trouble).toBeNull();
  });

  it("makes nothing before something happens, and is empty without a file", () => {
    log();
    expect(existsSync(state)).toBe(false);
    expect([all(), endOfEvents(nodeFiles, state)]).toEqual([[], 0]);
  });

  it("goes on after any number, which is how a program that was away finds what it missed", () => {
    const sink = log();
    for (const name of ["a", "b", "c"]) sink.emit(asked(name));
    const [, b] = all();
    expect(questions(b?.seq)).toEqual(["c"]);
    const end = endOfEvents(nodeFiles, state);
    expect(questions(end)).toEqual([]);
    sink.emit(asked("d"));
    expect(questions(end)).toEqual(["d"]);
  });

  it("is shared by processes that write at the same time", () => {
    const [daemon, command] = [log(), log()];
    for (let i = 0; i < 50; i++) [daemon, command][i % 2]?.emit(asked(String(i)));
    expect(questions()).toEqual(Array.from({ length: 50 }, (_, i) => String(i)));
  });

  it("loses one line to a crash in the middle of it, and no other", () => {
    log().emit(asked("before"));
    log().emit(asked("torn"));
    truncateSync(path(), statSync(path()).size - 20);
    expect(questions()).toEqual(["before"]);
    log().emit(asked("after"));
    expect(questions()).toEqual(["before", "after"]);
  });

  it("finds the whole line at the end of one that another process tore meanwhile", () => {
    const sink = log();
    sink.emit(asked("before"));
    appendFileSync(path(), '{"v":1,"at":"2026-11-30T08');
    sink.emit(asked("after"));
    expect(questions()).toEqual(["before", "after"]);
  });

  it("passes by what is no event, and shows those of a later version", () => {
    mkdirSync(state);
    const odd = ["", "null", "[]", '{"v":1}', '{"v":1,"event":"x","at":"never"}', "\u0000\u0000", "{".repeat(5_000)];
    const later = '{"v":2,"at":"2027-01-01T00:00:00.000Z","event":"moon-phase","phase":"full"}';
    writeFileSync(path(), `${[...odd, later].join("\n")}\n`);
    expect(all().map(({ event }) => event)).toEqual(["moon-phase"]);
  });

  it("survives one line of many megabytes that is none of ours", () => {
    log().emit(asked("before"));
    appendFileSync(path(), `${"y".repeat(3_000_000)}\n`);
    log().emit(asked("after"));
    expect(questions()).toContain("before");
    expect(questions().at(-1)).toBe("after");
  });

  it("cuts a message that is longer than any of ours, and half characters", () => {
    log().emit({ event: "condition-raised", store: null, code: "x", message: `\uD800${"z".repeat(10_000)}` });
    expect(String(all()[0]?.["message"]).length).toBeLessThanOrEqual(500);
    expect(readFileSync(path(), "utf8")).not.toContain("\\ud800");
  });
});

it("keeps no text that a condition quotes from memory: those lines would outlive what a person forgets", () => {
  log().emit({
    event: "condition-raised",
    store: "app",
    code: "index-stale",
    message: "MEMORY.md may still tell what has changed:\n- [Box](box.md) — called heron",
  });
  expect(all()[0]).toMatchObject({ message: "MEMORY.md may still tell what has changed:" });
});

describe("an event log that is full", () => {
  it("goes on in a new file: numbers grow, nothing is told twice, and the whole stays small", () => {
    const sink = log();
    fill(sink, 300);
    const names = readdirSync(state).filter((name) => name.startsWith("events-"));
    expect(names.length).toBeLessThanOrEqual(7);
    const bytes = readdirSync(state).reduce((sum, name) => sum + statSync(join(state, name)).size, 0);
    expect(bytes).toBeLessThan(9 * 1_048_576);
    const told = all();
    const runs = told.map(({ run }) => Number(run));
    expect(runs).toEqual(Array.from(runs, (_, i) => 300 - runs.length + i));
    expect(told.every(({ seq }, i) => i === 0 || seq > (told[i - 1]?.seq ?? 0))).toBe(true);
  });

  it("is followed across its files", () => {
    const sink = log();
    fill(sink, 18);
    let seq = endOfEvents(nodeFiles, state);
    const seen: number[] = [];
    for (let i = 18; i < 80; i += 5) {
      fill(sink, 5, i);
      for (const event of eventsAfter(nodeFiles, state, seq)) {
        seq = event.seq;
        seen.push(Number(event["run"]));
      }
    }
    expect(readdirSync(state).length).toBeGreaterThan(2);
    expect(seen).toEqual(Array.from({ length: 65 }, (_, i) => 18 + i));
  });

  it("keeps what another process still writes into the file that became an old one", () => {
    const [slow, busy] = [log(), log()];
    slow.emit(asked("first"));
    fill(busy, 25);
    slow.emit(asked("last"));
    const told = all();
    expect(told.filter(({ event }) => event === "question-asked")).toHaveLength(2);
    expect(new Set(told.map(({ seq }) => seq)).size).toBe(told.length);
  });

  it("is begun anew by the next process where one died in the middle of that", () => {
    fill(log(), 22);
    const size = statSync(path()).size;
    expect(size).toBeGreaterThan(1_048_576);
    for (let n = 1; n < 40; n++) {
      const files = faultyFiles(nodeFiles, { dieAt: n });
      try {
        log(files).emit(asked("x"));
      } catch {
        clock.move(120_000);
      }
      if (!files.dead()) break;
    }
    clock.move(120_000);
    log().emit(asked("alive"));
    const told = all();
    expect(told.filter(({ event }) => event === "memory-changed").length).toBeGreaterThanOrEqual(22);
    expect(told.at(-1)).toMatchObject({ question: "alive" });
    expect(new Set(told.map(({ run, question }) => run ?? question)).size).toBeGreaterThanOrEqual(23);
    expect(statSync(path()).size).toBeLessThan(size);
  });

  it("starts over for a reader whose place went with the files that somebody removed", () => {
    fill(log(), 50);
    const end = endOfEvents(nodeFiles, state);
    rmSync(state, { recursive: true });
    log().emit(asked("new"));
    expect(questions(end)).toEqual(["new"]);
  });
});

describe("an event that cannot be written", () => {
  it.each(["ENOSPC", "EACCES", "EROFS", "EIO"])(
    "fails nothing of what it tells of (%s), and is a condition",
    (code) => {
      const files = faultyFiles(nodeFiles, { refuse: { append: code } });
      const sink = log(files);
      sink.emit(asked("lost"));
      expect(sink.trouble).toMatchObject({ code: "events-unwritable" });
    },
  );

  it("leaves no half line before the next one", () => {
    log().emit(asked("before"));
    const files = faultyFiles(nodeFiles, { failAt: 6, code: "ENOSPC", torn: true });
    const sink = log(files);
    sink.emit(asked("half"));
    expect(sink.trouble).not.toBeNull();
    sink.emit(asked("after"));
    expect(sink.trouble).toBeNull();
    expect(questions()).toEqual(["before", "after"]);
  });
});

describe("conditions", () => {
  const condition = (code: string, message = code) => ({ code, message, hint: "" });

  it("are told when they come and when they go, not while they stay", () => {
    const before = [condition("a"), condition("b", "one folder")];
    const after = [condition("b", "two folders"), condition("c"), condition("c", "another")];
    expect(conditionEvents("app", before, after)).toEqual([
      { event: "condition-raised", store: "app", code: "c", message: "c" },
      { event: "condition-cleared", store: "app", code: "a" },
    ]);
  });
});
