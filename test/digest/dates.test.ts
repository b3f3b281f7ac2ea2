import { describe, expect, it } from "vitest";
import { absolute, relativeWords, resolveDates } from "../../src/digest/dates.ts";

const at = (iso: string) => Date.parse(iso);
const SUNDAY = at("2026-03-08T12:00:00Z");
const TUESDAY = at("2026-11-24T14:30:00Z");
const days = (text: string, when: number | null = TUESDAY, zone = "UTC") =>
  resolveDates(text, when, zone).map((d) => `${d.phrase} = ${d.date}`);

describe("phrases said on a Sunday", () => {
  it.each([
    ["Yesterday we froze the schema.", "Yesterday = 2026-03-07"],
    ["The audit is next Friday.", "next Friday = 2026-03-13"],
    ["In two weeks the old token endpoint goes away.", "In two weeks = 2026-03-22"],
    ["昨天换了数据库", "昨天 = 2026-03-07"],
    ["下周一上线", "下周一 = 2026-03-09"],
    ["last Friday we met", "last Friday = 2026-03-06"],
    ["上周五定的", "上周五 = 2026-02-27"],
    ["this Friday works", "this Friday = 2026-03-13"],
    ["本周日", "本周日 = 2026-03-08"],
  ])("%s", (text, expected) => {
    expect(days(text, SUNDAY)).toEqual([expected]);
  });
});

describe("single days in English, said on Tuesday 2026-11-24", () => {
  it.each([
    ["the freeze starts Thursday of next week", "Thursday of next week = 2026-12-03"],
    ["we meet next week Thursday", "next week Thursday = 2026-12-03"],
    ["the Thursday of last week", "the Thursday of last week = 2026-11-19"],
    ["on next Monday", "next Monday = 2026-11-30"],
    ["the Monday after next", "the Monday after next = 2026-12-07"],
    ["the Friday of the week after next", "the Friday of the week after next = 2026-12-11"],
    ["day after tomorrow", "day after tomorrow = 2026-11-26"],
    ["the day before yesterday", "the day before yesterday = 2026-11-22"],
    ["due EOD Friday", "Friday = 2026-11-27"],
    ["by Friday the 27th", "Friday the 27th = 2026-11-27"],
    ["a week from Tuesday", "a week from Tuesday = 2026-12-08"],
    ["two weeks ago", "two weeks ago = 2026-11-10"],
    ["3 days from now", "3 days from now = 2026-11-27"],
    ["In a week the endpoint goes away", "In a week = 2026-12-01"],
    ["in two weeks' time", "in two weeks' time = 2026-12-08"],
    ["we decided this morning", "this morning = 2026-11-24"],
    ["it broke last night", "last night = 2026-11-23"],
    ["we shipped on Monday", "Monday = 2026-11-23"],
    ["we ship on Monday", "Monday = 2026-11-30"],
    ["The launch was moved to Friday", "Friday = 2026-11-27"],
    ["We decided on Monday that the launch will be in May", "Monday = 2026-11-23"],
    ["the 18th of December", "the 18th of December = 2026-12-18"],
    ["December 18", "December 18 = 2026-12-18"],
    ["Dec. 3rd", "Dec. 3rd = 2026-12-03"],
    ["18-Dec-2026", "18-Dec-2026 = 2026-12-18"],
    ["Friday, December 18, 2026", "Friday, December 18, 2026 = 2026-12-18"],
    ["Dec 18 at 5pm", "Dec 18 = 2026-12-18"],
    ["On March 3 we moved", "March 3 = 2026-03-03"],
    ["Launch is March 3", "March 3 = 2027-03-03"],
    ["released on May 5", "May 5 = 2026-05-05"],
    ["it may be released May 5", "May 5 = 2027-05-05"],
    ["12/18/2026", "12/18/2026 = 2026-12-18"],
    ["on 2026/12/18", "2026/12/18 = 2026-12-18"],
    ["by the 3rd.", "the 3rd = 2026-12-03"],
    ["the 5th of next month", "the 5th of next month = 2026-12-05"],
    ["the Monday after 2026-12-18", "the Monday after 2026-12-18 = 2026-12-21"],
    ["two weeks before December 18", "two weeks before December 18 = 2026-12-04"],
    ["the old key expires in two weeks", "in two weeks = 2026-12-08"],
  ])("%s", (text, expected) => {
    expect(days(text)).toEqual([expected]);
  });
});

