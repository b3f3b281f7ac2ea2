/** What happens in the daemon, as it happens. Apart from the client, which every `memd status` loads. */
import type { Socket } from "node:net";
import { isRecord } from "../base/json.ts";
import { connect } from "./client.ts";
import type { LiveEvent } from "./desk.ts";
import { lineReader, MAX_ANSWER_BYTES, parseAnswer } from "./wire.ts";

function isLiveEvent(value: unknown): value is LiveEvent {
  return isRecord(value) && typeof value["event"] === "string";
}

/** Calls `take` for whatever happens, until the signal aborts or the daemon is gone. Ends quietly in every case. */
export function follow(path: string, take: (event: LiveEvent) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const socket: Socket = connect(path);
    const end = () => socket.destroy();
    const read = lineReader(MAX_ANSWER_BYTES, (line) => {
      const answer = parseAnswer(line);
      if (answer?.ok && isLiveEvent(answer.value)) take(answer.value);
    });
    signal.addEventListener("abort", end, { once: true });
    socket.on("connect", () => socket.write(`${JSON.stringify({ ask: "follow" })}\n`));
    socket.on("data", (chunk) => {
      if (!read(chunk)) end();
    });
    socket.on("error", end);
    socket.on("close", () => {
      signal.removeEventListener("abort", end);
      resolve();
    });
  });
}
