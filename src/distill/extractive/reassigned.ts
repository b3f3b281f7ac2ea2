/** Chinese changes that name what they change: 审批改找小段, 迁移推迟到 2026-11-19. */
import { simplified } from "../../memory/language/han.ts";
import { coverage, termsOf } from "../../memory/language/words.ts";
import type { Gist } from "./likeness.ts";

const WAY = "[^，。；]{0,4}?";

/** How something was said to be before, by the verb that changes it. */
const BEFORE: readonly (readonly [verb: RegExp, older: string])[] = [
  [/改用|换成|换用|换上|切到|切成|转到|迁到|改上/, `${WAY}(?:用|走|上|选|是|接|跑|靠)`],
  [/改成|改为|改写|改按/, `${WAY}(?:用|写|是|走|为|统一|按|定|设|要)`],
  [/改找|改由|换由|改问|交给/, `${WAY}(?:找|由|归|问|是)`],
  [/搬到|挪到|移到|迁到|放到/, `${WAY}(?:在|放|跑|部署)`],
  [/改到|改在|挪到|调到/, "[^，。；]{0,8}?(?:每|周|星期|礼拜|\\d|点|月)"],
];
const VERBS = BEFORE.map(([verb]) => verb.source).join("|");
const CHANGE = new RegExp(
  `(?:^|[，；。：])([^，；。：\\d]{2,14}?)(?:已经|现在|以后|都|也|就|全部|统一)*(${VERBS})`,
  "g",
);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** True when the newer words give another value to what the older ones give one to. */
export function isReassigned(newer: Gist, older: Gist): boolean {
  const [now, before] = [simplified(newer.text), simplified(older.text)];
  return Array.from(now.matchAll(CHANGE)).some(([, subject = "", verb = ""]) => {
    const name = escaped(subject.trim());
    if (name.length < 2 || !before.includes(subject.trim())) return false;
    const ways = BEFORE.filter(([form]) => form.test(verb));
    return ways.some(
      ([, way]) =>
        new RegExp(`(?:^|[，；：])(?:[^，。；]{0,3})${name}${way}`).test(before) ||
        (/改到|挪到/.test(verb) && new RegExp(`每[^，。；]{1,8}${name}`).test(before)),
    );
  });
}

/** What is said of a day and of its change is no subject. */
const OF_DAYS =
  /\d{4}-\d\d-\d\d|推迟|提前|延期|延后|顺延|改期|推后|[定改挪换延调]到?[在于到为成]|日期|时间|日子|变了|从|到|是|在|了|的|也|就|原定|因为/g;

const latin = (terms: ReadonlySet<string>) => new Set([...terms].filter((term) => /^[a-z]/.test(term)));
const subjectIn = (text: string) => termsOf((simplified(text).split(/[。；]/)[0] ?? "").replace(OF_DAYS, " "));

/** True when both name days of one subject: 迁移定在 2026-11-05, 迁移推迟到 2026-11-19. */
export function isRedated(newer: Gist, older: Gist): boolean {
  if (newer.dates.length === 0 || older.dates.length === 0 || !/[\u4e00-\u9fff]/.test(newer.text)) return false;
  if (older.dates.every((date) => newer.dates.includes(date))) return false;
  const [now, before] = [subjectIn(newer.text), subjectIn(older.text)];
  if (now.size === 0 || before.size === 0) return false;
  const [named, namedBefore] = [latin(now), latin(before)];
  if (named.size > 0 && namedBefore.size > 0 && coverage(namedBefore, named) < 1) return false;
  return coverage(before, now) >= 0.6;
}
