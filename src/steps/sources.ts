/** What lies in the folders that feed the stores: whose transcripts, how many, how new, and what cannot be read. Changes nothing. */
import { basename, dirname, join } from "node:path";
import { classify } from "../base/errors.ts";
import { namesIn } from "../base/folders.ts";
import type { Config } from "../config/config.ts";
import type { Paths } from "../config/paths.ts";
import type { Description, Files, Store, TranscriptFile, TranscriptSource, Trouble } from "../ports.ts";
import { encodeProject } from "../sources/claude-store.ts";
import { anySource, clientTeller, sourceNamed } from "../sources/detect.ts";
import { goneProject } from "../sources/gone-project.ts";
import { breathe } from "../sources/lines.ts";
import { unlessRefused } from "../sources/look.ts";
import { type Notice, unreadable } from "../sources/plan.ts";

export interface SourceView {
  /** Null for a database that cannot be opened: whose sessions it holds is then not known. */
  readonly store: string | null;
  readonly folder: string;
  /** Null where nothing was found, or nothing could be read. */
  readonly client: string | null;
  /** Transcripts, dropped ones included. */
  readonly files: number;
  /** Distinct sessions among those that are read. */
  readonly sessions: number;
  /** By reason. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Epoch ms of the newest words of a person, whatever their project; null where the newest transcripts have none. */
  readonly newestTurnAt: number | null;
  readonly problems: readonly { readonly code: string; readonly message: string; readonly hint: string }[];
}

/** Transcripts opened per client and folder in search of the newest turn: the newest files may be stubs of resumes, of 1 KB, without words. */
const MAX_OPENED = 64;
const BATCH = 64;

interface Survey {
  readonly files: Files;
  readonly store: Store;
  readonly source: TranscriptSource;
  readonly clientOf: (path: string) => string;
  readonly signal: AbortSignal;
}

/** Where discovery looks for the sessions of clients other than Claude Code. */
export function searchedPlaces({ others }: Paths, { discover, discoverOthers }: Config): readonly string[] {
  return discover && discoverOthers ? others : [];
}

/** @param by.places where the clients keep their sessions: what lies there closed is told too, though it feeds no store */
export async function surveySources(
  files: Files,
  stores: readonly Store[],
  {
    formats,
    signal,
    places = [],
  }: { formats: readonly Description[]; signal: AbortSignal; places?: readonly string[] },
): Promise<SourceView[]> {
  const clientOf = clientTeller(files, formats);
  const any = anySource(files, formats);
  const views: SourceView[] = [];
  for (const store of stores) {
    const named = store.format ?? null;
    const source = named === null ? any : sourceNamed(files, named, formats);
    const survey = { files, store, source, clientOf: named === null ? clientOf : () => named, signal };
    const found: SourceView[] = [];
    for (const folder of store.sessions) found.push(...(await surveyFolder(survey, folder)));
    views.push(...withProblems(found, projectProblems(files, store)));
  }
  const told = new Set(views.flatMap(({ problems }) => problems.map(({ message }) => message)));
  for (const place of places) {
    if (files.stat(place)?.kind !== "dir") continue;
    for (const { path, drop, trouble } of any.list(place))
      if (drop !== null && trouble && !told.has(trouble.message)) views.push(closedView(clientOf(path), path, trouble));
  }
  return views;
}

/** A database that cannot be opened names no folder, so that no store is found for its sessions. */
const closedView = (client: string, folder: string, { code, message, hint }: Trouble): SourceView => ({
  store: null,
  folder,
  client,
  files: 1,
  sessions: 0,
  dropped: { [code]: 1 },
  newestTurnAt: null,
  problems: [{ code, message, hint }],
});

async function surveyFolder(survey: Survey, folder: string): Promise<SourceView[]> {
  const { files, store, signal } = survey;
  const nothing = { store: store.name, folder, client: null, files: 0, sessions: 0, dropped: {}, newestTurnAt: null };
  // A folder that an agent has removed is no fault; one that a person named is.
  if (files.stat(folder) === null) return [{ ...nothing, problems: isNamed(store, folder) ? [noFolder(folder)] : [] }];
  const groups = new Map<string, TranscriptFile[]>();
  try {
    let steps = 0;
    for (const file of survey.source.list(folder)) {
      if (++steps % BATCH === 0) await breathe();
      signal.throwIfAborted();
      const client = survey.clientOf(file.path);
      const group = groups.get(client);
      if (group) group.push(file);
      else groups.set(client, [file]);
    }
  } catch (error) {
    signal.throwIfAborted();
    const { code, message, hint } = classify(error, `read the sessions below ${folder}`);
    return [{ ...nothing, problems: [{ code, message, hint }] }];
  }
  if (groups.size === 0) return [{ ...nothing, problems: [] }];
  return Promise.all([...groups].sort().map(([client, found]) => viewOf(survey, { folder, client, found })));
}

