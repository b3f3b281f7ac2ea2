import { describe, expect, it } from "vitest";
import { extract } from "../../src/distill/extractive/index.ts";
import { applied, briefOf } from "./dialogue.ts";

/** What is kept of words that somebody types once. */
function kept(said: string): string[] {
  const brief = briefOf({ said: ["@2026-03-10T09:00", `u: ${said}`] });
  return applied(brief.memory, extract(brief).operations).map(({ text }) => text);
}

describe("talk of the moment in plain Chinese", () => {
  it.each([
    "帮我修一下解析器的逗号问题。",
    "把 getUser 改成 fetchUser。",
    "这个页面怎么白屏了",
    "先跑一下测试看看",
    "要不要换成 Bun？",
    "也许我们该用 Redis。",
    "今天先把导出页面做完。",
    "我去开个会，服务别停。",
    "好的，提交吧",
    "继续",
    "看下日志里有没有报错",
    "按钮点了没反应",
    "给用户表加一个手机号字段",
    "这个函数返回的是 undefined",
    "用子代理把没人用的代码找出来",
    "主会话：整理解析器。",
    "为什么这里要加锁",
    "如果有时间，我想用 Go 重写一遍",
    "网上有人说永远不要用 ORM",
    "表头改成蓝色，按钮放右边",
    "行，那就按第二种来",
    "刚才那个测试又红了",
    "把超时改成 30 秒",
    "现在本地 3001 端口被我占着",
    "你觉得用 Kafka 合适吗",
    "先别提交",
    "12 个失败，哪些是新的？",
    "干得不错",
    "拉一下代码再试",
    "写个脚本把大于 1 MB 的文件列出来",
    "新接口 id 不存在时返回 404",
    "演示一小时后开始，快点",
    "我昨天改了一半还是漏内存",
    "把这段翻译成英文：我们每周五发版。",
    "上面那个表按名字排序",
    "改完告诉我改了几行",
    "把这段总结放到文件最上面",
    "测试都过了，谢谢",
    "三个测试超时了",
    "用户反馈搜索很慢",
    "客户想要深色模式，大概要多久？",
    "昨晚的任务又失败了，查查",
    "每个测试在我电脑上都挂",
    "周四要给客户看，先弄个能跑的",
    "下周一我拿去给佩姐看",
    "周五之前要给我",
    "重构放下周吧",
    "导出的行重复了",
    "按钮没有悬停效果，加上",
    "这里用 map 别用 switch",
    "开头加个判断提前返回",
    "第三个参数去掉",
    "文档先不写",
    "名字就叫 toSlug",
    "新表叫 order_events",
    "构造函数里把时钟传进去",
    "失败重试三次再放弃",
    "校验抽成一个函数",
    "旧分支可以删了",
    "算了，找到了",
    "警告别管",
    "小顾想要啥来着？",
    "实习生在白板上写“测试全删”，笑死",
    "你的任务是列出 src/util 导出的符号，用列表回复。",
    "查一下 billing 模块的不稳定测试，告诉我哪些要修",
    "好，数字对上了",
    "不错，合了吧",
  ])("keeps nothing of: %s", (said) => {
    expect(kept(said)).toEqual([]);
  });
});
