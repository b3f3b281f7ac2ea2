import { describe, expect, it } from "vitest";
import { extract } from "../../src/distill/extractive/index.ts";
import { briefOf } from "./dialogue.ts";

/** The entries after two sessions, one turn each. */
const entriesAfter = (first: string, second?: string): string[] =>
  extract(
    briefOf({ said: ["@2026-03-12T09:00", `u: ${first}`, ...(second ? ["@2026-03-14T09:00", `u: ${second}`] : [])] }),
  ).operations.flatMap((op) => (op.op === "add" ? [op.text] : []));

describe("a later value of a thing leaves nothing of the earlier one", () => {
  it.each([
    ["Let's use Valkey as the cache.", "Cache is Memcached from now on, the other one needed a licence.", "Valkey"],
    ["For the ORM we picked Prisma.", "Drizzle instead of Prisma after all, the migrations were slow.", "we picked"],
    ["State management is Redux.", "Zustand for state management from now on.", "Redux"],
    ["We use Mapbox for the maps.", "Mapbox was a mistake, way too pricey. We go with MapLibre.", "use Mapbox"],
    ["Our test runner is Jest.", "Our test runner is now Vitest.", "Jest"],
    ["Code freeze is 12 May.", "They moved the code freeze to 26 May.", "05-12"],
    ["The queue is RabbitMQ.", "The queue moves to NATS, operations asked for it.", "Rabbit"],
    ["We'll host the chat with Pusher.", "I'm afraid we have to go back on Pusher. Ably it is.", "host the chat"],
    ["The roll-out is on 18 May 2026.", "The roll-out slips to 2 June because the vendor is late.", "18"],
    ["The beta is on 4 May.", "The beta was brought forward to 27 April.", "05-04"],
    ["Code freeze kicks in on Friday the 20th.", "freeze got pulled forward two days, wednesday the 18th", "03-20"],
  ])("%s / %s", (first, second, gone) => {
    const entries = entriesAfter(first, second);
    expect(entries).toHaveLength(1);
    expect(entries.join()).not.toContain(gone);
  });

  it("but a thing of another name and a place beside a time stay", () => {
    expect(entriesAfter("The queue is RabbitMQ.", "The cache is Valkey from now on.")).toHaveLength(2);
    expect(entriesAfter("The retro is in room Oslo.", "The retro is now at 15:00 every Tuesday.")).toContain(
      "The retro is in room Oslo.",
    );
  });
});

describe("what is said of different things is told apart", () => {
  it.each([
    ["The billing lead is Ana. The design lead is Tom.", "The design lead is now Uma.", "Ana"],
    ["The kick-off is on 9 May and the demo is on 14 May.", "The demo has been moved to 18 May.", "kick-off"],
    ["The audit is on 3 May. The pilot starts on 9 May.", "The audit is pushed back to 20 May.", "pilot"],
    [
      "Applications open on Monday of next week, and from the Friday before that nobody deploys. The archive goes live on May 4.",
      "The archive won't go live on May 4, it moves to June 8.",
      "nobody deploys",
    ],
    ["北仓下周三换新系统，切换前一天晚上停止收货。南仓 5 月 10 号开仓。", "北仓切换推迟到 4 月 21 号。", "南仓"],
  ])("%s", (first, second, stays) => {
    const entries = entriesAfter(first, second);
    expect(entries).toHaveLength(2);
    expect(entries.join("\n")).toContain(stays);
  });
});

describe("who has to agree at the end of a procedure belongs to it", () => {
  it("without the word only", () => {
    const [entry = "", ...others] = entriesAfter(
      'This is the procedure for closing a month, please keep it. When I say "close the month": first export the ledger, then run close.sh, after that compare the totals, and finally mail the accountants. Mr Adeyemi has to confirm before the books are locked.',
    );
    expect(others).toEqual([]);
    expect(entry).toContain("Mr Adeyemi");
    expect(entry).not.toContain("please keep it");
  });
});

describe("what is taken back leaves no trace", () => {
  it.each([
    ["每次改接口都更新一下 Swagger 文档。", "Swagger 那个不用管了，测试组自己维护。"],
    ["图片一律用 AVIF。", "AVIF 那条作废，旧平板打不开。"],
    [
      "Translate every new label to Dutch.",
      "Leave out the Dutch labels from now on, the Utrecht office took that over.",
    ],
  ])("%s / %s", (first, second) => {
    expect(entriesAfter(first, second)).toEqual([]);
  });
});

describe("a way of working that suited the user is kept", () => {
  it.each([
    "Small tables suit me better than long paragraphs.",
    "A diagram works better for me than prose.",
    "Putting the schema change in its own deploy worked really well. Let's do every larger release that way.",
    "回答直接给结论，不用列一大堆选项",
    "和供应商对接的文档写英文，因为他们的人在柏林。",
  ])("%s", (said) => {
    expect(entriesAfter(said)).toHaveLength(1);
  });
});

describe("the state of the afternoon is not", () => {
  it.each([
    "The proxy is throttling us this afternoon, don't test the uploads.",
    "Might a subagent go through the fixtures and list the stale ones? A bare list will do.",
    "我出去买个咖啡转一圈，串口别拔，正烧着固件。",
    "diff output is huge cuz of the license header, ignore.",
  ])("%s", (said) => {
    expect(entriesAfter(said)).toEqual([]);
  });
});
