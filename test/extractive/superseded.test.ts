import { describe, expect, it } from "vitest";
import { extract } from "../../src/distill/extractive/index.ts";
import { applied, briefOf } from "./dialogue.ts";

/** What memory holds after two sessions. */
function after(first: string, second: string): string {
  const brief = briefOf({ said: ["@2026-03-10T09:00", `u: ${first}`, "@2026-03-11T09:00", `u: ${second}`] });
  return applied(brief.memory, extract(brief).operations)
    .map(({ text }) => text)
    .join("\n");
}

describe("what was said later takes the place of what was said before", () => {
  it.each<[string, string, RegExp | null, RegExp]>([
    [
      "Please add a changelog line for every migration.",
      "You know what, the changelog lines are more trouble than they're worth. No need any more.",
      null,
      /changelog line for every/im,
    ],
    [
      "We use Redis for sessions.",
      "Sessions live in Postgres now. Redis was too expensive.",
      /Postgres/i,
      /use Redis/im,
    ],
    ["Reviews are done by Tom.", "Tom left, reviews go to Ana from now on.", /Ana/i, /done by Tom/im],
    ["The retention is 30 days.", "Retention goes up to 90 days, legal asked for it.", /90/i, /is 30 days/im],
    [
      "Launch is on 4 May.",
      "We're launching two weeks later than planned: 18 May.",
      /18 May|05-18/i,
      /on (2026-)?0?5?-?04|on 4 May/im,
    ],
    ["We'll ship the app with Electron.", "Electron is too heavy after all, Tauri it is.", /Tauri/i, /Electron\.$/im],
    ["The beta starts March 3.", "Beta's moved to March 17.", /03-17|March 17/i, /03-03|March 3\b/im],
    [
      "staging runs on k8s",
      "we moved staging off k8s to nomad last night, rancher kept breaking",
      /nomad/i,
      /staging runs on k8s/im,
    ],
    ["Use moment for dates.", "moment is deprecated, date-fns instead.", /date-fns/i, /Use moment/im],
    ["缓存用 Redis。", "缓存换成 Valkey 了，Redis 授权有问题。", /Valkey/i, /缓存用 Redis/im],
    ["评审找老周。", "老周调走了，以后评审找小林。", /小林/i, /评审找老周/im],
    ["日志保留 30 天。", "日志保留时间延长到 90 天，法务要求的。", /90/i, /保留 30/im],
    ["搜索用 ES。", "搜索不上 ES 了，Meilisearch 更轻。", /Meilisearch/i, /搜索用 ES/im],
    ["每周五发版。", "发版改到每周三，周五出事没人处理。", /周三/i, /每周五发版/im],
    ["提交前跑 npm test。", "以后提交前跑 pnpm check，npm test 不用了。", /pnpm check/i, /跑 npm test/im],
    ["每次改完写一份变更说明。", "变更说明那个不用写了，没人看。", null, /写一份变更说明/im],
    ["答辩 11 月 20 号。", "答辩提前了，11 月 13 号。", /11-13|11 月 13/i, /11-20|11 月 20/im],
    ["The demo is on 3 June.", "Demo got pushed a week, now 10 June.", /06-10|10 June/i, /06-03|3 June/im],
    [
      "Pictures go to S3 bucket acme-media.",
      "pictures don't go to acme-media any more, use the acme-cdn bucket",
      /acme-cdn/i,
      /Pictures go to S3/im,
    ],
    [
      "Use British spelling in the docs.",
      "Docs switch to American spelling, the US team complained.",
      /American/i,
      /Use British/im,
    ],
    [
      "Always write a summary at the end.",
      "You can skip the summary at the end, I read the diff anyway.",
      null,
      /Always write a summary/im,
    ],
    ["支付渠道只接微信。", "支付渠道加上支付宝，不再只接微信。", /支付宝/i, /支付渠道只接微信/im],
    ["Log in German.", "Forget the German logs, English everywhere.", /English/i, /Log in German/im],
    ["Keep functions under 30 lines.", "30 lines was too strict, make it 50 for functions.", /50/i, /under 30/im],
    [
      "We host on AWS Frankfurt.",
      "Hosting goes to Hetzner in Falkenstein, AWS got too expensive.",
      /Hetzner/i,
      /host on AWS/im,
    ],
    [
      "Reports are sent as PDF.",
      "Reports: send them as HTML mails instead, the office printers choke on the PDFs.",
      /HTML/i,
      /sent as PDF/im,
    ],
    [
      "Standup notes go to #daily.",
      "Standup notes no longer go to #daily; post them in #crew.",
      /crew/i,
      /notes go to #daily\./im,
    ],
    [
      "We release every second Wednesday.",
      "We're going to weekly releases, every Wednesday.",
      /weekly/i,
      /every second/im,
    ],
    [
      "The freeze starts on 1 December.",
      "The freeze is one week earlier, it starts 24 November.",
      /11-24|24 November/i,
      /12-01|1 December/im,
    ],
    [
      "The opening is planned for 5 March.",
      "Opening slides to 19 March, the fire inspection isn't through.",
      /03-19|19 March/i,
      /03-05|5 March/im,
    ],
    [
      "Maps come from Mapbox.",
      "Mapbox raised prices, so maps come from MapTiler now.",
      /MapTiler/i,
      /come from Mapbox\./im,
    ],
    [
      "Hana owns the scheduler.",
      "Hana is on parental leave, Ben owns the scheduler for the next year.",
      /Ben/i,
      /Hana owns the scheduler\.$/im,
    ],
    ["Address me formally.", "You can drop the formal address, first names are fine.", null, /Address me formally/im],
    ["Keep commits signed.", "We dropped commit signing, the key server is gone.", null, /Keep commits signed/im],
    ["All times in CET please.", "Times in UTC from now on, the Tokyo office joined.", /UTC/i, /times in CET/im],
    ["Upload limit is 25 MB.", "Upload limit raised: 40 MB.", /40/i, /is 25 MB/im],
    [
      "The wiki lives in Confluence.",
      "We've left Confluence, the wiki is in BookStack.",
      /BookStack/i,
      /lives in Confluence/im,
    ],
    ["Cache everything for an hour.", "An hour of caching is too long, ten minutes.", /ten minutes/i, /for an hour/im],
    ["We'll write the CLI in Go.", "Change of plan for the CLI: Rust, not Go.", /Rust/i, /CLI in Go/im],
    ["Use poetry for dependencies.", "We've moved from poetry to uv.", /uv/i, /Use poetry/im],
    [
      "Never deploy without Lena's ok.",
      "Lena's ok isn't needed for deploys any more, the pipeline checks it.",
      null,
      /without Lena/im,
    ],
    ["报告发 PDF。", "报告改发 HTML 邮件，办公室打印机吃不消 PDF。", /HTML/i, /报告发 PDF/im],
    ["隔周三发布。", "发布改成每周三。", /每周三/i, /隔周三/im],
    ["12 月 1 号封版。", "封版提前一周，11 月 24 号。", /11-24|11 月 24/i, /12-01|12 月 1/im],
    ["开业定在 3 月 5 号。", "开业往后挪到 3 月 19 号，消防没过。", /03-19|3 月 19/i, /03-05|3 月 5/im],
    ["排班模块归小花管。", "小花休产假，排班模块接下来一年归老本。", /老本/i, /归小花管/im],
    ["提交都要签名。", "提交签名取消了，密钥服务器没了。", null, /提交都要签名/im],
    ["时间都写东八区。", "以后时间都写 UTC，东京那边加进来了。", /UTC/i, /东八区/im],
    ["上传上限 25 MB。", "上传上限调到 40 MB 了。", /40/i, /上限 25/im],
    ["命令行用 Go 写。", "命令行不用 Go 了，用 Rust。", /Rust/i, /命令行用 Go 写/im],
    ["知识库在 Confluence。", "知识库搬到 BookStack 了。", /BookStack/i, /在 Confluence/im],
    ["上线前要老雷点头。", "上线不用老雷点头了，流水线会查。", null, /要老雷点头/im],
    ["缓存一小时。", "缓存一小时太长，改十分钟。", /十分钟/i, /缓存一小时。/im],
    [
      "The archive opens on 2 May.",
      "You will remember we had hoped to open the archive on 2 May. The shelves are stuck at the port, so it will be 9 June instead.",
      /06-09|9 June/,
      /opens on/,
    ],
  ])("%s → %s", (first, second, now, gone) => {
    const memory = after(first, second);
    if (now !== null) expect(memory).toMatch(now);
    expect(memory).not.toMatch(gone);
  });
});
