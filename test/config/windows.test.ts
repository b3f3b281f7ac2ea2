import { validate } from "node-cron";
import { describe, expect, it } from "vitest";
import { checkConfig } from "../../src/config/check.ts";
import { cronProblem } from "../../src/config/cron.ts";

describe("a window of daemon.windows", () => {
  it.each([
    "* * * * *",
    "* 1-5 * * *",
    "0 3 * * *",
    "*/15 22-23 * * mon-fri",
    "0,30 1,2 1-7 jan-mar 0",
    "5 4 * * 7",
    "0 0 1 * *",
  ])("%s is one, and node-cron takes it", (text) => {
    expect(cronProblem(text)).toBe(null);
    expect(validate(text)).toBe(true);
  });

  it.each([
    "",
    "nightly",
    "@daily",
    "* 1-5 * *",
    "0 0 3 * * *",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * * 13 *",
    "* * * * 8",
    "5-1 * * * *",
    "*/0 * * * *",
    "1--2 * * * *",
    "x * * * *",
    "1/2/3 * * * *",
  ])("%j is none", (text) => expect(cronProblem(text)).not.toBe(null));

  it("that is none is told with its place", () => {
    const { problems } = checkConfig({ daemon: { windows: ["* 1-5 * * *", "* 25 * * *"] } });
    expect(problems).toEqual([
      expect.objectContaining({ path: "daemon.windows[1]", message: expect.stringContaining("hour") }),
    ]);
  });
});

describe("a path that is a pattern", () => {
  it("is refused with the right form, and ~ stands for the home", () => {
    const store = (sessions: string) => checkConfig({ stores: [{ memory: "~/m", sessions: [sessions] }] }, "/home/ana");
    expect(store("~/.claude/projects/**/*.jsonl").problems).toEqual([
      expect.objectContaining({ message: expect.stringContaining("name the folder above it") }),
    ]);
    expect(store("~/.claude/projects").problems).toEqual([]);
  });
});
