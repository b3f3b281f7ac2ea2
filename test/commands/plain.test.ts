import { describe, expect, it } from "vitest";
import { plainOutput } from "../../src/commands/plain.ts";

function written(terminal: boolean, text: string): string {
  let all = "";
  plainOutput({ terminal, write: (part) => (all += part) }).write(text);
  return all;
}

describe("what memd prints", () => {
  it.each([
    ["a sequence that clears the screen", "\u001B[2Jgone", "\\u001b[2Jgone"],
    ["a title, as OSC 0 sets it", "\u001B]0;x\u0007", "\\u001b]0;x\\u0007"],
    ["the same in one C1 character", "\u009B2J", "\\u009b2J"],
    ["a carriage return that overwrites the line", "rm -rf\rls", "rm -rf\\u000dls"],
    ["text that runs backwards", "\u202Etxt.exe", "\\u202etxt.exe"],
  ])("shows a terminal %s", (_, text, shown) => {
    expect(written(true, text)).toBe(shown);
  });

  it.each([
    "\u001B[1mapp\u001B[0m: \u001B[32mdone\u001B[0m\n",
    "\r\u001B[2Kcollect  7 sessions",
    "两行\n\tund ein 🎉\n",
  ])("lets its own colours, progress and ordinary text pass: %j", (text) => {
    expect(written(true, text)).toBe(text);
  });

  it("is the same JSON document afterwards", () => {
    const value = { quote: "a\u202Eb\u001B[2J" };
    expect(JSON.parse(written(true, JSON.stringify(value)))).toEqual(value);
  });

  it("goes into a file or a pipe as it is", () => {
    expect(written(false, "\u001B[2Jgone\r\n")).toBe("\u001B[2Jgone\r\n");
  });
});
