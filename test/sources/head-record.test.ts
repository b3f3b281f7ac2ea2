/** Of a long output only the start of its record is parsed: it must be valid, and say the same as the whole. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wellFormed } from "../../src/base/text.ts";
import { headRecord } from "../../src/sources/jsonl/head.ts";

const cut = (value: unknown, max: number): unknown => JSON.parse(headRecord(Buffer.from(JSON.stringify(value)), max));

describe("the start of a long record", () => {
  it("keeps what stands before the cut, and the first words of a text that is cut", () => {
    const record = {
      id: "r1",
      at: 17,
      ok: true,
      tags: ["a", "b"],
      message: { parts: [{ text: `first ${"x".repeat(900)}` }] },
      last: 1,
    };
    expect(cut(record, 100)).toEqual({
      ...record,
      message: { parts: [{ text: expect.stringMatching(/^first x+$/) }] },
      last: undefined,
    });
    expect(cut(record, 10_000)).toEqual(record);
  });

  it("never cuts through a character or an escape", () => {
    for (const text of ['\\"\\\\"', "\n\t\u0001", "金额统一", "🧭🧭", "\\\\\\\\n", "a\\u00e9"])
      for (let max = 8; max < 60; max++) {
        const { text: kept = "" } = cut({ id: 1, text: text.repeat(8) }, max) as { text?: string };
        expect(text.repeat(8).startsWith(kept) || wellFormed(kept) !== kept).toBe(true);
      }
  });

  it("is valid for every record and every length", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.integer({ min: 1, max: 400 }), (record, max) => {
        const kept = cut(record, max);
        expect(typeof kept).toBe("object");
      }),
    );
  });
});
