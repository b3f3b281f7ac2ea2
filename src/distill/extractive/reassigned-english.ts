/** English changes that name what gets another value: "we use Redis as the cache", "the cache is Valkey from now on". */
import type { Gist } from "./likeness.ts";

const LINK = "(?:is|are|will be|becomes?|moves? to|switch(?:es)? to|changes to|stays?)";
/** What is given a value, at the start of a clause; a value that starts with "in" or "at" says where or when. */
const GIVEN = new RegExp(
  `(?:^|[.;:,] (?:so |and |therefore )?)(?:the |our )?([a-z][a-z-]*(?: [a-z-]+)?) ${LINK} (?:now |then )?(?:(in|on|at|by|for|from)\\b|(?:the |an? )?[\\w\`"'])`,
  "gi",
);
/** "Zustand for state management from now on" */
const NAMED =
  /(?:^|[.;:] )(?:let'?s use |we(?:'ll)? use |use )?[A-Z][\w.-]*(?: \d[\w.]*)? (?:for|as) (?:the |our )?([a-z][a-z-]*(?: [a-z-]+)?)(?= from (?:now|here) on| instead| now\b|[,.;]|$)/g;
const NO_SUBJECT =
  /^(?:it|that|this|they|there|he|she|we|you|i|what|which|who|one|all|other one|here|now|so|and|but)\b/i;

interface Given {
  readonly subject: string;
  readonly place: string | null;
}

/** Every newer statement is held against many older ones. */
const FOUND = new WeakMap<Gist, readonly Given[]>();

function givenIn(gist: Gist): readonly Given[] {
  const known = FOUND.get(gist);
  if (known !== undefined) return known;
  const found = [...gist.text.matchAll(GIVEN), ...gist.text.matchAll(NAMED)]
    .map(([, subject = "", place]) => ({
      subject: subject.toLowerCase(),
      place: place?.toLowerCase() ?? null,
    }))
    .filter(({ subject }) => subject.length > 2 && !NO_SUBJECT.test(subject));
  FOUND.set(gist, found);
  return found;
}

const STATED = new RegExp(`^ ${LINK} (?:(in|on|at|by|for|from) )?`, "i");

/** How the older words give that thing a value of the same sort. */
function gives(older: string, { subject, place }: Given): boolean {
  const at = older.toLowerCase().indexOf(subject);
  if (at < 0 || /[\w-]/.test(older.slice(at + subject.length, at + subject.length + 1))) return false;
  const before = older.slice(0, at);
  const after = older.slice(at + subject.length);
  const link = STATED.exec(after);
  if (link !== null)
    return /(?:^|[.;:,] )(?:the |our |and |so )*$/i.test(before) && (link[1]?.toLowerCase() ?? null) === place;
  return place === null && /\b(?:as|for) (?:the |our )?$/i.test(before) && /^\s*(?:$|[.,;:])/.test(after);
}

/** True when the newer words, which are those of a change, give another value to what the older ones give one to. */
export const isGivenAnew = (newer: Gist, older: Gist): boolean =>
  givenIn(newer).some((given) => gives(older.text, given));
