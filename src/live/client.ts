/** A command's side of the socket. Never hangs and believes nothing: whatever is wrong on the other side is `null`. */
import type { Socket } from "node:net";
import { readFacts } from "./believed.ts";
import type { LiveFacts } from "./facts.ts";
import { type Ask, lineReader, MAX_ANSWER_BYTES, parseAnswer } from "./wire.ts";

/** Loaded where there is a daemon to ask: without one, `status` does not pay for it. */
export const connect = (path: string): Socket => process.getBuiltinModule("node:net").connect(path);

/** A daemon whose loop turns answers within a few; longer than this nobody waits for `status`. */
export const PATIENCE_MS = 300;

/** `stale`: nobody listens there any more. `silent`: something holds the socket and gives no answer that can be used. */
export type Asked = { readonly state: "answered"; readonly value: unknown } | { readonly state: "stale" | "silent" };

/** @param path as `findSocket` tells it */
export function ask(path: string, question: Ask, patience = PATIENCE_MS): Promise<Asked> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const timer = setTimeout(() => done({ state: "silent" }), patience);
    const done = (asked: Asked) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(asked);
    };
    const read = lineReader(MAX_ANSWER_BYTES, (line) => {
      const answer = parseAnswer(line);
      done(answer?.ok ? { state: "answered", value: answer.value } : { state: "silent" });
    });
    socket.on("connect", () => socket.write(`${JSON.stringify(question)}\n`));
    socket.on("data", (chunk) => {
      if (!read(chunk)) done({ state: "silent" });
    });
    socket.on("error", (error) => done({ state: isNobody(error) ? "stale" : "silent" }));
    socket.on("close", () => done({ state: "silent" }));
  });
}

const NOBODY: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOENT"]);

function isNobody(error: Error): boolean {
  return "code" in error && typeof error.code === "string" && NOBODY.has(error.code);
}

/** True when something takes connections there, whatever it answers: such a socket is not ours to remove. */
export async function isAnswering(path: string): Promise<boolean> {
  return (await ask(path, { ask: "status" })).state !== "stale";
}

export type Seen = { readonly state: "running"; readonly facts: LiveFacts } | { readonly state: "stale" | "silent" };

/** Before a daemon is said to hang it is asked once more, with this patience: a machine that is busy delays its answer, ms. */
const LAST_PATIENCE_MS = 2_000;

export async function askFacts(path: string, patience = PATIENCE_MS, last = LAST_PATIENCE_MS): Promise<Seen> {
  const first = await ask(path, { ask: "status" }, patience);
  const asked = first.state === "silent" ? await ask(path, { ask: "status" }, last) : first;
  if (asked.state !== "answered") return asked;
  const facts = readFacts(asked.value);
  return facts === null ? { state: "silent" } : { state: "running", facts };
}
