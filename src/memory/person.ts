/**
 * What holds for the person and not for a project: said in several projects in the same sense, contradicted in none, and naming nothing
 * that belongs to one of them. Where it is not sure, it stays where it was said.
 */
import { kinAmong } from "./kin.ts";
import { detailsOf } from "./language/details.ts";
import { relation } from "./likeness.ts";
import type { Citation } from "./operation.ts";

/** A statement about the user that a project's memory holds, with the words that carry it. */
export interface Told {
  readonly project: string;
  readonly statement: string;
  readonly citations: readonly Citation[];
}

/** A statement that holds everywhere. */
export interface Habit {
  readonly statement: string;
  /** Of at least two projects. */
  readonly citations: readonly Citation[];
}

/** As many projects must say it. */
const PROJECTS = 2;
/** As many as an operation may cite. */
const MAX_CITES = 8;

/** Names that are nobody's: languages that people speak and write programs in, and what every trade has. */
const COMMON = new Set(
  (
    "english german french spanish portuguese italian dutch swedish polish russian ukrainian turkish arabic hebrew hindi chinese mandarin " +
    "cantonese japanese korean vietnamese javascript typescript python java kotlin swift rust go golang ruby php c c++ c# sql html css " +
    "bash shell node react vue angular django rails docker kubernetes linux macos windows git github markdown latex excel api apis cli ui " +
    "ux ai ml ci cd pr prs tdd qa sre devops json yaml csv pdf utc iso metric celsius monday tuesday wednesday thursday friday saturday sunday"
  ).split(" "),
);

/** Details that only a project has, whatever they are called. */
const OWN: ReadonlySet<string> = new Set(["url", "code", "quoted", "path", "date"]);

const SENTENCE_END = /(?:^|[.!?:;\n]\s*)$/;

/** True when the statement names nothing that may belong to a project. @param names of projects and organisations, lower case */
export function isPersonal(statement: string, names: ReadonlySet<string>): boolean {
  const words = statement.toLowerCase();
  for (const name of names) if (mentions(words, name)) return false;
  return detailsOf(statement).every(({ kind, text, key, start }) => {
    if (OWN.has(kind)) return false;
    if (kind !== "identifier" && kind !== "name") return true;
    // The first word of a sentence has its capital from there.
    const isFirst = kind === "name" && SENTENCE_END.test(statement.slice(0, start));
    return isFirst || COMMON.has(key) || COMMON.has(text.toLowerCase());
  });
}

/** The name as a word of its own; in Chinese, which has no blanks, anywhere. */
function mentions(words: string, name: string): boolean {
  for (let at = words.indexOf(name); at >= 0; at = words.indexOf(name, at + 1)) {
    const around = words.slice(Math.max(0, at - 1), at) + words.slice(at + name.length, at + name.length + 1);
    if (/[^\x00-\x7F]/.test(name) || !/[\p{L}\p{N}]/u.test(around)) return true;
  }
  return false;
}

const isSame = (a: string, b: string) => ["same", "near"].includes(relation(a, b));

/** @param told by all projects */
export function habitsIn(told: readonly Told[], names: ReadonlySet<string>): Habit[] {
  const kinOf = kinAmong(told);
  const settled = new Set<Told>();
  const habits: Habit[] = [];
  for (const one of told) {
    if (settled.has(one)) continue;
    const { statement } = one;
    const kin = kinOf(statement);
    const same = kin.near.filter((other) => isSame(statement, other.statement));
    for (const other of [one, ...same]) settled.add(other);
    const isEverywhere = independent(same) >= PROJECTS;
    const isDenied = isEverywhere && kin.all.some((other) => relation(statement, other.statement) === "conflicts");
    // Every wording of it, since any of them may name what the first one does not.
    if (isEverywhere && !isDenied && same.every((one) => isPersonal(one.statement, names)))
      habits.push({ statement: shortest(same), citations: citesOf(same) });
  }
  return habits;
}

/** Projects that say it by words of their own: a session that feeds two memories, or a copy of it, is one witness. */
function independent(same: readonly Told[]): number {
  const projects = new Map<string, readonly string[]>();
  const heard = new Set<string>();
  for (const { project, citations } of same) {
    const words = citations.map(({ client, record, file, line }) => `${client}\n${record ?? `${file}:${line}`}`);
    if (projects.has(project) || !words.every((word) => heard.has(word))) projects.set(project, words);
    for (const word of words) heard.add(word);
  }
  return projects.size;
}

/** What all of them say: a longer one says more than the others do. */
const shortest = (same: readonly Told[]) =>
  same.map(({ statement }) => statement).reduce((a, b) => (b.length < a.length ? b : a));

/** One of each project first. */
function citesOf(same: readonly Told[]): Citation[] {
  const firsts = same.flatMap(({ citations }) => citations.slice(0, 1));
  const others = same.flatMap(({ citations }) => citations.slice(1));
  return [...firsts, ...others].slice(0, MAX_CITES);
}
