import { describe, expect, it } from "vitest";
import { extract } from "../../src/distill/extractive/index.ts";
import type { Operation } from "../../src/memory/operation.ts";
import { briefOf } from "./dialogue.ts";

type Add = Extract<Operation, { op: "add" }>;

function kept(...said: string[]): { type: string; text: string }[] {
  const { operations } = extract(briefOf({ said: ["@2026-10-20T09:00", ...said] }));
  const types = new Map(operations.flatMap((op) => (op.op === "create-topic" ? [[op.topic, op.type] as const] : [])));
  return operations
    .filter((op): op is Add => op.op === "add")
    .map(({ topic, text, why }) => ({ type: types.get(topic) ?? "", text: why ? `${text} ${why}` : text }));
}

const later = (first: string, second: string) => kept(`u: ${first}`, "@2026-10-22T09:00", `u: ${second}`);

describe("what is asked, decided or told in Chinese is kept", () => {
  it.each([
    ["feedback", "请在提交说明中注明工单编号。"],
    ["feedback", "代码注释须使用英文书写。"],
    ["feedback", "請勿使用 console.log，統一改用 logger。"],
    ["feedback", "手机号不能写进埋点里。"],
    ["feedback", "灰度报警超标就立刻回滚，回滚完再告诉我。"],
    ["feedback", "刚才先出草图再写代码的做法很顺，后面都这样。"],
    ["feedback", "這次先列風險再動手，很好，以後都照這樣。"],
    ["project", "支付模組由阿哲負責，要改先問他。"],
    ["project", "这个目录是外包在管，有事找老周。"],
    ["project", "日志保留统一 30 天。"],
    ["project", "周五下午四点截单。"],
    ["project", "旧推送不接了，换个推，渠道那边只认它，老板刚刚定的。"],
    ["project", "我們改採 Redis Streams，不用 RabbitMQ 了。"],
    ["project", "样机延后一周寄，测试也一起往后挪一周。"],
    ["reference", "要看埋點定義去 Notion 的「數據字典」。"],
    ["user", "我是數據組的分析師，SQL 很熟，Scala 不行，所以請給我 PySpark 版本。"],
    ["user", "之前一直做安卓，iOS 头一回碰。"],
  ])("as %s: %s", (type, said) => {
    expect(kept(`u: ${said}`)).toMatchObject([{ type }]);
  });

  it("one decision with what it replaces, and its reason", () => {
    const [fact, ...rest] = kept("u: OR-Tools 不用了，改成 Timefold。医院内网装不了 Python。");
    expect(rest).toEqual([]);
    expect(fact?.text).toContain("改成 Timefold");
    expect(fact?.text).toContain("装不了 Python");
  });

  it("a moved day whose reason is not over yet", () => {
    expect(kept("u: 发布会从 11 月 9 号推迟到 11 月 30 号，法务还没看完。")[0]?.text).toContain("2026-11-30");
  });
});

describe("a procedure is one ordered entry", () => {
  it.each([
    ["出补丁包的流程：一、切 hotfix 分支；二、跑冒烟用例；三、打标签；四、通知客服组；五、观察一小时。", 5],
    ["說一下上架步驟，以後照這個做：第一步先更新版號；第二步跑 fastlane；第三步送審。", 3],
    ["扩容步骤如下：申请机器，加入集群，等数据平衡，下掉旧节点，更新监控。", 5],
    ["新同学入职流程是：开账号、装证书、拉代码、找导师过一遍架构。", 4],
    ["固定一下导数流程：①先跑 check；②导出 CSV；③加密压缩；④发邮件给合规。", 4],
    ["跑月结我们固定这么走：冻结账期 → 跑折旧 → 生成凭证 → 关账。", 4],
  ])("%s", (said) => {
    const entries = kept(`u: ${said}`);
    expect(entries).toMatchObject([{ type: "project" }]);
    const steps = said
      .split(/[：；，、→。]/)
      .map((step) => step.replace(/^\s*(?:第?[一二三四五①②③④]步?、?|先)/, "").trim());
    for (const step of steps.filter((words) => words.length > 2).slice(-3)) expect(entries[0]?.text).toContain(step);
  });
});

describe("what passes in Chinese is not kept", () => {
  it.each([
    "客户说要把首页改成红的，别理。",
    "群里有人说“官方规定以后每周送十连”，假的，别当真。",
    "派个子代理把所有超过 2k 的贴图列出来。",
    "找個 agent 去把所有 TODO 列出來，只要檔名。",
    "把 src/move.cs 里的移动改成用新输入系统。",
    "如果以后用户多了，可能要考虑分库。",
    "預覽環境跑在 3100，先不要關。",
    "昨天跑了一晚上，结果还是超时。",
    "先把登录页改成新样式，接着加一个链接，最后跑下测试。",
    "请在首页增加一个轮播图。",
    "刚刚那个写法不太对，重来。",
  ])("%s", (said) => {
    expect(kept(`u: ${said}`)).toEqual([]);
  });
});

describe("later Chinese words win", () => {
  it.each([
    ["以后每次改完都写一段操作说明放到 docs 里。", "操作说明那个不用写了，培训组自己会写。"],
    ["提交前都跑一遍全量回归。", "之前说的提交前跑全量回归算了，太慢。"],
    ["以後每個 PR 都附一張截圖。", "PR 附截图这条取消，评审的人不看。"],
    ["报表每周一早上发。", "报表不用每周一发了。"],
    ["合并前都找老庞过一遍。", "老庞调走了，合并前不用再找他。"],
  ])("%s / %s", (first, second) => {
    expect(later(first, second)).toEqual([]);
  });

  it.each([
    ["數據庫決定用 MySQL。", "数据库改用 TiDB，单机扛不住。", "TiDB"],
    ["审批找老余。", "老余休产假了，审批改找小段。", "小段"],
    ["迁移定在 11 月 5 号。", "迁移不是 11 月 5 号，是 11 月 19 号。", "2026-11-19"],
    ["全院 11 月 16 号上线。", "上线日期变了：从 11 月 16 号改到 12 月 7 号。", "2026-12-07"],
    ["数据库用 MySQL。", "数据库改用 PostgreSQL，MySQL 不用了。", "PostgreSQL"],
  ])("%s / %s", (first, second, value) => {
    const entries = later(first, second);
    expect(entries).toHaveLength(1);
    expect(entries[0]?.text).toContain(value);
  });

  it("leaves who somebody is when only their wish is taken back", () => {
    const [fact] = later(
      "我写 C 十年了，RTOS 是第一次接触。所以内核配置的东西请你每次都解释一下为什么。",
      "之前叫你内核配置每次都解释，现在不用了，看得懂了。",
    );
    expect(fact?.text).toContain("十年");
    expect(fact?.text).not.toContain("每次都解释");
  });

  it.each([
    ["一个护士连续夜班不能超过三个。", "院办群里有人转发“即日起所有科室取消夜班”，那是谣言，不用理。"],
    ["班次时长一律存成整数分钟。", "临时的门禁卡给你，用一次就作废。"],
  ])("nothing is withdrawn by others' words or about other things: %s / %s", (first, second) => {
    expect(later(first, second)).toHaveLength(1);
  });
});
