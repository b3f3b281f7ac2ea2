import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { standardOutput } from "../../src/base/output.ts";

const none = (): NodeJS.WriteStream => {
  throw new Error("Node's stream was made");
};

it("writes every text to the descriptor in its order, without Node's stream, and is no terminal", () => {
  const folder = mkdtempSync(join(tmpdir(), "memd-output-"));
  const fd = openSync(join(folder, "out"), "w");
  const out = standardOutput(fd, none);
  for (const text of ["one\n", "", "二\n", "x".repeat(200_000)]) out.write(text);
  closeSync(fd);
  expect(readFileSync(join(folder, "out"), "utf8")).toBe(`one\n二\n${"x".repeat(200_000)}`);
  expect(out.terminal).toBe(false);
  rmSync(folder, { recursive: true });
});

it("does not ask for a terminal where all output is thrown away", () => {
  const fd = openSync("/dev/null", "w");
  const out = standardOutput(fd, none);
  out.write("gone");
  expect(out.terminal).toBe(false);
  closeSync(fd);
});

it("leaves a closed descriptor to Node's stream", () => {
  const written: string[] = [];
  const stream = { isTTY: false, write: (bytes: Buffer) => written.push(bytes.toString()) > 0 };
  const out = standardOutput(987_654, () => stream as unknown as NodeJS.WriteStream);
  out.write("text");
  expect(written).toEqual(["text"]);
});
