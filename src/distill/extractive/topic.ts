/** Statements that open with the same thing and give it values of one sort: "all times in CET", "times in UTC from now on". */
import { simplified } from "../../memory/language/han.ts";
import { contentWords } from "../../memory/language/words.ts";
import type { Gist } from "./likeness.ts";

type Sort = "name" | "tongue" | "pace" | "day";

const SORTS: Readonly<Record<Sort, RegExp>> = {
  name: /(?<=[\s（(“"'`])[A-Z#@][\w.+#/-]+|`[^`]{1,40}`|(?<=[\u3400-\u9fff] ?)[A-Za-z#@][\w.+#/-]+/g,
  tongue:
    /\b(?:English|German|French|Spanish|Italian|Dutch|Chinese|Japanese|Korean|American|British|Portuguese|Polish|Russian)\b|(?:中|英|日|德|法|韩|俄|西|葡)[文语]/g,
  pace: /\b(?:daily|weekly|monthly|quarterly|yearly|fortnightly|biweekly|hourly|nightly|(?:every|each) (?:other |second |third |\d+ )?\w+|twice a \w+|once a \w+)\b|[每隔双单](?:两|三|\d+)?(?:天|日|周|月|年|小时|季度)[一二三四五六日天]?/gi,
  day: /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|[周星期]{1,2}[一二三四五六日天]/gi,
};

const NONE: ReadonlySet<string> = new Set();
const FOUND = new WeakMap<Gist, Readonly<Record<Sort, ReadonlySet<string>>>>();

function valuesIn(gist: Gist): Readonly<Record<Sort, ReadonlySet<string>>> {
  const known = FOUND.get(gist);
  if (known !== undefined) return known;
  const of = (sort: Sort) =>
    new Set(Array.from(gist.text.matchAll(SORTS[sort]), ([value]) => value.toLowerCase().replace(/s$/, "")));
  const found = { name: of("name"), tongue: of("tongue"), pace: of("pace"), day: of("day") };
  FOUND.set(gist, found);
  return found;
}

const OPENERS =
  /^(?:all|the|our|every|each|any|please|always|we|use|keep|write|send|put|log|store|release|host|deploy|ship|run|are|is|going|moved?|switch(?:ed|ing)?)$/i;
/** The thing stands among the first words of a clause. */
const NEAR = 2;

const isName = (text: string) => /^[A-Z#@]/.test(text) || /\d/.test(text);

/** The first word of content that is no name and no verb of giving a value. */
const topicOf = (text: string): string | null =>
  contentWords(text).find(
    ({ text: word, cjk }) => !cjk && !OPENERS.test(word) && !(isName(word) && text.indexOf(word) > 0),
  )?.term ?? null;

/** The first words of content of each clause. */
const opened = (text: string): ReadonlySet<string> =>
  new Set(
    text.split(/[.,;:!] /).flatMap((clause) =>
      contentWords(clause)
        .filter(({ text: word }) => !OPENERS.test(word))
        .slice(0, NEAR)
        .map(({ term }) => term),
    ),
  );

const HEAD =
  /^(?:以后|现在|今后|往后|从现在起|从今天起|另外|所有的?|全部的?|每次|请)*(?:的)?([一-龥]{2,8}?)(?:都|就|也|统一|一律|全部|只)*(?:用|写|发|放|走|找|归|由|在|叫|按|换|改|调|搬|挪|别|不|每|隔|是|从|到)/;

const heads = (text: string) =>
  simplified(text)
    .split(/[，。；：]/)
    .flatMap((clause) => HEAD.exec(clause.trim())?.[1] ?? []);

interface Opening {
  readonly topic: string | null;
  readonly opened: ReadonlySet<string>;
}

/** Every newer statement is held against many older ones. */
const OPENINGS = new WeakMap<Gist, Opening>();

function openingOf(gist: Gist): Opening {
  const known = OPENINGS.get(gist);
  if (known !== undefined) return known;
  const cjk = /[\u4e00-\u9fff]/.test(gist.text);
  const found = cjk
    ? { topic: heads(gist.text)[0] ?? null, opened: new Set(heads(gist.text)) }
    : { topic: topicOf(gist.text), opened: opened(gist.text) };
  OPENINGS.set(gist, found);
  return found;
}

/** Both open with one thing. */
function isSameTopic(newer: Gist, older: Gist): boolean {
  const [now, before] = [openingOf(newer), openingOf(older)];
  return before.topic !== null && now.opened.has(before.topic);
}

const LEAST = 0.5;

/** Words of the older statement that are no values: most must be said again. */
function isRetold(newer: Gist, older: Gist, values: ReadonlySet<string>): boolean {
  const own = [...older.terms].filter(
    (term) => ![...values].some((value) => value.includes(term) || term.includes(value)),
  );
  return own.filter((term) => newer.terms.has(term)).length >= own.length * LEAST;
}

const isApart = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  a.size > 0 && b.size > 0 && [...a].every((value) => !b.has(value));

/** True when the newer words, which are those of a change, give the older one's thing another value of the same sort. */
export function isRevalued(newer: Gist, older: Gist): boolean {
  const [now, before] = [valuesIn(newer), valuesIn(older)];
  const sort = (Object.keys(SORTS) as Sort[]).find((name) => isApart(now[name], before[name]));
  if (sort === undefined) return isRenamed(newer, older);
  return isSameTopic(newer, older) && isRetold(newer, older, before[sort] ?? NONE);
}

/** 时间都写东八区, 以后时间都写 UTC: Chinese values carry no mark, so that the verb must be the same. */
function isRenamed(newer: Gist, older: Gist): boolean {
  if (!/[\u4e00-\u9fff]/.test(older.text) || !/^(?:以后|现在|今后|往后|从现在起|从今天起)/.test(simplified(newer.text)))
    return false;
  const [before, now] = [older, newer].map(({ text }) => CLAUSE.exec(simplified(text)));
  return before?.[1] !== undefined && before[1] === now?.[1] && before[2] === now?.[2] && before[3] !== now?.[3];
}
const CLAUSE =
  /^(?:以后|现在|今后|往后|从现在起|从今天起)?([一-龥]{2,8}?)(?:都|统一|一律|全部)*(用|写|发|放|走|找|归|由|在|叫|按)([^，。；]{1,20})/;
