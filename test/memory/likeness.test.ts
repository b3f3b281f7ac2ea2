import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entriesOf, relation, rivalOf, similarity, statementKey } from "../../src/memory/entry.ts";

describe("two statements have one key", () => {
  it.each([
    ["Prefers short answers", "prefers short answers."],
    ["Prefers short answers", "  Prefers   short answers "],
    ["- Prefers short answers", "Prefers short answers [created: 2026-01-15]"],
    [
      "Prefers short answers [pinned]",
      "Prefers short answers [unconfirmed] [created: 2026-01-15, updated: 2026-02-01]",
    ],
    ["Use `npm ci`", "Use npm ci"],
    ["**Use** npm ci!", "Use npm ci"],
    ["用户喜欢简短的回答", "用户喜欢简短的回答。"],
    ["用 Redis 做缓存", "用Redis做缓存"],
    ["Ｕｓｅ　ｎｐｍ", "use npm"],
    ["It’s “fine”", "It's fine"],
  ])("%j and %j", (a, b) => {
    expect(statementKey(a)).toBe(statementKey(b));
  });

  it.each([
    ["Upload limit is 25 MB", "Upload limit is 40 MB"],
    ["Run grep -v", "Run grep -V"],
    ["Deadline is Friday (2026-01-10)", "Deadline is Friday (2026-02-10)"],
    ["resent the mail", "re sent the mail"],
  ])("but not %j and %j", (a, b) => {
    expect(statementKey(a)).not.toBe(statementKey(b));
  });
});

describe("how two statements relate", () => {
  it.each([
    ["Run the tests before each push", "Always run tests before pushing", "near"],
    ["Prefers short answers", "The user likes short answers", "near"],
    ["Prefers short answers", "Prefers short answers in reviews", "near"],
    ["Upload limit is 40 MB", "The upload limit is 40MB since 2026-01-10", "near"],
    ["Use pnpm, not npm", "Use pnpm instead of npm", "near"],
    ["用户喜欢简短的回答", "用户偏好简短的回答", "near"],
    ["提交信息必须用英文写", "提交信息请用英文写", "near"],

    ["Upload limit is 25 MB", "Upload limit is 40 MB (2026-01-10).", "conflicts"],
    ["Staging uses port 8443", "Staging moved to port 9443", "conflicts"],
    ["Never push to main", "Push to main", "conflicts"],
    ["上传限制是 25 MB", "上传限制是 40 MB", "conflicts"],
    ["不要直接推送到 main", "直接推送到 main", "conflicts"],
    ["Use npm, not pnpm", "Use pnpm", "conflicts"],
    ["Config lives in /etc/lantern/app.toml", "Config lives in /opt/lantern/app.toml", "conflicts"],

    ["Upload limit is 2 MB", "Avatar limit is 2 MB", "differs"],
    ["Upload limit is 25 MB", "Avatar limit is 2 MB", "differs"],
    ["Use tabs", "Use tabs in Go files and spaces in TypeScript", "differs"],
    ["User prefers tabs", "User prefers short answers", "differs"],
    ["Staging runs on port 8443", "Production runs on port 9443", "differs"],
    ["Deploys happen on Friday", "Deploys happen through ArgoCD", "differs"],
    ["用户喜欢简短的回答", "用户喜欢早上开会", "differs"],
    ["测试环境的端口是 8443", "生产环境的端口是 9443", "differs"],
  ])("%j and %j: %s", (a, b, expected) => {
    expect(relation(a, b)).toBe(expected);
    expect(relation(b, a)).toBe(expected);
  });

  it("is symmetric and stays between 0 and 1 for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
        const value = similarity(a, b);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(similarity(b, a)).toBe(value);
        expect(relation(a, a)).toBe("same");
      }),
    );
  });
});

describe("a correction finds the entry that it corrects", () => {
  const body = [
    "- Upload limit is 40 MB (2026-01-10).",
    "- Avatar limit is 2 MB (2026-01-10).",
    "- The CI provider is Buildkite.",
    "- 会议时间是每周三下午 3 点",
    "- Releases are cut from the stable branch.",
  ].join("\n");
  const entries = entriesOf(body, 0, "limits");

  it.each([
    ["Upload limit is 25 MB", "Upload limit is 40 MB (2026-01-10)."],
    ["Correction: the upload limit is 25 MB, not 40 MB.", "Upload limit is 40 MB (2026-01-10)."],
    ["The CI provider is GitHub Actions, no longer Buildkite", "The CI provider is Buildkite."],
    ["会议时间是每周三下午 4 点", "会议时间是每周三下午 3 点"],
    ["Releases are not cut from the stable branch", "Releases are cut from the stable branch."],
  ])("%j", (statement, expected) => {
    expect(rivalOf(statement, entries)?.statement).toBe(expected);
  });

  it.each(["Download limit is 10 MB", "Lunch is at noon", "Avatar limit is 2 MB"])("nothing for %j", (statement) => {
    expect(rivalOf(statement, entries)).toBeNull();
  });

  it("leaves it open when two entries fit equally well", () => {
    const two = entriesOf("- Upload limit is 40 MB\n- Upload limit is 50 MB\n", 0, "limits");
    expect(rivalOf("Upload limit is 25 MB", two)).toBeNull();
  });
});
