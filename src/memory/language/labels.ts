/** Numbers and letters that name a thing among its like: worker 1, the s0 service, node-2, team B, 3号机, 一号机房. */

const VERBS =
  "is|are|was|were|runs?|lives?|listens?|uses?|has|have|belongs?|go(?:es)?|holds?|serves?|starts?|ends?|begins?|points?|stores?|handles?|takes?|needs?|gets?|sits?|stands?|opens?|closes?|must|should|may|can|cannot|will|would|owns?|works?|deploys?|ships?|returns?|requires?|expects?|reports?|sends?|reads?|writes?|talks?|speaks?|accepts?|allows?|keeps?|moves?|moved|switch(?:es|ed)?|comes?|does|do|doesn't|don't|isn't|aren't|won't|can't|never|always|only|covers?|contains?|connects?|depends?|expires?|replaces?|supports?|stays?|sleeps?|meets?|reviews?|maintains?|prefers?|wants?|follows?|targets?|feeds?|pulls?|pushes|polls?|exposes?|binds?|finishes|lasts?|now|no longer";

const ENGLISH_VERB = new RegExp(`(?<=[\\w)"'\`] )(?:${VERBS})(?![\\w-])|[,;:](?= )|\\.(?= |$)`, "i");
const CHINESE_VERB =
  /[，。；：、]|由|归|在|用|是|跑|走|叫|放|存|监听|部署|负责|需要?|必须|应该?|要|只|不|禁|有|为|改|换|搬|迁|已|现在|以后|属于|连|指向|开始|结束|完成|截止|上线|发布|推迟|提前|的(?:负责人|端口|地址|密码|机房|库|服务)/;

/** Words before a number that make it an amount or a day: at 5, limit of 30, June 9. */
const NO_NOUN =
  /^(?:all|the|our|my|your|these|those|a|an|at|by|in|on|of|to|for|from|with|under|over|above|below|least|most|than|and|or|max|min|every|each|about|after|before|until|till|since|between|top|first|last|next|past|only|january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)$/i;

/** Things that come in numbers; what runs on another number of these is another thing, whatever else is the same. */
const SERIES =
  "phase|worker|team|squad|sprint|stage|step|room|rack|zone|region|shard|replica|box|server|host|cluster|milestone|part|chapter|lane|queue|partition|instance|machine|unit|station|group|floor|building|service|tenant|site|line|gate|batch|round|wave|slot|bay|warehouse|store|branch|office|printer|sensor|device|disk|pod|track|module|lab|cohort|pool";
const IS_SERIES = new RegExp(`^(?:${SERIES}|node)s?$`, "i");

const COUNTED = "one|two|three|four|five|six|seven|eight|nine|ten";
const NTH = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth";

interface Label {
  /** What the things have in common: `worker`, `s`, `机房`. */
  readonly noun: string;
  readonly id: string;
  /** It can be no version of one thing. */
  readonly series: boolean;
}

type Form = readonly [pattern: RegExp, read: (first: string, second: string) => Label | null];

const label = (noun: string, id: string, series: boolean): Label => ({
  noun: noun.toLowerCase(),
  id: id.toLowerCase(),
  series,
});