describe("a weekday of what is done as a rule", () => {
  it.each([
    "Staging deploys go out on Monday.",
    "Production deploys go out on Thursday now.",
    "Remember: the backups run on Sunday at 02:00.",
    "Invoices are sent on Friday.",
    "Our standups are on Tuesday.",
    "Releases to staging ship on Wednesday.",
    "Staging deploys go out on Monday and production deploys go out on Thursday.",
  ])("stays as it was said: %s", (text) => {
    expect(days(text)).toEqual([]);
  });

  it.each([
    ["the demo is on Monday", "Monday = 2026-11-30"],
    ["we ship on Monday", "Monday = 2026-11-30"],
    ["The release goes out on Monday.", "Monday = 2026-11-30"],
    ["The invitations go out on Monday.", "Monday = 2026-11-30"],
    ["The new prices go out on Monday.", "Monday = 2026-11-30"],
    ["The interviews are on Monday.", "Monday = 2026-11-30"],
    ["Deploys will go out on Monday.", "Monday = 2026-11-30"],
    ["The deploys went out on Monday.", "Monday = 2026-11-23"],
    ["Deploys go out by Monday.", "Monday = 2026-11-30"],
  ])("is one day where one is meant: %s", (text, expected) => {
    expect(days(text)).toEqual([expected]);
  });
});

describe("single days in Chinese, said on Tuesday 2026-11-24", () => {
  it.each([
    ["上周五换的", "上周五 = 2026-11-20"],
    ["下周一上线", "下周一 = 2026-11-30"],
    ["下个星期天", "下个星期天 = 2026-12-06"],
    ["下禮拜三", "下禮拜三 = 2026-12-02"],
    ["下下周三开会", "下下周三 = 2026-12-09"],
    ["本周五发布", "本周五 = 2026-11-27"],
    ["大后天上线", "大后天 = 2026-11-27"],
    ["後天", "後天 = 2026-11-26"],
    ["大前天", "大前天 = 2026-11-21"],
    ["他昨晚说的", "昨晚 = 2026-11-23"],
    ["旧接口两周后下线", "两周后 = 2026-12-08"],
    ["再过三天上线", "再过三天 = 2026-11-27"],
    ["两天前改的", "两天前 = 2026-11-22"],
    ["周五上线", "周五 = 2026-11-27"],
    ["周五上线了", "周五 = 2026-11-20"],
    ["周五之前不要合并", "周五 = 2026-11-27"],
    ["12月18日上线", "12月18日 = 2026-12-18"],
    ["12 月 18 号之前", "12 月 18 号 = 2026-12-18"],
    ["2026年12月18號", "2026年12月18號 = 2026-12-18"],
    ["十二月十八日", "十二月十八日 = 2026-12-18"],
    ["推迟到1月8日", "1月8日 = 2027-01-08"],
    ["3月3日换了数据库", "3月3日 = 2026-03-03"],
    ["明年1月8日上线", "明年1月8日 = 2027-01-08"],
    ["下个月3号", "下个月3号 = 2026-12-03"],
    ["18号之前", "18号 = 2026-12-18"],
    ["2026-12-18上线", "2026-12-18 = 2026-12-18"],
  ])("%s", (text, expected) => {
    expect(days(text)).toEqual([expected]);
  });
});

describe("what is no single day stays words", () => {
  it.each([
    "last week we moved, next month we ship, this quarter too",
    "上周改的，下个月上线，月底前完成",
    "12月18日到20日冻结",
    "December 18-20, 18-20 December, Dec 18 and 20",
    "冻结期也跟着往后挪三周",
    "within two weeks, for 3 days, a couple of days ago",
    "Monday to Friday, Mon-Fri 9-5",
    "每周五发版，周五不发版",
    "no deploys on Friday; never deploy on Fridays; Friday deploys are banned",
    "上线两周后清理",
    "日志 30 天后自动删除",
    "Tokens expire in 30 days",
    "it deleted 23 files in a day and was restarted twice in a week",
    "You may 5 users; it may march on; wait a second; do it now",
    "version 12.18, v2026.11.25, v2026-11-25, ratio 3/4, port 5174, 44px, $18",
    "logs/2026-12-18.md at 2026-12-18T10:00:00Z",
    "03/04/2026 is either",
    "Feb 30 and 2026-13-45",
    "December 2026, in May, 2026年3月",
    "at 14:30, 9am, 18:00",
    "周日志已经写好，下周期再看",
    "he sat in the sun and wed her",
  ])("%s", (text) => {
    expect(days(text)).toEqual([]);
  });
});

