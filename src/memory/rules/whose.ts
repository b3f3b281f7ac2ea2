/** Of whom it is said: `Anna prefers tabs` says nothing of the user, though `Prefers tabs` is made of its words. */
import { fold } from "../language/words.ts";
import type { Evidence } from "./evidence.ts";

/** A statement without a subject, or with the user as its subject, by its verb. */
const OF_USER =
  /^(?:the )?user(?:'s \w+)? ((?!is\b|was\b|has\b|does\b)\w+s)\b|^((?:dis)?likes|prefers|wants|works|lives|speaks|hates|loves|uses|knows|owns|needs|writes|reads|thinks|asks)\b/;
/** Words before a verb that are nobody's name. */
const NOBODY =
  /^(?:user|who|that|which|also|only|always|never|still|usually|mostly|and|or|but|it|this|everyone|everybody)$/;

/** Complaint about a statement on the user whose verb the quotes tell of somebody else, or null. */
export function ofSomebodyElse(claim: string, { quotes, entries }: Evidence): string | null {
  const text = fold(claim);
  const match = OF_USER.exec(text);
  const verb = match?.[1] ?? match?.[2];
  if (verb === undefined) return null;
  const told = [...quotes.texts, ...entries.texts].flatMap((said) =>
    Array.from(said.matchAll(new RegExp(`([\\p{L}\\p{N}'-]+) ${verb}\\b`, "gu")), ([, subject]) => subject ?? ""),
  );
  const others = told.filter((subject) => !NOBODY.test(subject));
  if (others.length === 0 || others.length < told.length) return null;
  const [other = ""] = others;
  return text.includes(other) ? null : `the quotes say it of "${other}"`;
}
