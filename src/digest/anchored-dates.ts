/** Dates counted from another date in the text: "the Monday after 2026-12-18", "two weeks before December 18". */
import { type Day, nearestWeekday } from "./calendar.ts";
import { englishNumber, englishWeekday, WEEKDAY } from "./english-dates.ts";
import type { Phrase } from "./phrase.ts";

const NUMBER = "\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
const SIDE = "(?<side>after|following|before|preceding|from)";
/** Words that name the anchor ("launch day,"), kept in the text since they say what the date is. */
const NAMED_ANCHOR = "(?<named>(?: [a-z][a-z-]*){1,4},)?";
const LEAD = new RegExp(
  `(?<head>(?:the )?(?:(?<weekday>${WEEKDAY})|(?<day>day)|(?<n>${NUMBER}) (?<unit>days?|weeks?)))(?<link> ${SIDE})${NAMED_ANCHOR} $`,
  "i",
);
const SIGHT = 80;

function shift(groups: Readonly<Record<string, string | undefined>>): ((anchor: Day) => Day | null) | null {
  const back = /^(?:before|preceding)$/i.test(groups.side ?? "");
  if (groups.weekday !== undefined) {
    const weekday = englishWeekday(groups.weekday);
    if (weekday === null || groups.side === "from") return null;
    return (anchor) => nearestWeekday(anchor, weekday, back ? -1 : 1) ?? anchor + (back ? -7 : 7);
  }
  const days = groups.day ? 1 : englishNumber(groups.n ?? "") * (/^week/i.test(groups.unit ?? "") ? 7 : 1);
  return (anchor) => anchor + (back ? -days : days);
}

/** Phrases that end in one of `anchors` and count from it. Where the anchor has a name, only the part before "after" is the phrase. */
export function anchoredPhrases(text: string, anchors: readonly Phrase[]): Phrase[] {
  const phrases: Phrase[] = [];
  for (const anchor of anchors) {
    const from = Math.max(0, anchor.start - SIGHT);
    const match = LEAD.exec(text.slice(from, anchor.start));
    const move = match?.groups && shift(match.groups);
    if (!match || !move) continue;
    const start = from + match.index;
    const end = match.groups?.named ? start + (match.groups.head?.length ?? 0) : anchor.end;
    const resolve = (today: Day | null) => {
      const day = anchor.resolve(today);
      return day === null ? null : move(day);
    };
    phrases.push({ start, end, kind: "relative", adverb: true, resolve });
  }
  return phrases;
}
