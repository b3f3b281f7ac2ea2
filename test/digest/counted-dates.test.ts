import { describe, expect, it } from "vitest";
import { relativeWords, resolveDates } from "../../src/digest/dates.ts";

const TUESDAY = Date.parse("2026-10-20T09:00:00Z");
const days = (text: string) => resolveDates(text, TUESDAY, "UTC").map(({ date }) => date);

describe("days of a month, said on 2026-10-20", () => {
  it.each([
    ["The board meets on the third Monday of next month.", ["2026-11-16"]],
    ["Quarter close is the second Tuesday of this month.", ["2026-10-13"]],
    ["The lease ends on the last day of next month.", ["2026-11-30"]],
    ["Payroll closes on the last Friday of November.", ["2026-11-27"]],
    ["Payroll closes on the last Friday of every month.", []],
    ["下个月的第三个星期一开董事会", ["2026-11-16"]],
    ["舊網域在下個月最後一天到期", ["2026-11-30"]],
    ["12 月的第一个周三演练", ["2026-12-02"]],
    ["每个月第一个周一盘点", []],
  ])("%s", (text, expected) => {
    expect(days(text)).toEqual(expected);
  });

  it("what no calendar knows stays a stretch of time", () => {
    expect(relativeWords("The last working day of this month is the deadline.")).toHaveLength(1);
    expect(relativeWords("月底前上线")).toHaveLength(1);
    expect(relativeWords("Done by the end of the quarter.")).toHaveLength(1);
  });
});

describe("days counted from one that was named", () => {
  it.each([
    ["The launch is a week from Friday. String freeze the day before that.", ["2026-10-30", "2026-10-29"]],
    ["Freeze is next Monday, and the beta goes out on the Friday after that.", ["2026-10-26", "2026-10-30"]],
    ["The demo is on 2026-11-12, two days before that we stop merging.", ["2026-11-12", "2026-11-10"]],
    ["周五发布，前一天封版", ["2026-10-23", "2026-10-22"]],
    ["活动下周五上线，上线前两天开始表结构不能动", ["2026-10-30", "2026-10-28"]],
    ["12 月 18 号上线，之后的周一解冻", ["2026-12-18", "2026-12-21"]],
    ["We met the day after that release.", []],
    ["合并窗口在上线后的周一重开", []],
  ])("%s", (text, expected) => {
    expect(days(text)).toEqual(expected);
  });

  it.each(["这个设备跑了 12 天之后死机", "The device hung after 41 days of uptime.", "连续运行 30 天后重启一次"])(
    "a stretch of running is no date: %s",
    (text) => {
      expect(days(text)).toEqual([]);
    },
  );
});

describe("the year of a day is told by its own clause", () => {
  it.each([
    ["The auditors can now come on 27 October, since the room is double-booked.", "2026-10-27"],
    ["We lost a day, so the release is now on November 4.", "2026-11-04"],
    ["Go-live is 5 March because we missed the window.", "2027-03-05"],
    ["The pilot was approved and starts on January 11.", "2027-01-11"],
    ["The outage on 14 September broke the exports.", "2026-09-14"],
    ["Support for v1 ended on 30 September.", "2026-09-30"],
    ["测评 12 月 7 号才能过", "2026-12-07"],
    ["9 月 14 号出过一次事故", "2026-09-14"],
  ])("%s", (text, expected) => {
    expect(days(text)).toEqual([expected]);
  });

  it("both ends of a moved plan are plans", () => {
    expect(days("Launch has moved from 1 December to 15 December.")).toEqual(["2026-12-01", "2026-12-15"]);
  });
});

it.each(["周五下午四点截单", "周末别发版", "2025 年以后都走新接口"])("a schedule is no date: %s", (text) => {
  expect(days(text)).toEqual([]);
  expect(relativeWords(text)).toEqual([]);
});

describe("a length of time that holds from now on", () => {
  it("is no day", () => {
    expect(days("Retention is 90 days from now on.")).toEqual([]);
    expect(relativeWords("Retention is 90 days from now on.")).toEqual([]);
    expect(days("The token expires 90 days from now.")).toEqual(["2027-01-18"]);
  });
});