describe("the time of speaking", () => {
  it.each([
    ["2026-03-08T23:30:00Z", "UTC", "2026-03-07"],
    ["2026-03-08T23:30:00Z", "Asia/Shanghai", "2026-03-08"],
    ["2026-03-08T03:30:00Z", "America/Los_Angeles", "2026-03-06"],
    ["2026-03-08T10:30:00Z", "America/New_York", "2026-03-07"],
    ["2026-11-01T05:30:00Z", "America/New_York", "2026-10-31"],
    ["2026-03-29T00:59:59Z", "Europe/Berlin", "2026-03-28"],
    ["2026-12-31T23:59:59Z", "Pacific/Kiritimati", "2026-12-31"],
    ["2027-01-01T00:30:00Z", "America/Sao_Paulo", "2026-12-30"],
    ["2028-03-01T12:00:00Z", "Asia/Kathmandu", "2028-02-29"],
  ])("yesterday at %s in %s is %s", (when, zone, expected) => {
    expect(resolveDates("yesterday", at(when), zone).map((d) => d.date)).toEqual([expected]);
    expect(resolveDates("昨天", at(when), zone).map((d) => d.date)).toEqual([expected]);
  });

  it("weeks cross the end of the year", () => {
    expect(days("next Friday, 下周五", at("2026-12-31T12:00:00Z"))).toEqual([
      "next Friday = 2027-01-08",
      "下周五 = 2027-01-08",
    ]);
  });

  it("where the time is not known only full dates are resolved", () => {
    expect(days("yesterday, 昨天, December 18, 12月18日 and 2026-12-18", null)).toEqual(["2026-12-18 = 2026-12-18"]);
  });

  it("a zone that does not exist is an error", () => {
    expect(() => resolveDates("yesterday", SUNDAY, "Mars/Olympus")).toThrow(RangeError);
  });
});

describe("dates put in the place of phrases", () => {
  const written = (text: string, when: number) => absolute(text, resolveDates(text, when, "UTC"));
  it.each([
    ["Yesterday we froze the schema.", SUNDAY, "On 2026-03-07 we froze the schema."],
    ["- In two weeks the old token endpoint goes away.", SUNDAY, "- On 2026-03-22 the old token endpoint goes away."],
    ["The audit is next Friday.", SUNDAY, "The audit is 2026-03-13."],
    ["We ship on next Friday.", SUNDAY, "We ship on 2026-03-13."],
    ["昨天换了数据库，下周一上线。", SUNDAY, "2026-03-07 换了数据库，2026-03-09 上线。"],
    ["我们昨天换了数据库", SUNDAY, "我们 2026-03-07 换了数据库"],
    ["the code freeze starts Thursday of next week", TUESDAY, "the code freeze starts 2026-12-03"],
    ["Priya decided that today.", TUESDAY, "Priya decided that on 2026-11-24."],
    ["yesterday's build broke", TUESDAY, "2026-11-23's build broke"],
    ["It moved from next Friday to the Monday after next.", TUESDAY, "It moved from 2026-12-04 to 2026-12-07."],
    [
      "The window reopens the Monday after launch day, the 18th of December.",
      TUESDAY,
      "The window reopens on 2026-12-21 after launch day, 2026-12-18.",
    ],
    ["🎉 tomorrow 🎉", TUESDAY, "🎉 on 2026-11-25 🎉"],
    ["from 2026-12-18 to December 20", TUESDAY, "from 2026-12-18 to 2026-12-20"],
    ["nothing here", TUESDAY, "nothing here"],
  ])("%s", (text, when, expected) => {
    expect(written(text, when)).toBe(expected);
  });

  it("no relative word is left where all was resolved", () => {
    const text = "Yesterday we froze it, the audit is next Friday, 下周一上线, two days ago";
    expect(relativeWords(written(text, SUNDAY))).toEqual([]);
  });

  it("a date that does not belong to the text is skipped", () => {
    expect(absolute("on Friday", [{ phrase: "Monday", index: 3, date: "2026-01-01" }])).toBe("on Friday");
  });
});

describe("relative words in a text", () => {
  it.each([
    ["Yesterday we shipped, next week we rest", ["Yesterday", "next week"]],
    ["上周五改的，这个月上线", ["上周五", "这个月"]],
    ["去年定的", ["去年"]],
    ["three months ago", ["three months ago"]],
    ["by the Monday after 2026-12-18", ["the Monday after 2026-12-18"]],
    ["No deploys on Fridays, standup every Monday, 每周五发版", []],
    ["Tokens expire in 30 days, soon", []],
    ["Freeze starts 2026-12-03, launch December 18", []],
    ["Run the last line next", []],
  ])("%s", (text, expected) => {
    expect(relativeWords(text)).toEqual(expected);
  });
});