/** A person named the folder, and can correct it. */
const isNamed = ({ layout, found = [] }: Store, folder: string) => layout !== "claude-code" && !found.includes(folder);

/** What is wrong with a store's project is told once, with its first folder. */
function withProblems([first, ...rest]: readonly SourceView[], more: SourceView["problems"]): SourceView[] {
  return first === undefined ? [] : [{ ...first, problems: [...more, ...first.problems] }, ...rest];
}

function projectProblems(files: Files, store: Store): SourceView["problems"] {
  const { layout, project, memory, formerly = [] } = store;
  const gone = goneProject(files, project);
  // Claude Code keeps memory by the project's path: what it remembered under the old one stays there.
  const left = layout === "claude-code" ? formerly.map((from) => memoryUnder(memory, from)) : [];
  const moved = left.filter((old) => old !== memory && namesIn(files, old).some((name) => name.endsWith(".md")));
  const loaded = loadedByClaude(store);
  const elsewhere = loaded === null || loaded === memory ? [] : [notLoaded(loaded, memory)];
  return [...(gone ? [gone] : []), ...moved.map((old) => leftBehind(old, memory)), ...elsewhere];
}

/** The memory that Claude Code itself loads in the project; null where it has no sessions of it. */
function loadedByClaude({ layout, project, sessions }: Store): string | null {
  const projects = sessions.map(dirname).find((folder) => basename(folder) === "projects");
  if (layout !== "claude-code" || project === null || projects === undefined) return null;
  return join(projects, encodeProject(project.normalize("NFC")), "memory");
}

const memoryUnder = (memory: string, project: string) =>
  join(dirname(dirname(memory)), encodeProject(project.normalize("NFC")), "memory");

const leftBehind = (old: string, memory: string) => ({
  code: "memory-left-behind",
  message: `the project was moved, and what was remembered of it before lies in ${old}`,
  hint: `Move its topics and MEMORY.md to ${memory}, or name that folder as the memory of a store in the configuration.`,
});

const notLoaded = (loaded: string, memory: string) => ({
  code: "memory-not-loaded",
  message: `Claude Code loads ${loaded} in this project, and memd's memory of it is ${memory}`,
  hint: "It was begun there before Claude Code knew the project, or Claude Code has one folder for several projects. memd publish --file CLAUDE.md shows it to Claude Code.",
});

const noFolder = (folder: string) => ({
  code: "no-such-folder",
  message: `there is no folder ${folder}`,
  hint: "Correct the path in the configuration or on the command line.",
});

async function viewOf(
  survey: Survey,
  { folder, client, found }: { folder: string; client: string; found: TranscriptFile[] },
) {
  const read = found.filter(({ drop }) => drop === null);
  const dropped: Record<string, number> = {};
  for (const { drop } of found) if (drop !== null) dropped[drop] = (dropped[drop] ?? 0) + 1;
  const newest = await newestOf(survey, read);
  const troubles = [...found.flatMap(({ trouble }) => (trouble ? [trouble] : [])), ...newest.troubles];
  return {
    store: survey.store.name,
    folder,
    client,
    files: found.length,
    sessions: new Set(read.map(({ session }) => session)).size,
    dropped,
    newestTurnAt: newest.at,
    problems: [...new Map(troubles.map((trouble) => [trouble.message, trouble])).values()],
  };
}

async function newestOf({ source, signal }: Survey, files: readonly TranscriptFile[]) {
  const troubles: Notice[] = [];
  const newest = [...files].sort((a, b) => b.mtime - a.mtime || (a.path < b.path ? 1 : -1)).slice(0, MAX_OPENED);
  for (const file of newest) {
    const read = await unlessRefused(() => source.read(file, null, signal));
    if (read === "refused") {
      troubles.push(unreadable(file.path, "file"));
      continue;
    }
    if (read?.trouble) troubles.push(read.trouble);
    const turns = (read?.words ?? [])
      .flatMap(({ utterances }) => utterances)
      .filter(({ speaker }) => speaker === "user");
    if (turns.length > 0) return { at: Math.max(...turns.map(({ at }) => at ?? file.mtime)), troubles };
  }
  return { at: null, troubles };
}
