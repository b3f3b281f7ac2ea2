/** Forgetting in the small files of a store: what was seen, asked and found wrong. */
import type { Files } from "../base/files.ts";
import type { Unwanted } from "../memory/unwanted.ts";
import { loadKnownEntries, saveKnownEntries } from "./known-entries.ts";
import { keepQuestions, type Question } from "./questions.ts";
import { loadStoreState, type StoreState } from "./store-state.ts";

function isAbout(question: Question, unwanted: Unwanted): boolean {
  const { text, instead, citations } = question;
  return [text, instead ?? "", ...citations.map(({ quote }) => quote)].some(unwanted.mentions);
}

/**
 * Removes what tells of unwanted statements.
 * @param folder the store's folder in the state directory
 * @returns the parts of the store's state that changed, for whoever keeps it
 */
export function forgetInStoreFiles(files: Files, folder: string, unwanted: Unwanted): Partial<StoreState> {
  const known = loadKnownEntries(files, folder);
  if (known) {
    const kept = [...known].filter(([name]) => !isKnownUnwanted(name, unwanted));
    if (kept.length < known.size) saveKnownEntries(files, folder, new Map(kept));
  }
  const open = keepQuestions(files, folder, (question) => !isAbout(question, unwanted));
  const conditions = loadStoreState(files, folder).conditions.filter(({ message }) => !unwanted.mentions(message));
  return { questions: open.length, conditions };
}

/** Names are `topic`, a line end, and the statement's key. */
function isKnownUnwanted(name: string, { keys, mentions }: Unwanted): boolean {
  const key = name.slice(name.indexOf("\n") + 1);
  return keys.has(key) || mentions(key);
}
