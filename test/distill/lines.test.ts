import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineReader } from "../../src/distill/lines.ts";

describe("a reader of lines", () => {
  it("finds the same lines wherever the stream is cut", () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 9_000 }));
    const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 6_000 }).map((text) => text.replaceAll("\n", " ")));
    fc.assert(
      fc.property(texts, cuts, (lines, sizes) => {
        const reader = lineReader(100_000);
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const found: string[] = [];
        let start = 0;
        for (const size of [...sizes, bytes.length]) {
          found.push(...(reader.push(bytes.subarray(start, start + size)) ?? ["broken"]));
          start += size;
        }
        expect(found).toEqual(lines);
      }),
      { numRuns: 50 },
    );
  });

  it("takes a line that just fits, and is broken for ever by one byte more", () => {
    const reader = lineReader(5);
    expect(reader.push(Buffer.from("12345\n1234"))).toEqual(["12345"]);
    expect(reader.push(Buffer.from("5\n"))).toEqual(["12345"]);
    expect(reader.push(Buffer.from("123"))).toEqual([]);
    expect(reader.push(Buffer.from("456\n"))).toBeNull();
    expect(reader.push(Buffer.from("1\n"))).toBeNull();
  });
});
