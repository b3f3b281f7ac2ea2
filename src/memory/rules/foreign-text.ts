/** What others wrote is left alone at first, and changed later only by newer words of a user. */

import { dateKey, datesIn } from "../language/dates.ts";
import { fold } from "../language/words.ts";
import type { Entry } from "../model.ts";
import { statementKey } from "../statement.ts";
import { corrects } from "./likeness.ts";
import { type Case, type Rule, violation } from "./rule.ts";
import { isPersons } from "./speaker.ts";

/** When the entry was last true by its own account, `2026-01-10`: its marks, else the newest date of the past in its text. */
function dayOf(entry: Entry, now: string): string | null {
  const marked = entry.updated ?? entry.created;
  if (marked !== null) return marked;
  const named = datesIn(fold(entry.raw))
    .filter(({ year, day }) => year !== null && day !== null)
    .map(dateKey);
  return (
    named
      .filter((day) => day <= now.slice(0, 10))
      .sort()
      .at(-1) ?? null
  );
}

/** True when a person's cited words are newer than the entry, as far as either tells its time. */
function isNewer(entry: Entry, foreignSince: string | null, given: Case): boolean {
  const times = given.cites.filter(isPersons).flatMap(({ utterance }) => (utterance.at === null ? [] : [utterance.at]));
  if (times.length === 0) return false;
  const said = new Date(Math.max(...times)).toISOString();
  const day = dayOf(entry, given.world.now);
  if (day !== null) return said.slice(0, 10) >= day;
  return foreignSince === null || said > foreignSince;
}

/** Equal statements merge without loss, whoever wrote them. */
function isRepeat(given: Case): boolean {
  return new Set(given.entries.map(({ statement }) => statementKey(statement))).size === 1;
}

function judgeEntry(entry: Entry, given: Case): string | null {
  const { topic, world, cites, evidence } = given;
  const origin = topic ? world.originOf(topic, entry) : null;
  if (!origin || origin.by === "ours") return null;
  if (!cites.some(isPersons)) return "others wrote it: only a user's words change it";
  if (!isNewer(entry, origin.foreignSince, given)) return "others wrote it, and the cited words are not newer";
  if (corrects(entry, evidence)) return null;
  if (origin.by === "person") return "a person wrote it, and the cited words do not contradict it: ask";
  const rested =
    origin.foreignSince === null || Date.parse(world.now) - Date.parse(origin.foreignSince) >= world.foreignRest;
  return rested ? null : "others wrote it lately: left alone for now";
}

/** True when the refusal should reach the user as a question. */
export function isQuestion(given: Case): boolean {
  return (
    given.cites.some(isPersons) &&
    given.entries.some((entry) => given.topic && given.world.originOf(given.topic, entry).by === "person")
  );
}

export const foreignText: Rule = (operation, given) => {
  if (operation.op === "merge" && isRepeat(given)) return null;
  if (operation.op === "retire" && given.cites.length === 0) return null;
  for (const entry of given.entries) {
    const found = judgeEntry(entry, given);
    if (found !== null) return violation("foreign-text", found);
  }
  return null;
};
