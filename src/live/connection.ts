/** One client: one question, one answer; who asked to follow stays. Nothing that a client does or leaves undone keeps the daemon. */
import type { Socket } from "node:net";
import { classify } from "../base/errors.ts";
import type { Desk, LiveEvent } from "./desk.ts";
import { type Answer, type Ask, answerLine, lineReader, MAX_ASK_BYTES, parseAsk } from "./wire.ts";

/** A whole question comes in one packet, and its answer is read at once. */
const PATIENCE_MS = 5_000;
/** Who follows and does not read is let go. */
const MAX_UNREAD_BYTES = 262_144;

/** Whoever stays must leave room for questions. */
const MAX_FOLLOWERS = 16;

type Followers = Set<(event: LiveEvent) => void>;

/** @returns what ends the connection */
export function attend(socket: Socket, desk: Desk, followers: Followers): () => void {
  const end = () => socket.destroy();
  let asked = false;
  // A question that is not asked, and an answer that is not read, both end here.
  socket.setTimeout(PATIENCE_MS, end);
  socket.on("error", end);
  const read = lineReader(MAX_ASK_BYTES, (line) => {
    if (asked) return;
    asked = true;
    const ask = parseAsk(line);
    if (ask?.ask === "follow") follow(socket, followers);
    else void answerTo(desk, ask).then((answer) => socket.end(answerLine(answer)));
  });
  socket.on("data", (chunk) => {
    // One question per connection: whoever goes on talking is no client of ours.
    if (asked || !read(chunk)) end();
  });
  return end;
}

function follow(socket: Socket, followers: Followers): void {
  if (followers.size >= MAX_FOLLOWERS) {
    socket.end(answerLine(refused("too-many", "too many follow already")));
    return;
  }
  const tell = (event: LiveEvent) => {
    if (socket.writableLength > MAX_UNREAD_BYTES) socket.destroy();
    else socket.write(answerLine({ ok: true, value: event }));
  };
  socket.setTimeout(0);
  socket.write(answerLine({ ok: true, value: { event: "following" } }));
  followers.add(tell);
  socket.once("close", () => followers.delete(tell));
}

async function answerTo(desk: Desk, ask: Ask | null): Promise<Answer> {
  if (ask === null) return refused("bad-request", "no question that this version knows");
  try {
    return { ok: true, value: await valueFor(desk, ask) };
  } catch (error) {
    const { code, message } = classify(error, `answer ${ask.ask}`);
    return refused(code, message);
  }
}

async function valueFor(desk: Desk, ask: Ask): Promise<unknown> {
  if (ask.ask === "dream") return desk.dream({ stores: ask.stores, now: ask.now });
  return ask.ask === "reload" ? desk.reload() : desk.facts();
}

const refused = (code: string, message: string): Answer => ({ ok: false, error: { code, message } });
