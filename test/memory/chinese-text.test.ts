import { describe, expect, it } from "vitest";
import { clausesOf } from "../../src/memory/language/clauses.ts";
import { simplified } from "../../src/memory/language/han.ts";
import { fold, termsOf } from "../../src/memory/language/words.ts";

describe("both scripts of Chinese are one language", () => {
  it.each([
    ["資料庫由設計組負責，請勿修改。", "资料库由设计组负责，请勿修改。"],
    ["以後測試失敗就停下來", "以后测试失败就停下来"],
    ["已经是简体", "已经是简体"],
    ["no Chinese at all", "no Chinese at all"],
  ])("%s", (said, expected) => {
    expect(simplified(said)).toBe(expected);
    expect(simplified(said)).toHaveLength(said.length);
    expect(termsOf(said)).toEqual(termsOf(expected));
  });

  it("in one text too", () => {
    expect(fold("上線時間 and 上线时间")).toBe("上线时间 and 上线时间");
  });
});

describe("a comma before a date parts clauses", () => {
  it.each([
    ["活动 2026-10-30 上线，2026-10-28 开始不能动表", 2],
    ["The demo is on 2026-11-12, 2026-11-10 is the freeze", 2],
    ["up to 1,000 rows", 1],
  ])("%s", (text, count) => {
    expect(clausesOf(text)).toHaveLength(count);
  });
});