const FORMS: readonly Form[] = [
  // s0, v1, node-1, eu_west_2; UTF-8 and ES2022 may be versions of one thing
  [
    /(?<![\w.-])([A-Za-z]+(?:[-_][A-Za-z]+)*)[-_]?(\d{1,5}(?:\.\d+)*)(?![\w-]|\.\d)/g,
    (noun, id) => label(noun, id, IS_SERIES.test(noun) || /^[a-uw-z]$/.test(noun)),
  ],
  // the s0 service, the v1 endpoint: what has a noun of its own is no version
  [
    /(?<![\w.-])([a-z]+(?:[-_][a-z]+)*)[-_]?(\d{1,5}(?:\.\d+)*)(?= ?[a-z\u3400-\u9fff])/g,
    (noun, id) => label(noun, id, true),
  ],
  // 10.0.0.1
  [/(?<![\w.-])(\d{1,3}\.\d{1,3}\.\d{1,3})\.(\d{1,3})(?![\w-]|\.\d)/g, (net, id) => label(net, id, true)],
  // worker 1, box number 2
  [
    /(?<![\w-])([A-Za-z][a-z-]*) (?:number |nr\.? |no\.? |#)?(\d{1,5}(?:\.\d+)*)(?= *$| (?:of|in|on|at|for|from|to|and|with)\b)/g,
    (noun, id) => (NO_NOUN.test(noun) ? null : label(noun, id, IS_SERIES.test(noun) && !/^node/i.test(noun))),
  ],
  // the phase 1 budget
  [
    new RegExp(`(?<![\\w-])(${SERIES}) (?:number |nr\\.? |no\\.? |#)?(\\d{1,5})(?![\\w%-]|\\.\\d|:\\d)`, "gi"),
    (noun, id) => label(noun, id, true),
  ],
  // team B
  [
    /(?<![\w-])([A-Za-z][a-z-]+) ([A-HJ-Z])(?![\w'’+#-])/g,
    (noun, id) => (NO_NOUN.test(noun) ? null : label(noun, id, IS_SERIES.test(noun))),
  ],
  [new RegExp(`(?<![\\w-])(${SERIES}) (${COUNTED})(?![\\w-])`, "gi"), (noun, id) => label(noun, id, true)],
  [new RegExp(`(?<![\\w-])(${NTH}) (${SERIES})(?![\\w-])`, "gi"), (id, noun) => label(noun, id, true)],
  // 3号机, 一号机房; 5号上线 is a day
  [
    /(?<![月\d一二三四五六七八九十])([\d一二三四五六七八九十]{1,4}) ?[号號](机房|机|楼|库|线|服务器|服务|节点|仓|仓库|门|房|厅|院|店|车间|工位|环境|集群|项目|组|队|系统|接口|柜|站|台|端口|分区|实例|队列|任务)/g,
    (id, noun) => label(noun, id, true),
  ],
  // 第一阶段, 二期
  [
    /第([\d一二三四五六七八九十]{1,3})(阶段|期|批|组|轮|队|部分|步|章|层|版|区|台|个[一-龥]{1,2})/g,
    (id, noun) => label(noun, id, true),
  ],
  [
    /(?<![第\d一二三四五六七八九十])([\d一二三四五六七八九十])(期|组|队|区|班)(?!间)/g,
    (id, noun) => label(noun, id, true),
  ],
  // A组, B 队
  [
    /(?<![\w-])([A-Z]) ?(组|队|区|楼|线|班|库|机房|项目|方案|团队|环境|服务|集群)/g,
    (id, noun) => label(noun, id, noun !== "方案"),
  ],
  // 机房1, 节点 2, 环境A
  [/([一-龥]{2}) ?(\d{1,4})(?![\d.%:\w-])(?! ?[月日号天年个点小分秒条次])/g, (noun, id) => label(noun, id, false)],
  [/(组|队|区|楼|线|库|机房|项目|团队|环境|服务|集群|节点) ?([A-Z])(?![\w-])/g, (noun, id) => label(noun, id, true)],
];

interface Reading {
  readonly labels: readonly Label[];
  readonly rest: string;
}

const CHANGE =
  /\b(?:now|from now on|from here on|going forward|instead|as of today|these days|currently|already)\b|现在|以后|今后|从现在起|已经|了(?=[。，]|$)/gi;
const LEAD =
  /^(?:(?:remember|note|fyi|reminder|for the record)(?: that)?[:,]? )?(?:from now on,? |now,? )?(?:the |our |my |all )?|^(?:请|帮我)?(?:记住|记一下|记下|注意|备忘)(?:一下)?[，,：: ]\s*/i;
/** A subject is not longer than this. */
const LONGEST = 80;

/** "For phase 1, Anna approves": a comma ends a subject only where the sentence opens with a place. */
const PLACED = /^(?:for|in|on|at|with|during|from|to|inside|under) /i;

/** "We run worker 1 on port 7001", "Always deploy node-1 with 2 GB": what is done to a thing makes it the subject; what is used may be a value. */
const DONE_TO =
  /^(?:(?:always|never|please|only) )*(?:we |you |i )?(?:(?:always|never|only|must|should) )*(?:run|deploy|keep|start|restart|host|put|back up|give|configure|build|ship|scale|monitor|test|connect)\b(?: [^ ,;]+){1,5}? (?=(?:on|with|at|in|from|to|for|by|every|before|after)\b)/i;

function subjectIn(head: string): string {
  const done = DONE_TO.exec(head);
  if (done !== null) return done[0].trimEnd();
  const isChinese = /[\u3400-\u9fff]/.test(head);
  const end = (isChinese ? CHINESE_VERB : ENGLISH_VERB).exec(head);
  if (end === null || (!isChinese && !/^\w/.test(end[0]) && !PLACED.test(head))) return "";
  return head.slice(0, end.index);
}

/** Many pairs are asked of the same texts; the oldest go when there are too many. */
const READ = new Map<string, Reading>();
const MOST_READ = 5_000;

function readingOf(text: string): Reading {
  const known = READ.get(text);
  if (known !== undefined) return known;
  const body = text.trim().replace(LEAD, "");
  const head = body.slice(0, LONGEST);
  const subject = subjectIn(head);
  const labels = FORMS.flatMap(([pattern, read]) =>
    Array.from(subject.matchAll(pattern), ([, first = "", second = ""]) => read(first, second)),
  ).filter((found) => found !== null);
  const rest = body.slice(subject.length);
  const found = { labels, rest: bare(rest) };
  if (READ.size >= MOST_READ) READ.clear();
  READ.set(text, found);
  return found;
}

const bare = (rest: string) =>
  rest
    .replace(CHANGE, " ")
    .replace(/[\s.,，。]+/g, " ")
    .trim()
    .toLowerCase();

/** The label stands in what the text says of its subject too: `s1 takes over from s0`. */
const names = ({ rest }: Reading, { noun, id }: Label) =>
  new RegExp(`(?<![\\w])${noun.replace(/[^\w\u3400-\u9fff]/g, ".")}[ _-]?${id.replace(/\./g, "\\.")}(?!\\w)`).test(
    rest,
  );

/**
 * True when two statements speak of two things that only a number or a letter tells apart: `the s0 service is owned by team 0`, `the s1
 * service is owned by team 1`. Where nothing else differs (`Node 20 is required`, `Node 22 is required now`) and no series is spoken of,
 * the number is the value, and a later one replaces it.
 */
export function areNumberedApart(a: string, b: string): boolean {
  const [one, other] = [readingOf(a), readingOf(b)];
  return one.labels.some(({ noun, id, series }) => {
    const like = other.labels.filter((label) => label.noun === noun);
    if (like.length === 0 || like.some((label) => label.id === id)) return false;
    if (names(one, like[0] ?? { noun, id, series }) || names(other, { noun, id, series })) return false;
    return series || one.rest !== other.rest;
  });
}
