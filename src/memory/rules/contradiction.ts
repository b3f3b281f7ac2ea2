/** Two standing instructions of a user that contradict each other are the user's to settle, unless the newer words say that they change something. */

import { fold } from "../language/words.ts";
import { areAlternatives } from "./alternatives.ts";
import { contradicts, saysChange } from "./likeness.ts";
import { type Rule, violation } from "./rule.ts";

const FROM_NOW =
  /\b(?:from now on|from here on|going forward|in future|starting (?:today|now|tomorrow)|as of)\b|以后|今后|从现在起|从今|往后|现在开始/;

const excludes = (newer: string, older: string) => contradicts(newer, older) || areAlternatives(newer, older);

/** An add that contradicts an entry becomes a revise of it before this is asked; others' text has a rule of its own. */
export const contradiction: Rule = (operation, { entries, topic, world, cites }) => {
  const [entry] = entries;
  if (operation.op !== "revise" || !entry || !topic) return null;
  const isInstruction = topic.type === "feedback" || topic.type === "user";
  if (!isInstruction || world.originOf(topic, entry).by !== "ours" || !excludes(operation.text, entry.statement))
    return null;
  const isSettled = cites.some(({ sentence }) => saysChange(sentence) || FROM_NOW.test(fold(sentence)));
  return isSettled
    ? null
    : violation("contradiction", "it contradicts what the user asked for before, and nothing says which holds: ask");
};
