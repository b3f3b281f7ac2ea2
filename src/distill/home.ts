/** The child's end of the channel: asks, reports, and says its last word. */
import type { Socket } from "node:net";
import type { Ruling, Usage } from "../ports.ts";
import { lineReader } from "./lines.ts";
import {
  type BatchNeed,
  CHANNEL_LIMITS,
  type FromChild,
  type FromParent,
  frame,
  fromParent,
  type Grant,
  type Planned,
  type Reservation,
  usageOf,
} from "./protocol.ts";

export interface Home {
  reserve(need: Reservation): Promise<Grant>;
  /** Reserves for a whole batch and has it written down, before it is sent. */
  plan(need: BatchNeed): Promise<Planned>;
  /** Has written down what became of the plan: the batch's name at the endpoint; null where none was made. @param strange as the endpoint has none */
  sent(batch: string | null, strange?: boolean): Promise<void>;
  cacheGet(key: string): Promise<string | null>;
  /** A value that does not fit a message is not cached. */
  cachePut(key: string, value: string): void;
  spent(usage: Usage): void;
  progress(text: string): void;
  judge(operation: unknown): Promise<Ruling>;
  /** What the parent set this distiller up with; unchecked. */
  settings(): Promise<unknown>;
  /** Sends a message and resolves when the system has taken all of it. */
  say(message: FromChild): Promise<void>;
}

/** Asks, and hears the answers in whatever order they come. */
function openLine(socket: Socket, lost: () => void) {
  const waiting = new Map<number, (answer: FromParent) => void>();
  const lines = lineReader(CHANNEL_LIMITS.messageBytes);
  let next = 0;
  const say = (message: FromChild) => new Promise<void>((done) => void socket.write(frame(message), () => done()));
  const ask = <T extends FromParent["type"]>(type: T, question: (id: number) => FromChild) =>
    new Promise<Extract<FromParent, { type: T }>>((resolve) => {
      const id = next++;
      waiting.set(id, (answer) => (isType(answer, type) ? resolve(answer) : lost()));
      void say(question(id));
    });
  socket.on("data", (chunk: Uint8Array) => {
    for (const line of lines.push(chunk) ?? [""]) {
      const answer = fromParent(line);
      const taker = answer ? waiting.get(answer.id) : undefined;
      if (!answer || !taker) return lost();
      waiting.delete(answer.id);
      taker(answer);
    }
  });
  socket.on("close", lost).on("error", lost);
  return { say, ask };
}

/** @param lost called when the parent is gone or does not keep to the protocol: the child has nobody to work for */
export function openHome(socket: Socket, lost: () => void): Home {
  const { say, ask } = openLine(socket, lost);
  return {
    say,
    reserve: async ({ inputTokens, outputTokens, costUsd }) => {
      const question = { type: "reserve", inputTokens, outputTokens, costUsd } as const;
      const { granted, reason } = await ask("granted", (id) => ({ ...question, id }));
      return { granted, reason };
    },
    plan: async ({ keys, inputTokens, outputTokens, costUsd }) => {
      const question = { type: "plan", keys, inputTokens, outputTokens, costUsd } as const;
      const { granted, reason, marker } = await ask("planned", (id) => ({ ...question, id }));
      return { granted, reason, marker };
    },
    sent: async (batch, strange = false) => void (await ask("noted", (id) => ({ type: "sent", id, batch, strange }))),
    judge: async (operation) => {
      const { accepted, rule, detail } = await ask("ruled", (id) => ({ type: "judge", id, operation }));
      return accepted ? { accepted, rule: null, detail } : { accepted, rule: rule ?? "refused", detail };
    },
    settings: async () => (await ask("settings", (id) => ({ type: "setup", id }))).settings,
    cacheGet: async (key) => (await ask("cached", (id) => ({ type: "cacheGet", id, key }))).value,
    cachePut: (key, value) => {
      const message: FromChild = { type: "cachePut", key, value };
      if (Buffer.byteLength(frame(message)) <= CHANNEL_LIMITS.messageBytes) void say(message);
    },
    spent: (usage) => void say({ type: "spent", ...usageOf(usage) }),
    progress: (text) => void say({ type: "progress", text: text.slice(0, 500) }),
  };
}

function isType<T extends FromParent["type"]>(answer: FromParent, type: T): answer is Extract<FromParent, { type: T }> {
  return answer.type === type;
}
