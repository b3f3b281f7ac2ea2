/** Stage one: a small model reads each session by itself. Every answer is kept, so that no session is paid for twice. */
import { isMemdError } from "../../base/errors.ts";
import { sha256 } from "../../base/ids.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { sessionText } from "../../digest/brief.ts";
import type { DigestSession } from "../../digest/digest.ts";
import type { Brief } from "../../ports.ts";
import type { Home } from "../home.ts";
import { ANSWER, boundedList, type Candidate, jsonIn, readCandidates, relabelled } from "./candidate.ts";
import { anonymous, chunksOf, hasEvidence } from "./chunk.ts";
import { heardByRules } from "./floor.ts";
import type { Ask, Endpoint, Reply, Turn } from "./messages.ts";
import { inParallel } from "./pool.ts";
import { withTone } from "./prompts/common.ts";
import { EXTRACT } from "./prompts/extract.ts";
import { PROMPT_VERSION } from "./prompts/version.ts";
import { quoted } from "./quoted.ts";
import type { AnthropicSettings } from "./settings.ts";

export interface Stage {
  readonly brief: Brief;
  readonly home: Pick<Home, "cacheGet" | "cachePut" | "progress" | "judge">;
  readonly endpoint: Endpoint;
  readonly settings: Pick<AnthropicSettings, "extract" | "consolidate" | "maxTokens" | "parallel" | "tone">;
}

/** Estimated tokens of a session's part: whole sessions for hosted models; what was too long is split at the next size, then no further. */
const PART_TOKENS = [16_000, 8_000, 4_000] as const;
/** Longest answer: 24 candidates with their quotes. Every token of it is reserved beforehand. */
const ANSWER_TOKENS = 6_000;
/** A paused answer is taken up this often. */
const PAUSES = 2;
/** The endpoint has its own retries: after the second time that those did not help, the rest would fail as well. */
const FAILURES = 2;

/** What all sessions of a run learn from each other. */
interface Course {
  /** Index into PART_TOKENS: what was too long once is not tried at that size again. */
  level: number;
  failures: number;
  done: number;
}

type Answer = { readonly candidates: readonly Candidate[] } | { readonly skipped: string } | "too-long";

/**
 * The candidates of all sessions, in the order of the brief. A session that the model refuses or answers with nonsense is heard by the
 * built-in rules instead and sinks no other.
 * @throws MemdError of the endpoint: over-budget and misconfigured at once, unavailable at the second time or when it names a time
 */
export async function extractAll(stage: Stage): Promise<Candidate[]> {
  const sessions = stage.brief.digest.sessions.filter(hasEvidence);
  const course: Course = { level: 0, failures: 0, done: 0 };
  const found = await inParallel(sessions, stage.settings.parallel, async (session) => {
    const candidates = await readParts(partsOf(session, course.level), stage, course);
    course.done += 1;
    stage.home.progress(`extract: ${course.done} of ${sessions.length} sessions read`);
    return candidates;
  });
  return found.flat();
}

const partTokens = (level: number): number => PART_TOKENS[level] ?? PART_TOKENS[0];

/** What is asked about at once; `level` is the size to which it was cut. */
interface Part {
  readonly session: DigestSession;
  readonly level: number;
}

const partsOf = (session: DigestSession, level: number): Part[] =>
  level < PART_TOKENS.length ? chunksOf(session, partTokens(level)).map((part) => ({ session: part, level })) : [];

/** One after the other, so that each knows what was too long before it. */
async function readParts(parts: readonly Part[], stage: Stage, course: Course): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const part of parts) candidates.push(...(await readPart(part, stage, course)));
  return candidates;
}

/** One part, split again where it is too long; what cannot be split is left to the rules. */
async function readPart({ session, level }: Part, stage: Stage, course: Course): Promise<Candidate[]> {
  const wasTooLong = level < course.level;
  const answer = wasTooLong ? "too-long" : await answerTo(session, stage, course);
  if (answer !== "too-long") {
    return "candidates" in answer
      ? relabelled(answer.candidates, session.label)
      : leftToRules(session, stage, answer.skipped);
  }
  const smaller = partsOf(session, Math.max(level + 1, course.level));
  // What was too long for another session may be short enough for this one as it is.
  if (smaller.length < 2 && !wasTooLong) return leftToRules(session, stage, "too-long");
  course.level = Math.max(course.level, level + 1);
  return readParts(smaller, stage, course);
}

