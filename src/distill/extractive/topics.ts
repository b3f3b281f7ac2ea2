/** Where a fact goes: an existing topic of its type that is about the same, else one of a few topics named by subject. */

import { termsOf } from "../../memory/language/words.ts";
import type { MemoryTree, MemoryType, Topic } from "../../memory/model.ts";
import { foldName } from "../../memory/names.ts";
import type { Fact } from "./fact.ts";
import type { Gist } from "./likeness.ts";

export interface Place {
  readonly slug: string;
  readonly type: MemoryType;
  readonly title: string;
  readonly description: string;
}

type Home = readonly [slug: string, title: string, description: string, subject: RegExp];

const INSTRUCTIONS: readonly Home[] = [
  [
    "testing-rules",
    "Testing rules",
    "Read before writing or running tests: which to run, how, and what to do after a failure",
    /\btest(?:s|ing|ed)?\b|\bcoverage\b|\bmocks?\b|\bmocked\b|\bfixtures?\b|测试|用例|断言|冒烟/i,
  ],
  [
    "commits-and-review",
    "Commits and review",
    "Read before committing, branching, merging, tagging or opening a pull request",
    /\bcommits?\b|\bbranch|\bmerg(?:e|ing)\b|\bPRs?\b|\bpull requests?\b|\btags?\b|\bpush\b|\brebase|\bsquash|\breview|\brefactors?\b|提交|分支|合并|评审|重构/i,
  ],
  [
    "answers-and-reports",
    "Answers and reports",
    "Read before answering or reporting: form, length and language that the user wants",
    /\banswer|\brepl(?:y|ies)\b|\bsummar|\bexplain|\brespon|\bshow me\b|回答|回复|汇报|贴给我|贴出来|解释|总结/i,
  ],
  [
    "writing-style",
    "Writing style",
    "Read before writing prose for people: documents, notes, headlines, wording and spelling",
    /\bspelling|\bparagraph|\bheadlines?\b|\bwording|\bprose|\bnotes\b|\bdescriptions?\b|\bexclamation|\bnumbers below|标题|文章|段落|措辞|人名|文案/i,
  ],
  [
    "operations-rules",
    "Operations rules",
    "Read before deploying, restarting, migrating or touching a running system",
    /\bdeploy|\brestart|\brelease|\bproduction\b|\bprod\b|\bmigrat|\brollback|\bon-call|部署|发布|发版|重启|生产|回滚|上线/i,
  ],
  [
    "code-style",
    "Code style",
    "Read before writing code: types, names, errors, imports and formatting",
    /\bfunctions?\b|\btypes?\b|\bclass|\berrors?\b|\bimports?\b|\bvariables?\b|\bnam(?:e|ing)\b|\btabs?\b|\blint|\bdocstrings?\b|\bcomments?\b|\blog with\b|\bhandlers?\b|\bany\b|类型|函数|命名|变量|注释|格式|缩进/i,
  ],
  [
    "build-and-tools",
    "Build and tools",
    "Read before installing, building or running anything: which tools and commands to use",
    /\binstall|\bpackages?\b|\bdependenc|\bbuild|\brun\b|\buse\b|`|安装|依赖|构建|只用|统一用|要用/i,
  ],
];

const HOMES: Readonly<Record<Exclude<Fact["kind"], "instruction" | "procedure">, Home>> = {
  person: [
    "about-the-user",
    "About the user",
    "Read before answering: who the user is, background, language and preferences",
    /(?:)/,
  ],
  pointer: [
    "external-systems",
    "External systems",
    "Read before looking for a tracker, dashboard, log, channel or document outside the repository",
    /(?:)/,
  ],
  decision: [
    "project-decisions",
    "Project decisions",
    "Read before changing design, storage or dependencies: what was decided, and why",
    /(?:)/,
  ],
  date: [
    "project-schedule",
    "Project schedule",
    "Read before planning, merging or releasing: dates, freezes and deadlines",
    /(?:)/,
  ],
  owner: [
    "ownership",
    "Ownership",
    "Read before changing what others own: who decides, approves and must be asked",
    /(?:)/,
  ],
  fact: [
    "project-facts",
    "Project facts",
    "Read before relying on names, limits, environments and constraints of this project",
    /(?:)/,
  ],
};

const OTHER: Home = [
  "working-preferences",
  "Working preferences",
  "Read before starting work: how the user wants it done",
  /(?:)/,
];

const PROCEDURES: readonly (readonly [RegExp, string])[] = [
  [/\bhot-?fix|热修/i, "hotfix"],
  [/\broll(?:ing)? ?back|回滚/i, "rollback"],
  [/\bonboard|入职/i, "onboarding"],
  [/\breleas|\bcut a|\bship|发版|发布|上架|\btag\b/i, "release"],
  [/\bdeploy|部署|上线/i, "deployment"],
  [/\bmigrat|迁移/i, "migration"],
  [/\breview|评审/i, "review"],
  [/\bpublish|\bpost\b|投稿|发文/i, "publishing"],
  [/\bbuild|构建|打包/i, "build"],
];

function procedureHome(text: string): Home {
  const subject = PROCEDURES.find(([test]) => test.test(text))?.[1] ?? "working";
  const title = `${subject[0]?.toUpperCase()}${subject.slice(1)} procedure`;
  return [
    `${subject}-procedure`,
    title,
    `Read before a ${subject} task: the steps that the user taught, in their order`,
    /(?:)/,
  ];
}

function homeOf(fact: Fact, text: string): Home {
  if (fact.kind === "procedure") return procedureHome(fact.subject ?? text);
  if (fact.type === "project" && fact.kind === "instruction") return HOMES.fact;
  if (fact.kind === "instruction") return INSTRUCTIONS.find(([, , , subject]) => subject.test(text)) ?? OTHER;
  return fact.type === "project" && fact.kind === "person" ? HOMES.fact : HOMES[fact.kind];
}

/** Words that say what a topic is about; its entries speak for it too. */
const wordsOf = (topic: Topic) =>
  termsOf(
    [
      topic.slug.replace(/-/g, " "),
      topic.name ?? "",
      topic.description ?? "",
      ...topic.entries.map((entry) => entry.statement),
    ].join("\n"),
  );

/** Room below 4,096 bytes for one more entry with its reason. */
const FULL_BYTES = 3_400;

/** An open topic of the fact's type whose words the fact shares best; two shared words, a third of the fact's, at least. */
function existing(fact: Fact, gist: Gist, tree: MemoryTree): Topic | null {
  let best: { topic: Topic; share: number } | null = null;
  for (const topic of tree.topics) {
    if (topic.type !== fact.type || topic.locked !== null || topic.pinned || Buffer.byteLength(topic.text) > FULL_BYTES)
      continue;
    const words = wordsOf(topic);
    const count = [...gist.terms].filter((term) => words.has(term)).length;
    const share = count / Math.max(1, gist.terms.size);
    if (count >= 2 && share >= 0.34 && share > (best?.share ?? 0)) best = { topic, share };
  }
  return best?.topic ?? null;
}

/** The place of a fact; the same slug in `tree` of another type or out of room is avoided. */
export function placeOf(fact: Fact, gist: Gist, tree: MemoryTree): Place {
  const [slug, title, description] = homeOf(fact, gist.text);
  const found = fact.kind === "procedure" ? null : existing(fact, gist, tree);
  if (found !== null) return { slug: found.slug, type: fact.type, title, description };
  const taken = new Map(tree.topics.map((topic) => [foldName(topic.slug), topic]));
  for (const name of [slug, `${slug}-${fact.type}`, `more-${slug}`, `further-${slug}`]) {
    const topic = taken.get(foldName(name));
    const open =
      topic === undefined ||
      (topic.type === fact.type &&
        topic.locked === null &&
        !topic.pinned &&
        Buffer.byteLength(topic.text) <= FULL_BYTES);
    if (open) return { slug: name, type: fact.type, title, description };
  }
  return { slug: `other-${slug}`, type: fact.type, title, description };
}
