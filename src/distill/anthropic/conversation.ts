/** One conversation with the larger model: turns are only ever appended, so that the prefix stays the same and cached. */
import type { Bench } from "./bench.ts";
import { TOOLS, work } from "./bench.ts";
import type { CallPart, Endpoint, Reply, ResultPart, Stop, TextPart, Turn } from "./messages.ts";

/** `nudges`: words without a call; `lengths`: answers cut at their limit; `pauses`: answers that the endpoint wants to go on with. */
const LIMITS = { turns: 40, nudges: 1, lengths: 2, pauses: 4 } as const;

/** Why it ended. Only `finished` lets anything of it count. */
export type End =
  | "finished"
  | "repeats-itself"
  | "too-many-operations"
  | "no-finish"
  | "too-many-turns"
  | "answers-too-long"
  | "paused-too-often"
  | "refusal"
  | "context";

export interface Talk {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly system: string;
  readonly maxTokens: number;
}

/** @throws MemdError of the endpoint, `too-long` among them */
export async function converse({ endpoint, ...talk }: Talk, opening: string, bench: Bench): Promise<End> {
  const turns: Turn[] = [says(opening)];
  bench.seen.clear();
  const count: Record<Stop, number> = { end: 0, tools: 0, length: 0, pause: 0, refusal: 0, context: 0 };
  for (let turn = 0; turn < LIMITS.turns; turn++) {
    const reply = await endpoint.ask({ ...talk, turns: [...turns], tools: TOOLS, answer: null });
    const calls = reply.parts.filter((part) => part.type === "call");
    // Some endpoints end a turn as tool_use without a call in it.
    const stop = reply.stop === "tools" && calls.length === 0 ? "end" : reply.stop;
    count[stop] += 1;
    const over = endOf(stop, count);
    if (over !== null) return over;
    if (stop === "pause") turns.push({ role: "assistant", parts: reply.parts });
    else if (stop === "tools") {
      const { results, end } = await work(bench, calls);
      if (end !== null) return end;
      turns.push({ role: "assistant", parts: reply.parts }, { role: "user", parts: results });
    } else turns.push(...notRun(reply, calls, stop === "length" ? TOO_LONG : NO_CALL));
  }
  return "too-many-turns";
}

const says = (text: string): Turn => ({ role: "user", parts: [{ type: "text", text }] });

function endOf(stop: Stop, count: Readonly<Record<Stop, number>>): End | null {
  if (stop === "refusal" || stop === "context") return stop;
  if (count.end > LIMITS.nudges) return "no-finish";
  if (count.length > LIMITS.lengths) return "answers-too-long";
  return count.pause > LIMITS.pauses ? "paused-too-often" : null;
}

const TOO_LONG =
  "Your answer was cut at its longest, so nothing of it was run. Make fewer calls in one turn, with shorter texts.";
const NO_CALL = "Words change nothing. Call the tools; if nothing is left to do, call finish.";

/**
 * The turns that follow an answer whose calls may not be run: a call that was cut may lack half its input. Each gets an answer all the
 * same, for the endpoint wants one; a cut part that is neither text nor call is left out, for it would not be taken back.
 */
function notRun({ parts, stop }: Reply, calls: readonly CallPart[], why: string): Turn[] {
  const kept = stop === "length" && parts.at(-1)?.type === "opaque" ? parts.slice(0, -1) : parts;
  const results = calls.map(({ id }): ResultPart => ({ type: "result", id, text: "Not run.", isError: true }));
  const words: TextPart = { type: "text", text: why };
  // Not every endpoint takes back a turn in which nothing was said.
  const isSilent = !kept.some((part) => part.type === "call" || (part.type === "text" && part.text.trim() !== ""));
  return [
    { role: "assistant", parts: isSilent ? [...kept, { type: "text", text: "(nothing)" }] : kept },
    { role: "user", parts: [...results, words] },
  ];
}