function leftToRules(part: DigestSession, { home, brief }: Stage, why: string): Candidate[] {
  home.progress(`extract: ${part.label} is left to the built-in rules (${why})`);
  return heardByRules(part, brief);
}

type Asked = Pick<AnthropicSettings, "extract" | "tone">;

/** What the model is asked about a part, and where its answer is kept: the same in every run for the same words, model, tone and prompt. */
function questionOf(part: DigestSession, { extract, tone }: Asked) {
  const session = anonymous(part);
  const text = quoted(sessionText(session));
  return { session, text, key: `extract:${sha256(JSON.stringify([PROMPT_VERSION, extract.name, tone, text]))}` };
}

/** Everything that a run asks, when all of it fits at the first size; for an estimate. */
export function questionsOf(brief: Brief, settings: Asked): readonly { session: string; text: string; key: string }[] {
  return brief.digest.sessions.filter(hasEvidence).flatMap((session) =>
    chunksOf(session, partTokens(0)).map((part) => {
      const { text, key } = questionOf(part, settings);
      return { session: session.session, text, key };
    }),
  );
}

/** From the cache, or asked and put there as soon as it is known. */
async function answerTo(part: DigestSession, stage: Stage, course: Course): Promise<Answer> {
  const { home, settings } = stage;
  const { session, text, key } = questionOf(part, settings);
  const known = fromCache(await home.cacheGet(key), session);
  if (known) return known;
  const answer = await ask(text, stage, course).then((reply) =>
    reply === "too-long" ? reply : judgeReply(reply, session),
  );
  home.cachePut(key, JSON.stringify(answer));
  return answer;
}

/** A cached answer is checked like a new one: it may come from another version, or from a damaged ledger. */
function fromCache(value: string | null, session: DigestSession): Answer | null {
  const known = value === null ? undefined : parseJson(value);
  // What was too long is never sent unchanged again, in no later run either.
  if (known === "too-long") return known;
  if (isRecord(known) && typeof known.skipped === "string") return { skipped: known.skipped.slice(0, 40) };
  const candidates = readCandidates(known, session);
  return candidates && { candidates };
}

function judgeReply(reply: Reply, session: DigestSession): Answer {
  return answerIn(reply, (value) => readCandidates(value, session));
}

/** An answer as far as it can be judged without its session: whoever takes it from the cache compares it with the words. */
export const plainAnswer = (reply: Reply) => answerIn(reply, boundedList);

function answerIn<T>(
  { parts, stop }: Reply,
  read: (value: unknown) => T | null,
): "too-long" | { readonly skipped: string } | { readonly candidates: T } {
  if (stop === "context" || stop === "length") return "too-long";
  if (stop === "refusal") return { skipped: "refusal" };
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const candidates = read(jsonIn(text));
  return candidates === null ? { skipped: "no-json" } : { candidates };
}

/** The request for what a part of a session offers. */
export function askOf(
  turns: readonly Turn[],
  { extract, tone, maxTokens }: Asked & Pick<AnthropicSettings, "maxTokens">,
): Ask {
  return {
    model: extract.name,
    system: withTone(EXTRACT, tone),
    turns,
    tools: [],
    answer: { ...ANSWER },
    maxTokens: Math.min(maxTokens, ANSWER_TOKENS),
  };
}

export const turnOf = (text: string): Turn => ({ role: "user", parts: [{ type: "text", text }] });

async function ask(text: string, stage: Stage, course: Course): Promise<Reply | "too-long"> {
  const turns: Turn[] = [turnOf(text)];
  for (let pauses = 0; ; pauses++) {
    const reply = await request(turns, stage, course);
    if (reply === "too-long" || reply.stop !== "pause" || pauses === PAUSES) return reply;
    turns.push({ role: "assistant", parts: reply.parts });
  }
}

async function request(
  turns: readonly Turn[],
  { endpoint, settings }: Stage,
  course: Course,
): Promise<Reply | "too-long"> {
  for (;;) {
    try {
      return await endpoint.ask(askOf(turns, settings));
    } catch (error) {
      if (!isMemdError(error)) throw error;
      if (error.code === "too-long") return "too-long";
      if (error.family !== "unavailable" || error.retryAt !== null || ++course.failures >= FAILURES) throw error;
    }
  }
}
