/** Everything that memd keeps of what a person wants forgotten: entries, earlier wordings, and the words that supported them. */
import { isTelling, mentionOf } from "../ledger/forgetting.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { loadQuestions } from "../ledger/questions.ts";
import type { Change } from "../memory/changeset.ts";
import { statementKey } from "../memory/entry.ts";
import type { Unwanted } from "../memory/unwanted.ts";
import { readArchive } from "../store/archive.ts";
import { readEvidence } from "../store/evidence.ts";
import { blocksOf } from "../store/forget.ts";
import { readMemory } from "../store/read.ts";
import { loadAnswers } from "./answers.ts";
import { meant } from "./matching.ts";
import { loadUndoRecord, undoableRuns } from "./undo-records.ts";
import type { DreamWorld } from "./world.ts";

export interface Sighting {
  readonly statement: string;
  /** The entry's block where it stands in a topic, else the text that was found. */
  readonly raw: string;
  /** `limits` for an entry that stands; else what kind of record holds it: `archive`, `evidence`, `history`, `question`, `answer`. */
  readonly where: string;
  /** The topic's file for an entry that stands in memory. */
  readonly file: string | null;
}

/** What one store keeps of it. */
export interface Sightings {
  readonly shown: readonly Sighting[];
  /** Statements, blocks and telling quotes: what must stand nowhere afterwards. */
  readonly needles: readonly string[];
  /** Statements and the words that supported them: what is never proposed again. */
  readonly statements: readonly string[];
  readonly unwanted: Unwanted;
}

interface Records {
  readonly standing: readonly Sighting[];
  readonly past: readonly Sighting[];
  readonly changes: readonly Change[];
  readonly cited: readonly { readonly key: string; readonly quotes: readonly string[] }[];
}

const sighting =
  (where: string, file: string | null) =>
  (item: { statement: string; raw: string }): Sighting => ({ statement: item.statement, raw: item.raw, where, file });
const textual = (where: string, text: string): Sighting => ({ statement: text, raw: text, where, file: null });

/** Looks through the files of a store, and the ledger for what the words match there. */
function recordsOf(world: DreamWorld, ledger: Ledger, words: string): Records {
  const { files, store, place } = world;
  const { tree } = readMemory(files, store.memory);
  const evidence = readEvidence(files, place.evidence).records;
  const archived = readArchive(place).flatMap(({ text }) => blocksOf(text));
  const undos = undoableRuns(files, store.state).flatMap((run) => loadUndoRecord(files, store.state, run) ?? []);
  const past = ledger.changesMatching(words).filter((item) => item.store === store.name);
  const refused = ledger.refusedMatching(words).filter((item) => item.store === store.name);
  const changes = [...undos.flatMap((record) => record.changes), ...past.map(({ change }) => change)];
  const texts = undos.flatMap((record) =>
    record.files.flatMap(({ file, before, after }) => (file.startsWith("MEMORY") ? [] : [before, after])),
  );
  const told = [...texts, ...changes.flatMap(({ before, after }) => [before, after])].flatMap((text) =>
    text === null ? [] : blocksOf(text),
  );
  return {
    standing: tree.topics.flatMap((topic) => topic.entries.map(sighting(topic.slug, topic.file))),
    past: [
      ...archived.map(sighting("archive", null)),
      ...evidence.map(({ statement }) => textual("evidence", statement)),
      ...told.map(sighting("history", null)),
      ...refused.map(({ text }) => textual("refused", text)),
      ...loadQuestions(files, store.state).map(({ text }) => textual("question", text)),
      ...loadAnswers(files, store.state).map(({ text }) => textual("answer", text)),
    ],
    changes,
    cited: [
      ...evidence.map(({ key, citations }) => ({ key, quotes: citations.map(({ quote }) => quote) })),
      ...changes.flatMap(({ after, citations }) =>
        keysIn(after).map((key) => ({ key, quotes: citations.map(({ quote }) => quote) })),
      ),
    ],
  };
}

