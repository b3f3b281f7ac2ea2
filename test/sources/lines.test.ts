import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { CHUNK_BYTES, eachLine, MAX_LINE_BYTES } from "../../src/sources/lines.ts";
import { live, put, tempFolder } from "./world.ts";

async function linesOf(content: string | Buffer, from = { offset: 0, lines: 0 }, stopAfter = Number.POSITIVE_INFINITY) {
  const path = put(join(tempFolder(), "x"), content);
  const fd = nodeFiles.open(path);
  const seen: [number | null, number, number][] = [];
  const part = { ...from, limit: content.length, signal: live() };
  const end = await eachLine(nodeFiles, fd, part, (line, offset, number) => {
    seen.push([line?.length ?? null, offset, number]);
    return seen.length < stopAfter;
  });
  nodeFiles.close(fd);
  return { seen, end };
}

describe("reading lines", () => {
  it("tells each line's offset and number, and leaves what is not finished", async () => {
    const { seen, end } = await linesOf("ab\n\ncde\nf");
    expect(seen).toEqual([
      [2, 0, 1],
      [0, 3, 2],
      [3, 4, 3],
    ]);
    expect(end).toEqual({ offset: 8, lines: 3, unfinished: 1, bytes: 9 });
  });

  it("goes on from an offset, and stops when it is told to", async () => {
    const { seen, end } = await linesOf("ab\n\ncde\nf\n", { offset: 3, lines: 1 }, 2);
    expect(seen).toEqual([
      [0, 3, 2],
      [3, 4, 3],
    ]);
    expect(end).toMatchObject({ offset: 8, lines: 3, unfinished: 0 });
  });

  it("joins lines across chunks, whatever their lengths", async () => {
    const lengths = [CHUNK_BYTES - 1, CHUNK_BYTES, 1, CHUNK_BYTES + 1, 0, 3 * CHUNK_BYTES, 5];
    const { seen } = await linesOf(Buffer.from(lengths.map((n) => `${"x".repeat(n)}\n`).join("")));
    expect(seen.map(([length]) => length)).toEqual(lengths);
  });

  it("passes over a line that is too long, and knows where the next one starts", async () => {
    const long = MAX_LINE_BYTES + 2 * CHUNK_BYTES + 7;
    const { seen, end } = await linesOf(
      Buffer.concat([Buffer.from("a\n"), Buffer.alloc(long, "x"), Buffer.from("\nb\n")]),
    );
    expect(seen).toEqual([
      [1, 0, 1],
      [null, 2, 2],
      [1, long + 3, 3],
    ]);
    expect(end).toEqual({ offset: long + 5, lines: 3, unfinished: 0, bytes: long + 5 });
  });

  it("keeps two files apart that are read at the same time", async () => {
    const contents = ["a", "b"].map((letter) => `${letter.repeat(999)}\n`.repeat(6_000));
    const mixed = await Promise.all(
      contents.map(async (content) => {
        const fd = nodeFiles.open(put(join(tempFolder(), "x"), content));
        let wrong = 0;
        await eachLine(nodeFiles, fd, { offset: 0, lines: 0, limit: content.length, signal: live() }, (line) => {
          if (line?.toString() !== content.slice(0, 999)) wrong++;
          return true;
        });
        nodeFiles.close(fd);
        return wrong;
      }),
    );
    expect(mixed).toEqual([0, 0]);
  });

  it("lets others run while it goes through a million short lines", async () => {
    const content = "\n".repeat(1_000_000);
    const fd = nodeFiles.open(put(join(tempFolder(), "x"), content));
    const turns: number[] = [];
    let lines = 0;
    const others = setInterval(() => turns.push(lines), 0);
    await eachLine(nodeFiles, fd, { offset: 0, lines: 0, limit: content.length, signal: live() }, () => {
      lines++;
      return true;
    });
    clearInterval(others);
    nodeFiles.close(fd);
    expect(turns.length).toBeGreaterThan(2);
  });
});
