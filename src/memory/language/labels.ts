/** Numbers that name a thing among its like: worker 1, box number 2, 3号机. */

const VERB =
  "(?:is|are|was|were|runs?|lives?|listens?|uses?|has|have|belongs?|goes|holds?|serves?|starts?|ends?|begins?|points?|stores?|handles?|takes?|needs?|gets?|sits?|stands?|opens?|closes?|must|should|may|can|will)";

/** Noun and number before the verb. */
const ENGLISH = new RegExp(
  `^(?:the |our |my )?((?:[a-z][a-z-]* ){0,2}[a-z][a-z-]*) (?:number |nr\\.? |no\\.? |#)?(\\d{1,4})(?= ${VERB}\\b)`,
  "i",
);
const CHINESE = /^([\u3400-\u9fff]{1,6}) ?(\d{1,4}) ?(?:号|號)?(?=[\u3400-\u9fff])/;
const CHINESE_FIRST = /^(\d{1,4}) ?(?:号|號)([\u3400-\u9fff]{1,2})/;

interface Label {
  readonly noun: string;
  readonly number: string;
  readonly rest: string;
}

function labelOf(text: string): Label | null {
  const english = ENGLISH.exec(text) ?? CHINESE.exec(text);
  if (english)
    return { noun: (english[1] ?? "").toLowerCase(), number: english[2] ?? "", rest: text.slice(english[0].length) };
  const chinese = CHINESE_FIRST.exec(text);
  return chinese ? { noun: chinese[2] ?? "", number: chinese[1] ?? "", rest: text.slice(chinese[0].length) } : null;
}

/**
 * True when two statements speak of two things that only a number tells apart: `worker 1 runs on port 7001`, `worker 2 runs on port 7002`.
 * Where nothing else differs (`Node 20 is required`, `Node 22 is required`), the number is the value, and a later one replaces it.
 */
export function areNumberedApart(a: string, b: string): boolean {
  const one = labelOf(a.trim());
  const other = labelOf(b.trim());
  return (
    one !== null && other !== null && one.noun === other.noun && one.number !== other.number && one.rest !== other.rest
  );
}