const keysIn = (text: string | null) =>
  text === null ? [] : blocksOf(text).map(({ statement }) => statementKey(statement));

/** Earlier wordings of the statements with these keys, as the changes tell: revised into them, or merged. */
function earlierOf(keys: ReadonlySet<string>, changes: readonly Change[]): Sighting[] {
  const heirs = changes.filter(
    ({ operation, before, after }) =>
      (operation === "revise" || operation === "merge") &&
      before !== null &&
      keysIn(after).some((key) => keys.has(key)),
  );
  return heirs.flatMap(({ before }) =>
    before === null ? [] : blocksOf(before).map(sighting("earlier wording", null)),
  );
}

function unique(sightings: readonly Sighting[]): Sighting[] {
  const seen = new Set<string>();
  return sightings.filter(({ statement, file }) => {
    const name = `${file ?? ""}\n${statementKey(statement)}`;
    return !seen.has(name) && seen.add(name);
  });
}

/**
 * Finds what the words mean in one store, and what goes with it: earlier wordings, and entries elsewhere that repeat a statement or a
 * quote word for word, since nothing of it may be left.
 */
export function sightingsOf(
  world: DreamWorld,
  ledger: Ledger,
  words: string,
  only: ReadonlySet<string> | null = null,
): Sightings {
  const records = among(recordsOf(world, ledger, words), only);
  const isMeant = meant(words);
  const all = [...records.standing, ...records.past];
  let found = unique(all.filter(isMeant));
  for (let count = -1; count !== found.length; ) {
    count = found.length;
    const { unwanted } = wanted(found, records, words);
    const more =
      found.length === 0 ? [] : earlierOf(unwanted.keys, [...records.changes, ...changesOf(ledger, world, found)]);
    const repeating =
      found.length === 0
        ? []
        : all.filter((item) => unwanted.keys.has(statementKey(item.statement)) || unwanted.mentions(item.raw));
    found = unique([...found, ...more, ...repeating]);
  }
  const standing = new Set(found.filter(({ file }) => file !== null).map(({ statement }) => statementKey(statement)));
  const shown = found.filter(({ file, statement }) => file !== null || !standing.has(statementKey(statement)));
  return { shown: shownOnce(shown), ...wanted(found, records, words) };
}

/** Only the statements with these keys, when they are given. */
function among(records: Records, only: ReadonlySet<string> | null): Records {
  if (only === null) return records;
  const isAmong = ({ statement }: Sighting) => only.has(statementKey(statement));
  return { ...records, standing: records.standing.filter(isAmong), past: records.past.filter(isAmong) };
}

/** A statement that is only kept in records is shown once, however many hold it. */
function shownOnce(shown: readonly Sighting[]): Sighting[] {
  const seen = new Set<string>();
  return shown.filter(
    ({ statement, file }) => file !== null || (!seen.has(statementKey(statement)) && seen.add(statementKey(statement))),
  );
}

function changesOf(ledger: Ledger, world: DreamWorld, found: readonly Sighting[]): Change[] {
  return found.flatMap(({ statement }) =>
    ledger
      .changesMatching(statement)
      .filter(({ store }) => store === world.store.name)
      .map(({ change }) => change),
  );
}

function wanted(found: readonly Sighting[], { cited }: Records, words: string): Omit<Sightings, "shown"> {
  const keys = new Set(found.map(({ statement }) => statementKey(statement)));
  const quotes = [...new Set(cited.filter(({ key }) => keys.has(key)).flatMap((item) => item.quotes))].filter(
    isTelling,
  );
  const own = [...new Set(found.flatMap(({ statement, raw }) => [statement, raw]))];
  const needles = found.length === 0 ? [] : [...own, ...quotes, ...(isTelling(words) ? [words] : [])];
  return {
    needles,
    statements: [...new Set(found.map(({ statement }) => statement)), ...quotes],
    unwanted: { keys, mentions: mentionOf(needles) },
  };
}
