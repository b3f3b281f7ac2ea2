import { describe, expect, it } from "vitest";
import { extract } from "../../src/distill/extractive/index.ts";
import { areNumberedApart } from "../../src/memory/language/labels.ts";
import { briefOf } from "./dialogue.ts";

const texts = (...said: string[]) =>
  extract(briefOf({ said: ["@2026-03-12T09:00", ...said.map((line) => `u: ${line}`)] })).operations.flatMap((op) =>
    op.op === "add" ? [op.text] : [],
  );

describe("things that only a number tells apart", () => {
  it("are each remembered, a later one does not replace an earlier one", () => {
    expect(
      texts("Worker 1 runs on port 7001.", "Worker 2 runs on port 7002.", "Worker 3 runs on port 7003."),
    ).toHaveLength(3);
    expect(texts("Sprint 12 ends on 2026-10-02.", "Sprint 13 ends on 2026-10-16.")).toHaveLength(2);
  });

  it.each([
    ["Worker 1 runs on port 7001", "Worker 2 runs on port 7002", true],
    ["Box number 1 is called heron", "box number 2 is called crane", true],
    ["3号机在机房甲", "4号机在机房乙", true],
    ["Node 20 is required", "Node 22 is required", false],
    ["The limit is 40 MB", "The limit is 25 MB", false],
    ["Worker 1 runs on port 7001", "Worker 1 runs on port 7009", false],
  ])("%s / %s", (a, b, apart) => {
    expect(areNumberedApart(a, b)).toBe(apart);
  });
});

const APART: readonly (readonly [string, string])[] = [
  ["The s0 service is owned by team 0.", "The s1 service is owned by team 1."],
  ["The s0 service is owned by Anna.", "The s1 service is owned by Anna."],
  ["The v1 endpoint returns XML.", "The v2 endpoint returns JSON."],
  ["The v1 endpoint is for partners.", "From now on the v2 endpoint is for the apps."],
  ["node-1 runs the database on port 5432.", "node-2 runs the database on port 5433."],
  ["node-1 is in Berlin.", "node-2 is in Berlin."],
  ["Phase 1 ends on 2026-12-03.", "Phase 2 ends on 2027-01-15."],
  ["Phase 1 is owned by Anna.", "Phase 2 is owned by Anna."],
  ["Phase one is owned by Anna.", "Phase two is owned by Ben."],
  ["The first shard holds 40 million rows.", "The second shard holds 60 million rows."],
  ["Team A always deploys on Mondays.", "Team B always deploys on Thursdays."],
  ["Team A is owned by Anna.", "Team B is now owned by Anna."],
  ["Port 8080 is for the api.", "Port 8081 is for the admin panel."],
  ["The eth0 port is reserved for backups.", "The eth1 port is reserved for traffic."],
  ["Deploys to node-1 go through Jenkins.", "Deploys to node-2 go through Argo."],
  ["The phase 1 budget is 40,000 euros.", "The phase 2 budget is 90,000 euros."],
  ["For phase 1, Anna approves the budget.", "For phase 2, Ben approves the budget."],
  ["We run worker 1 on port 7001.", "We run worker 2 on port 7002."],
  ["Always deploy node-1 with 2 GB of memory.", "Always deploy node-2 with 4 GB of memory."],
  ["The host 10.0.0.1 is owned by Anna.", "The host 10.0.0.2 is owned by Anna."],
  ["1号机房由张伟负责。", "2号机房由李娜负责。"],
  ["1号机房由张伟负责。", "2号机房现在由张伟负责。"],
  ["一号机房放数据库，密码找张伟。", "二号机房放缓存，密码找李娜。"],
  ["第一阶段由张伟负责。", "第二阶段由李娜负责。"],
  ["A组负责支付服务。", "B组负责搜索服务。"],
  ["s0 服务由张伟负责。", "s1 服务由李娜负责。"],
  ["v1 接口必须用 XML。", "v2 接口必须用 JSON。"],
  ["节点1部署在上海。", "节点2部署在北京。"],
];

const SUPERSEDED: readonly (readonly [string, string])[] = [
  ["The api listens on port 8080.", "The api listens on port 9090 now."],
  ["Node 20 is required.", "Node 22 is required now."],
  ["The s0 service listens on port 7001.", "The s0 service listens on port 7009 now."],
  ["Deploys are owned by team A.", "Deploys are owned by team B now."],
  ["Phase 1 ends on 2026-12-03.", "Phase 1 was moved to 2026-12-10."],
  ["The upload limit is 40 MB.", "The upload limit is 25 MB now."],
  ["1号机房由张伟负责。", "1号机房改由李娜负责。"],
  ["v1 接口用 XML。", "v1 接口改用 JSON。"],
  ["上传上限是 40 MB。", "上传上限现在是 25 MB。"],
];

const inMemory = (older: string, newer: string) =>
  extract(
    briefOf({
      said: ["@2026-03-12T09:00", `u: Remember: ${newer}`],
      memory: [{ slug: "facts", type: "project", description: "Facts", entries: [older] }],
    }),
  ).operations.flatMap(({ op }) => (op === "create-topic" ? [] : [op]));

describe("two subjects that only a number or a letter tells apart", () => {
  it.each(APART)("are two facts: %s / %s", (older, newer) => {
    expect(areNumberedApart(older, newer)).toBe(true);
    expect(areNumberedApart(newer, older)).toBe(true);
    expect(texts(`Remember: ${older}`, `Remember: ${newer}`)).toHaveLength(2);
    expect(inMemory(older, newer)).toEqual(["add"]);
  });

  it.each(SUPERSEDED)("are one where only the value differs: %s / %s", (older, newer) => {
    expect(areNumberedApart(older, newer)).toBe(false);
    expect(texts(`Remember: ${older}`, `Remember: ${newer}`)).toHaveLength(1);
  });

  it("take each other's place where the words say so", () => {
    expect(areNumberedApart("The s0 service is owned by Anna.", "The s1 service replaces s0.")).toBe(false);
  });
});

describe("a cue in English before a Chinese statement", () => {
  it.each([
    ["Remember: 支付服务由张伟负责。", "支付服务由张伟负责。"],
    ["Remember：支付服务由张伟负责。", "支付服务由张伟负责。"],
    ["Note: 搜索服务由李娜负责。", "搜索服务由李娜负责。"],
    ["FYI, 网关由王强负责。", "网关由王强负责。"],
    ["Please remember: 支付服务由 Anna Lee 负责。", "支付服务由 Anna Lee 负责。"],
    ["Redis: 由张伟负责。", "Redis: 由张伟负责。"],
  ])("is not remembered with it: %s", (said, kept) => {
    expect(texts(said)).toEqual([kept]);
  });
});

describe("what is asked for in the second half of a sentence", () => {
  it("is remembered without the first half, also when that holds a secret", () => {
    const asked = "but remember that deploys go through the blue runner.";
    expect(texts(`I pasted the token [redacted:github] by accident, ${asked}`)).toEqual([
      "deploys go through the blue runner.",
    ]);
    expect(texts(`I pasted the note by accident, ${asked}`)).toEqual(["deploys go through the blue runner."]);
  });
});
