/** "Staging deploys go out on Monday": what several things do as a rule falls on every such day, not on one. */

const NO_NOUN =
  "we|they|you|i|this|these|those|is|was|has|does|goes|starts|ends|always|days|weeks|hours|launches|finals|holidays|elections|exams|interviews";
const ABOUT = "(?: (?:of|from|to|in|for|at|with) (?:(?:the|our|all) )?[\\w-]+)?";
/** What is done again and again, so that even "the releases" are no single ones. */
const AGAIN =
  "(?:deploy|deployment|release|build|backup|standup|stand-up|retro|rollout|sync|check-in|checkin|payout|payment|export|import|migration|meeting|review|report|digest|newsletter|job|run|cleanup|rotation|restore|restart|reboot|update|shift|delivery|pickup)s|deliveries|syncs|batches|patches";
const DONE =
  "sent|published|built|merged|cut|deployed|shipped|paid|reviewed|held|done|made|run|taken|collected|posted|processed|generated|refreshed|rebuilt|rotated";
const DO = `go (?:out|up|in|through)|happen|run|ship|deploy|rotate|take place|meet|reset|refresh|sync|(?:are|get) (?:${DONE})`;

const HABIT = new RegExp(
  `(?:^|[.!?;:,]|\\b(?:and|but|so|that))\\s*(?:` +
    `(?:(?:our|all|my) )?(?!(?:the|this|these|those) )(?:[\\w-]+ ){0,2}(?!(?:${NO_NOUN})\\b)[a-z][\\w-]*[a-rt-z]s${ABOUT} (?:now |usually |normally |only )?(?:${DO})|` +
    `(?:(?:the|our|all|my) )?(?:[\\w-]+ ){0,2}(?:${AGAIN})${ABOUT} (?:now |usually |normally |only )?(?:${DO}|are|start|end|land|close|open|begin|finish)` +
    `)(?: (?:at|to|in|from) [\\w:-]+)? on $`,
  "i",
);

/** What is said of one occasion. */
const OCCASION =
  /\b(?:will|won't|until|till|by|due|deadline|was|were|did|had|has|have|this|next|last|moved|postponed|delayed|pushed|first|second|final|new|then|again|today|tomorrow|instead of|\d{1,2}(?:st|nd|rd|th))\b/i;

/** @param before @param after of the weekday, in its sentence */
export const isHabit = (before: string, after: string): boolean =>
  HABIT.test(before) && !OCCASION.test(before) && !OCCASION.test(after);

const WEEKDAY = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/gi;
const STOP = /[.!?;](?=\s|$)|\n/;

/** True when every weekday of the text is that of a habit. */
export function hasOnlyHabits(text: string): boolean {
  const days = Array.from(text.matchAll(WEEKDAY));
  return (
    days.length > 0 &&
    days.every(({ 0: day, index }) =>
      isHabit(text.slice(0, index).split(STOP).at(-1) ?? "", text.slice(index + day.length).split(STOP)[0] ?? ""),
    )
  );
}
