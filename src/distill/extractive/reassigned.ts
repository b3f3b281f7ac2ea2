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
  `(?:^|[，；。：])((?:\\d{1,4} ?[号期]|[A-Za-z-]{1,12}\\d{1,4} ?)?[^，；。：\\d]{2,14}?)(?:已经|现在|以后|都|也|就|全部|统一)*(${VERBS})`,
  "g",
);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

interface Change {
  readonly subject: string;
  /** How the older words would say what is changed. */
  readonly said: readonly RegExp[];
}

/** Every newer statement is held against many older ones. */
const CHANGES = new WeakMap<Gist, readonly Change[]>();

function changesIn(gist: Gist): readonly Change[] {
  const known = CHANGES.get(gist);
  if (known !== undefined) return known;
  const changes = Array.from(simplified(gist.text).matchAll(CHANGE), ([, words = "", verb = ""]) => {
    const subject = words.trim();
    const name = escaped(subject);
    const ways = BEFORE.filter(([form]) => form.test(verb)).map(
      ([, way]) => `(?:^|[，；：])[^，。；]{0,3}${name}${way}`,
    );
    const times = /改到|挪到/.test(verb) ? [`每[^，。；]{1,8}${name}`] : [];
    return { subject, said: [...ways, ...times].map((source) => new RegExp(source)) };
  }).filter(({ subject }) => subject.length > 1);
  CHANGES.set(gist, changes);
  return changes;
}

/** True when the newer words give another value to what the older ones give one to. */
export function isReassigned(newer: Gist, older: Gist): boolean {
  const changes = changesIn(newer);
  if (changes.length === 0) return false;
  const before = simplified(older.text);
  return changes.some(({ subject, said }) => before.includes(subject) && said.some((form) => form.test(before)));
}

/** What is said of a day and of its change is no subject. */
const OF_DAYS =
  /\d{4}-\d\d-\d\d|推迟|提前|延期|延后|顺延|改期|推后|[定改挪换延调]到?[在于到为成]|日期|时间|日子|[上下中]午|早上|晚上|变了|从|到|是|在|了|的|也|就|原定|因为/g;

const latin = (terms: ReadonlySet<string>) => new Set([...terms].filter((term) => /^[a-z]/.test(term)));
const SUBJECTS = new WeakMap<Gist, ReadonlySet<string>>();

function subjectIn(gist: Gist): ReadonlySet<string> {
  const known = SUBJECTS.get(gist) ?? termsOf((simplified(gist.text).split(/[。；]/)[0] ?? "").replace(OF_DAYS, " "));
  SUBJECTS.set(gist, known);
  return known;
}

/** True when both name days of one subject: 迁移定在 2026-11-05, 迁移推迟到 2026-11-19. */
export function isRedated(newer: Gist, older: Gist): boolean {
  if (newer.dates.length === 0 || older.dates.length === 0 || !/[\u4e00-\u9fff]/.test(newer.text)) return false;
  if (older.dates.every((date) => newer.dates.includes(date))) return false;
  const [now, before] = [subjectIn(newer), subjectIn(older)];
  if (now.size === 0 || before.size === 0) return false;
  const [named, namedBefore] = [latin(now), latin(before)];
  if (named.size > 0 && namedBefore.size > 0 && coverage(namedBefore, named) < 1) return false;
  return coverage(before, now) >= 0.6;
}
