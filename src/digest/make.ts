/** Builds the digest: takes turns in order until the token budget ends, redacts, clips, numbers and dates them. */
import { shortHash } from "../base/ids.ts";
import { estimateTokens, stripInvisible, wellFormed } from "../base/text.ts";
import { headAndTail } from "./clip.ts";
import { resolveDates } from "./dates.ts";
import type { Digest, DigestSession, DigestUtterance, Taken } from "./digest.ts";
import type { Found, Redactor } from "./redact.ts";
import { type Block, blocksOf, isEvidence, type Turn } from "./turns.ts";
import { type SessionWords, UTTERANCE_CHARS, type Utterance } from "./utterance.ts";

export interface DigestOptions {
  /** Estimated tokens that all texts together may take; the first turn is taken even if it alone is larger. */
  readonly tokens: number;
  /** IANA zone in which "yesterday" is meant, for example `Asia/Shanghai`. */
  readonly timeZone: string;
  readonly redactor: Redactor;
  /** Called between pieces of work, so that whoever shares the process goes on. */
  readonly breath?: () => Promise<void> | undefined;
}

/** People's words stay whole; the assistant's are context, a tool's a hint of what was looked at. In UTF-16 units. */
const LONGEST = { user: UTTERANCE_CHARS, log: UTTERANCE_CHARS, assistant: 600, tool: 160 } as const;

/** Label, speaker and line end of an utterance in the brief. */
const LABEL_TOKENS = 6;

/** Blocks redacted in one scan. Small enough that a backlog of years is not redacted for a budget of one day. */
const BATCH = 32;

/** A file of the input with all its parts: the unit that a cursor belongs to. */
interface FileWords {
  readonly file: string;
  readonly parts: { readonly index: number; readonly words: SessionWords }[];
}

interface Prepared {
  readonly block: Block;
  /** Per turn the redacted, clipped texts of its utterances. */
  readonly texts: readonly (readonly string[])[];
  readonly tokens: number;
  readonly found: Found;
}

/**
 * A long text that was pasted again says nothing new. Shorter ones stay: "yes, exactly" said twice is said twice. From 400
 * characters on it is a log or a file; one session of 600 MB held the same 66 KB 4,700 times.
 */
const REPEATABLE = 400;

interface Pile {
  /** Long texts that were taken before. */
  readonly pasted: Set<string>;
  readonly turns: { readonly turn: Turn; readonly texts: readonly string[] }[];
  readonly found: Found;
  tokens: number;
  full: boolean;
}

/**
 * @param words what the sources read, in the order in which it should be taken; several may share one file
 * @throws RangeError for an unknown time zone
 */
export async function makeDigest(words: readonly SessionWords[], options: DigestOptions): Promise<Digest> {
  const pile: Pile = { pasted: new Set(), turns: [], found: {}, tokens: 0, full: false };
  const taken: Taken[] = [];
  for (const { file, parts } of byFile(words)) {
    const left = await takeFile(blocksOf(parts), pile, options);
    taken.push(left === null ? { file, until: "all" } : { file, ...left });
  }
  return { sessions: await toSessions(words, pile, options), tokens: pile.tokens, redacted: pile.found, taken };
}

function byFile(words: readonly SessionWords[]): FileWords[] {
  const files = new Map<string, FileWords>();
  words.forEach((item, index) => {
    const known = files.get(item.file) ?? { file: item.file, parts: [] };
    known.parts.push({ index, words: item });
    files.set(item.file, known);
  });
  return [...files.values()];
}

/** Takes blocks while they fit; where the rest starts, or null when nothing is left. Until 0: nothing of the file was taken. */
async function takeFile(
  blocks: readonly Block[],
  pile: Pile,
  options: DigestOptions,
): Promise<{ until: number; line: number } | null> {
  for (let from = 0; from < blocks.length; from += BATCH) {
    const batch = blocks.slice(from, from + BATCH);
    const prepared = pile.full ? [] : await prepare(batch, pile.pasted, options.redactor);
    await options.breath?.();
    for (const [i, block] of batch.entries()) {
      const item = prepared[i];
      if (item && (pile.turns.length === 0 || pile.tokens + item.tokens <= options.tokens)) put(pile, item);
      else {
        pile.full = true;
        return from + i === 0 ? { until: 0, line: 1 } : { until: block.offset, line: block.line };
      }
    }
  }
  return null;
}

function put(pile: Pile, item: Prepared): void {
  item.block.turns.forEach((turn, i) => {
    pile.turns.push({ turn, texts: item.texts[i] ?? [] });
  });
  pile.tokens += item.tokens;
  for (const [rule, count] of Object.entries(item.found)) pile.found[rule] = (pile.found[rule] ?? 0) + count;
}

async function prepare(blocks: readonly Block[], pasted: Set<string>, redactor: Redactor): Promise<Prepared[]> {
  // Invisible characters go first: a zero-width blank inside a key would hide it.
  const spoken = blocks.flatMap((b) => b.turns.flatMap((t) => t.utterances));
  const plain = spoken.map((u) => withoutRepeat(stripInvisible(wellFormed(u.text)), pasted));
  const { texts, counts } = await redactor.redactAll(plain);
  let next = 0;
  return blocks.map((block) => {
    const found: Found = {};
    const ofTurns = block.turns.map((turn) =>
      turn.utterances.map((utterance) => {
        for (const [rule, count] of Object.entries(counts[next] ?? {})) found[rule] = (found[rule] ?? 0) + count;
        return headAndTail((texts[next++] ?? "").trim(), LONGEST[utterance.speaker]);
      }),
    );
    const tokens = ofTurns
      .flat()
      .reduce((sum, text) => sum + (text === "" ? 0 : estimateTokens(text) + LABEL_TOKENS), 0);
    return { block, texts: ofTurns, tokens, found };
  });
}

function withoutRepeat(text: string, pasted: Set<string>): string {
  if (text.length < REPEATABLE) return text;
  const name = shortHash(text);
  if (pasted.has(name)) return "";
  pasted.add(name);
  return text;
}

/** Numbers what was taken: one session per part that has words, in the order of the input; utterances in the order of the file. */
async function toSessions(
  words: readonly SessionWords[],
  pile: Pile,
  options: DigestOptions,
): Promise<DigestSession[]> {
  const sessions: DigestSession[] = [];
  const byPart = new Map<number, Pile["turns"][number][]>();
  for (const piled of pile.turns) {
    const turns = byPart.get(piled.turn.part);
    if (turns) turns.push(piled);
    else byPart.set(piled.turn.part, [piled]);
  }
  for (const [part, item] of words.entries()) {
    const turns = byPart.get(part);
    if (!turns) continue;
    const label = `S${sessions.length + 1}`;
    const spoken = turns
      .flatMap(({ turn, texts }) => turn.utterances.map((utterance, i) => ({ utterance, text: texts[i] ?? "" })))
      .filter(({ text }) => text !== "");
    const { session, client, file, cwd, headless } = item;
    const utterances: DigestUtterance[] = [];
    for (const s of spoken) {
      utterances.push(toUtterance(`${label}:${utterances.length + 1}`, s.utterance, { text: s.text, options }));
      await options.breath?.();
    }
    sessions.push({ label, session, client, file, cwd, headless, utterances });
  }
  return sessions;
}

function toUtterance(
  label: string,
  utterance: Utterance,
  { text, options }: { text: string; options: DigestOptions },
): DigestUtterance {
  const { speaker, trust, at, line, record } = utterance;
  const dates = isEvidence(utterance) ? resolveDates(text, at, options.timeZone) : [];
  return { label, speaker, trust, text, at, dates, line, record };
}
