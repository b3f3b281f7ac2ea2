import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import type { Caps } from "../../src/gate/budget.ts";
import { openSpendBook, type SpendBook, spendFolder } from "../../src/ledger/spend.ts";
import { NO_USAGE } from "../../src/ports.ts";
import { scratch } from "./samples.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 30, 12);
const NO_CAPS = { usd: null, tokens: null, requests: null, minutes: null };
const FREELY: Caps = { run: NO_CAPS, day: NO_CAPS, month: NO_CAPS };

let serial = 0;

function bookIn(
  folder: string,
  { zone = "UTC", files = nodeFiles as Files, clock = { now: () => START } } = {},
): SpendBook {
  const token = () => `t${++serial}`;
  return openSpendBook({ files, clock, token, timeZone: () => zone }, folder);
}

const request = (usd: number, tokens = 0) => ({
  usage: { ...NO_USAGE, requests: 1, inputTokens: tokens, costUsd: usd },
  minutes: 0,
});

function reserve(book: SpendBook, usd: number, { caps = FREELY, run = "r", store = "app" } = {}): string | null {
  const reserved = book.reserve({ run, store, cost: request(usd, 10) }, caps);
  return reserved.granted ? reserved.id : null;
}

describe("what was spent", () => {
  it("is nothing before anything was, and no file is made to say so", () => {
    const folder = scratch();
    expect(bookIn(folder).spent().day).toEqual({ usd: 0, tokens: 0, requests: 0, minutes: 0 });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is settled by a process that did not reserve it, a day later and in another month too", () => {
    const folder = scratch();
    const id = reserve(bookIn(folder), 0.5) ?? "";
    const later = bookIn(folder, { clock: { now: () => START + 24 * HOUR } });
    later.settle(id, request(0.125, 4));
    const past = bookIn(folder);
    expect(past.spent("r")).toMatchObject({ run: { usd: 0.125 }, day: { usd: 0.125 } });
    expect(past.ofRun("r").open).toBe(0);
  });

  it("counts in full from the reservation on, and as it came when it is settled, for every process", () => {
    const folder = scratch();
    const [mine, other] = [bookIn(folder), bookIn(folder)];
    const id = reserve(mine, 0.5) ?? "";
    expect(other.spent().day).toMatchObject({ usd: 0.5, requests: 1 });
    mine.settle(id, request(0.125, 4));
    expect(other.spent().day).toEqual({ usd: 0.125, tokens: 4, requests: 1, minutes: 0 });
    expect(bookIn(folder).spent().month.usd).toBe(0.125);
  });

  it("is never forgotten because its process died: what was not settled counts in full, and its day ends", () => {
    const folder = scratch();
    let now = START;
    const clock = { now: () => now };
    reserve(bookIn(folder, { clock }), 0.75);
    const after = bookIn(folder, { clock });
    expect(after.spent().day.usd).toBe(0.75);
    expect(after.ofRun("r")).toMatchObject({ open: 1, usage: { costUsd: 0.75 } });
    now += 13 * HOUR;
    expect(after.spent().day.usd).toBe(0);
    expect(after.spent().month.usd).toBe(0);
    now -= 2 * HOUR;
    expect(after.spent().month.usd).toBe(0.75);
  });

  it("belongs to the day and month of the person, wherever that is", () => {
    const folder = scratch();
    let now = Date.UTC(2026, 10, 30, 15);
    const clock = { now: () => now };
    const book = bookIn(folder, { clock, zone: "Asia/Shanghai" });
    reserve(book, 1);
    expect(book.spent()).toMatchObject({ dayEnds: Date.UTC(2026, 10, 30, 16), month: { usd: 1 } });
    now += 2 * HOUR;
    expect(book.spent()).toMatchObject({ day: { usd: 0 }, month: { usd: 0 } });
    reserve(book, 2);
    now += 10 * HOUR;
    expect(book.spent().month.usd).toBe(2);
    expect(readdirSync(spendFolder(folder)).sort()).toEqual(["2026-11.jsonl"]);
  });

  it("is not given a second time by a clock that went back", () => {
    const folder = scratch();
    let now = START;
    const book = bookIn(folder, { clock: { now: () => now } });
    reserve(book, 0.5);
    now -= 20 * HOUR;
    expect(book.spent().day.usd).toBe(0.5);
  });

  it("is known in spite of a line that a crash cut short, which stands for nothing that was sent", () => {
    const folder = scratch();
    const book = bookIn(folder);
    reserve(book, 0.25);
    const [name = ""] = readdirSync(spendFolder(folder));
    const path = join(spendFolder(folder), name);
    appendFileSync(path, '{"id":"x","at":17960');
    reserve(bookIn(folder), 0.25);
    expect(bookIn(folder).spent().day.usd).toBe(0.5);
    expect(bookIn(folder).damaged()).toBe(0);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it.each([
    ["null", 0.75],
    ["[]", 0.75],
    ["\0".repeat(64), 0.75],
    ['{"id":"y","at":1,"run":"r","usage":{"requests":-1},"minutes":0}', 0.75],
    ['{"id":"y","at":1,"run":"r","us\u0007ge":{},"minutes":0}', 0.75],
  ])("counts a damaged line as the dearest of its month, on every day of it, and tells of it: %j", (line, usd) => {
    const folder = scratch();
    let now = START - 5 * 24 * HOUR;
    const clock = { now: () => now };
    const book = bookIn(folder, { clock });
    reserve(book, 0.25);
    reserve(book, 0.75);
    const [name = ""] = readdirSync(spendFolder(folder));
    appendFileSync(join(spendFolder(folder), name), `${line}\n`);
    expect(book.spent().day.usd).toBe(1 + usd);
    now = START;
    expect(bookIn(folder, { clock }).spent()).toMatchObject({ day: { usd }, month: { usd: 1 + usd } });
    expect(bookIn(folder, { clock }).damaged()).toBe(1);
    now += 40 * 24 * HOUR;
    expect(bookIn(folder, { clock }).damaged()).toBe(0);
  });

  it("counts what was settled where the line of its reservation is damaged", () => {
    const folder = scratch();
    const book = bookIn(folder);
    book.settle(reserve(book, 0.5) ?? "", request(0.125, 4));
    const [name = ""] = readdirSync(spendFolder(folder));
    const path = join(spendFolder(folder), name);
    const [, settled = ""] = readFileSync(path, "utf8").split("\n").filter(Boolean);
    writeFileSync(path, `\0\0\n${settled}\n`);
    expect(bookIn(folder).spent().day.usd).toBe(0.125);
    expect(bookIn(folder).damaged()).toBe(2);
  });

  it("says of a refusal which cap it was and when that frees", () => {
    const book = bookIn(scratch());
    const caps: Caps = { ...FREELY, run: { ...NO_CAPS, requests: 2 }, day: { ...NO_CAPS, usd: 1 } };
    expect(reserve(book, 0.5, { caps })).not.toBeNull();
    expect(book.reserve({ run: "r", store: "app", cost: request(0.6) }, caps)).toEqual({
      granted: false,
      over: { period: "day", measure: "usd", limit: 1, have: 0.5 },
      frees: Date.UTC(2026, 11, 1),
    });
    reserve(book, 0.1, { caps });
    expect(book.reserve({ run: "r", store: "app", cost: request(0.1) }, caps)).toMatchObject({
      granted: false,
      over: { period: "run", measure: "requests", have: 2 },
      frees: null,
    });
    expect(reserve(book, 0.1, { caps, run: "another" })).not.toBeNull();
    expect(book.spent().day.requests).toBe(3);
  });

  it("can not be written down: then nothing may be sent", () => {
    const full = () => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    };
    const book = bookIn(scratch(), { files: { ...nodeFiles, append: full } });
    expect(() => reserve(book, 0.1)).toThrow("no space");
  });
});

describe("several processes at once", () => {
  /** Each in the middle of the other's reservation: between its line and its look at the lines. */
  it("never hold more together than a cap allows, in whatever order they come", () => {
    const amounts = fc.array(
      fc.record({ cents: fc.integer({ min: 1, max: 60 }), within: fc.boolean(), settle: fc.boolean() }),
      {
        minLength: 2,
        maxLength: 14,
      },
    );
    fc.assert(
      fc.property(amounts, (steps) => {
        const folder = scratch();
        const caps: Caps = { ...FREELY, day: { ...NO_CAPS, usd: 1 } };
        const queue = [...steps];
        let granted = 0;
        const one = (): void => {
          const step = queue.shift();
          if (!step) return;
          let inner = step.within;
          const files: Files = {
            ...nodeFiles,
            append: (...args) => {
              nodeFiles.append(...args);
              if (!inner) return;
              inner = false;
              one();
            },
          };
          const book = bookIn(folder, { files });
          const id = reserve(book, step.cents / 100, { caps });
          if (id === null) return;
          granted += step.settle ? step.cents / 200 : step.cents / 100;
          if (step.settle) book.settle(id, request(step.cents / 200));
        };
        while (queue.length > 0) one();
        expect(granted).toBeLessThanOrEqual(1 + 1e-9);
        expect(bookIn(folder).spent().day.usd).toBeCloseTo(granted, 9);
      }),
      { numRuns: 60 },
    );
  });

  it("write whole lines only", () => {
    const folder = scratch();
    const books = Array.from({ length: 4 }, () => bookIn(folder));
    for (let i = 0; i < 40; i++) reserve(books[i % 4] as SpendBook, 0.01);
    const [name = ""] = readdirSync(spendFolder(folder));
    const lines = readFileSync(join(spendFolder(folder), name), "utf8")
      .split("\n")
      .filter(Boolean);
    expect(lines.map((line) => JSON.parse(line).run)).toEqual(Array.from({ length: 40 }, () => "r"));
  });
});
