/** The words of a store's unread sessions. With `scan` and `commit` this is all that a run needs of the sources. */
import type { SessionWords, Utterance } from "../digest/utterance.ts";
import type { FileWrite, TranscriptFile, TranscriptRead } from "../ports.ts";
import type { Collected, CollectedFile, KeyedTurn } from "./collected.ts";
import { type CountedShare, countedShare } from "./counted-share.ts";
import type { Ahead, FileState } from "./cursors.ts";
import { isTurn, keysOf, timeOfTurn } from "./keys.ts";
import { hasMore, isUpToDate, unlessRefused } from "./look.ts";
import {
  addRecords,
  listTargets,
  type Notice,
  type ReadPlan,
  refuseUnreadable,
  type Target,
  tally,
  unreadable,
} from "./plan.ts";
import { type Policy, policyOf } from "./policy.ts";
import { isInside } from "./project.ts";
import { sharedFolders } from "./shared-folders.ts";

export type { Collected } from "./collected.ts";
export { commit } from "./commit.ts";
export { type HeadlessPolicy, isSourceNotice, type Notice, type ReadPlan, type SourceRoot } from "./plan.ts";
export { type ScanResult, scan } from "./scan.ts";

/**
 * Gathers the unread words that may feed the store, oldest transcript first, copies left out. Changes nothing: what was
 * gathered stays unread until `commit`. Transcripts that a look found to hold nothing are not opened.
 * @throws MemdError misconfigured when a root cannot be read
 */
export async function collect(plan: ReadPlan): Promise<Collected> {
  const targets = await listTargets(plan);
  const gathering = newGathering(plan);
  for (const target of targets) {
    plan.signal.throwIfAborted();
    await visit(gathering, target);
  }
  const { words, files, forgotten, records, writes, notices, read, left, dropped } = gathering;
  refuseUnreadable(plan, targets.length, dropped.counts);
  return {
    words,
    files,
    forgotten,
    records,
    writes,
    notices: [...notices, ...gathering.share.notices(dropped.counts), ...sharedFoldersOf(gathering, targets)],
    sessions: { seen: targets.length, read, left, dropped: dropped.counts },
  };
}

/** The projects of a folder, as this pass or an earlier look learned them. */
function sharedFoldersOf({ plan, policy, files }: Gathering, targets: readonly Target[]): Notice[] {
  const read = new Map(files.map(({ target, cwds }) => [target.file.path, cwds[0]]));
  const lying = targets.map(({ file }) => ({
    file,
    cwd: plan.book.files.get(file.path)?.cwds[0] ?? read.get(file.path),
  }));
  return sharedFolders(plan, lying, policy.rootOf);
}

interface Gathering {
  readonly plan: ReadPlan;
  readonly policy: Policy;
  readonly dropped: ReturnType<typeof tally>;
  readonly share: CountedShare;
  /** Keys of the turns that this pass has met. */
  readonly met: Set<string>;
  readonly words: SessionWords[];
  readonly files: CollectedFile[];
  readonly forgotten: TranscriptFile[];
  readonly writes: FileWrite[];
  readonly notices: Notice[];
  readonly records: { lines: number; bad: number; unfinished: number };
  chars: number;
  read: number;
  left: number;
}

function newGathering(plan: ReadPlan): Gathering {
  const records = { lines: 0, bad: 0, unfinished: 0 };
  const sums = { records, chars: 0, read: 0, left: 0, dropped: tally(), share: countedShare(), met: new Set<string>() };
  return { plan, policy: policyOf(plan), words: [], files: [], forgotten: [], writes: [], notices: [], ...sums };
}

async function visit(gathering: Gathering, target: Target): Promise<void> {
  const { plan, policy, files, notices } = gathering;
  const { file, source } = target;
  if (file.trouble) notices.push(file.trouble);
  if (file.drop === "unreadable-folder") notices.push(unreadable(file.path, "folder"));
  if (file.drop === "forgotten") gathering.forgotten.push(file);
  if (file.drop !== null) return gathering.dropped.add(file.drop);
  const state = plan.book.files.get(file.path);
  if (isUpToDate(state, target)) {
    const verdict = verdictOf(state, target, policy);
    if (verdict === "advance") files.push(untouched(target, state));
    if (verdict === "taken") gathering.share.keep();
    if (verdict === "taken" || verdict === "advance") return;
    if (verdict !== null) return drop(gathering, verdict);
  }
  if (gathering.chars >= plan.maxChars) {
    gathering.left++;
    return;
  }
  plan.progress(`read ${file.session}`);
  const got = await unlessRefused(() => source.read(file, state?.cursor ?? null, plan.signal));
  if (got === "refused") {
    drop(gathering, "unreadable-file");
    notices.push(unreadable(file.path, "file"));
  } else if (got === null) drop(gathering, "gone");
  else take(gathering, target, got);
}

function drop({ dropped, share }: Gathering, reason: string): void {
  dropped.add(reason);
  share.drop(reason);
}

function take(gathering: Gathering, target: Target, got: TranscriptRead): void {
  const { plan, met, records } = gathering;
  addRecords(records, got.counts);
  const keyed = keyedTurns(gathering, target, got);
  const before = got.start === 0 ? 0 : (plan.book.files.get(target.file.path)?.turns ?? 0);
  const said = before + keyed.size;
  const { mine, refused } = sift(gathering, target, { got, keyed, said });
  for (const { keys } of keyed.values()) for (const key of keys) met.add(key);
  const fate = mine.length > 0 ? "words" : refused ? "stay" : "advance";
  if (fate === "words") gathering.read++;
  const reason = fate === "words" ? null : (refused ?? (keyed.size > 0 ? "copy" : said === 0 ? got.drop : null));
  if (reason === null) gathering.share.keep();
  else drop(gathering, reason);
  const below = plan.writesBelow ?? [];
  gathering.writes.push(...(got.writes ?? []).filter(({ path }) => below.some((folder) => isInside(path, folder))));
  gathering.words.push(...mine);
  for (const { utterances } of mine) for (const { text } of utterances) gathering.chars += text.length;
  gathering.files.push(collectedFile(target, got, { keyed, mine, fate }));
}

interface Sifting {
  readonly got: TranscriptRead;
  readonly keyed: ReadonlyMap<Utterance, KeyedTurn>;
  readonly said: number;
}

/** The words that feed the store; and why others do not. */
function sift(gathering: Gathering, { file }: Target, { got, keyed, said }: Sifting) {
  const { policy } = gathering;
  const judged = got.words.map((group) => ({ group, reason: policy.judge(file, group, said) }));
  const refused = judged.find(({ reason }) => reason !== null)?.reason ?? null;
  const fresh = judged
    .filter(({ reason }) => reason === null)
    .map(({ group }) => withoutCopies(group, (turn) => keyed.get(turn)?.isCopy === true))
    .filter(({ utterances }) => utterances.some(isTurn));
  return { mine: mergedByProject(fresh, policy), refused };
}

/** What a look that still holds says: nothing new, nothing that counts, a reason to leave it, or null to read it. */
function verdictOf(
  state: FileState & { ahead: Ahead },
  { file }: Target,
  policy: Policy,
): "taken" | "advance" | string | null {
  const { ahead } = state;
  if (ahead.groups.length === 0) return ahead.end.offset === state.cursor?.offset ? "taken" : "advance";
  const reasons = ahead.groups.map((group) => policy.judge(file, group, state.turns + ahead.said));
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

function keyedTurns({ plan, met }: Gathering, { file }: Target, read: TranscriptRead): Map<Utterance, KeyedTurn> {
  const keyed = new Map<Utterance, KeyedTurn>();
  for (const group of read.words)
    for (const turn of group.utterances.filter(isTurn)) {
      const { offset } = turn;
      const keys = keysOf(group, turn, read.aliases?.get(offset));
      const isCopy = keys.some((key) => plan.book.seen.has(key) || met.has(key));
      const { cwd, headless } = group;
      keyed.set(turn, { offset, keys, isCopy, cwd, at: timeOfTurn(turn, file.mtime), headless });
    }
  return keyed;
}

/**
 * Leaves out copied turns and what was said around them. The last thing the agent said before a new turn stays: "yes,
 * exactly" means nothing without it.
 */
function withoutCopies(words: SessionWords, isCopy: (turn: Utterance) => boolean): SessionWords {
  const kept: Utterance[] = [];
  let answer: Utterance | null = null;
  let copying = false;
  for (const utterance of words.utterances) {
    if (isTurn(utterance)) {
      copying = isCopy(utterance);
      if (copying) answer = null;
      else {
        if (answer) kept.push(answer);
        kept.push(utterance);
      }
      if (!copying) answer = null;
    } else if (!copying) kept.push(utterance);
    else if (utterance.speaker === "assistant") answer = utterance;
  }
  return { ...words, utterances: kept };
}

/** A session that moved about inside one project is one conversation; in two projects it is two. */
function mergedByProject(groups: readonly SessionWords[], policy: Policy): SessionWords[] {
  const merged = new Map<string | null, SessionWords>();
  for (const group of groups) {
    const root = group.cwd === null ? null : policy.rootOf(group.cwd);
    const same = merged.get(root);
    if (!same) merged.set(root, group);
    else
      merged.set(root, {
        ...same,
        headless: same.headless && group.headless,
        utterances: [...same.utterances, ...group.utterances].sort((a, b) => a.offset - b.offset),
      });
  }
  return [...merged.values()];
}

interface Found {
  readonly keyed: ReadonlyMap<Utterance, KeyedTurn>;
  readonly mine: readonly SessionWords[];
  readonly fate: CollectedFile["fate"];
}

function collectedFile(target: Target, got: TranscriptRead, { keyed, mine, fate }: Found): CollectedFile {
  return {
    target,
    start: { offset: got.start, lines: Math.max(0, got.end.lines - got.counts.lines) },
    end: got.end,
    fate,
    more: hasMore(target, got),
    said: keyed.size,
    turns: [...keyed.values()],
    stops: mine.flatMap(({ utterances }) => utterances.map(({ offset, line }) => ({ offset, line }))),
    bad: got.counts.bad,
    unfinished: got.counts.unfinished,
    cwds: got.words.map(({ cwd }) => cwd),
  };
}

/** A transcript whose new part holds nothing that counts, as an earlier look found: only its place moves on. */
function untouched(target: Target, { ahead, cursor }: FileState & { ahead: Ahead }): CollectedFile {
  return {
    target,
    start: cursor ?? { offset: 0, lines: 0 },
    end: ahead.end,
    fate: "advance",
    more: false,
    said: ahead.said,
    turns: [],
    stops: [],
    bad: 0,
    unfinished: 0,
    cwds: [],
  };
}
