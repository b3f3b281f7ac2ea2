// One child for every way in which a child can go wrong; the brief says which.
import { hello, propose, raw, say, word } from "./speak.mjs";

const big = (bytes) => "a".repeat(bytes);
const forever = () => setInterval(() => undefined, 1_000);
const ask = (id) => ({ type: "reserve", id, inputTokens: 1, outputTokens: 1, costUsd: 0 });
const ready = () => [hello(), say({ type: "progress", text: "ready" })];
const hog = [];

const WAYS = {
  "no hello": () => propose(),
  "hello twice": () => [hello(), hello()],
  "another fence": () => say({ type: "hello", fence: "none" }),
  "unknown type": () => [hello(), say({ type: "please" })],
  "inherited type": () => [hello(), say({ type: "constructor" })],
  "prototype as type": () => [hello(), say({ type: "__proto__" })],
  "prototype key": () => [hello(), raw('{"type":"progress","text":"x","__proto__":{"polluted":1}}\n')],
  "prototype instead of a key": () => [hello(), raw('{"type":"progress","__proto__":{"text":"x"}}\n')],
  "wrong field": () => [hello(), say({ type: "progress", text: 5 })],
  "missing field": () => [hello(), say({ type: "progress" })],
  "extra field": () => [hello(), say({ type: "progress", text: "x", more: 1 })],
  "negative spend": () => [
    hello(),
    say({ type: "spent", requests: 1, inputTokens: -5, cachedTokens: 0, outputTokens: 0, costUsd: 0 }),
  ],
  "spend that is no number": () => [
    hello(),
    raw('{"type":"spent","requests":1,"inputTokens":1e999,"cachedTokens":0,"outputTokens":0,"costUsd":0}\n'),
  ],
  "not JSON": () => [hello(), raw("hello?\n")],
  "a list": () => [hello(), raw("[]\n")],
  "an empty line": () => [hello(), raw("\n")],
  "deep nesting": () => [hello(), raw(`${"[".repeat(3_000_000)}\n`)],
  "a long progress": () => [hello(), say({ type: "progress", text: big(100_000) })],
  "a long value": () => [hello(), say({ type: "cachePut", key: "k", value: "\u8bb0".repeat(60_000) })],
  "a message of 100 MB": () => [
    hello(),
    raw(`{"type":"proposal","proposal":{"operations":["${big(100_000_000)}"]}}\n`),
  ],
  "a message without end": () => {
    hello();
    for (;;) raw(big(1_000_000));
  },
  "a flood of messages": () => {
    hello();
    for (;;) say({ type: "progress", text: "x" });
  },
  "a flood of questions": () => {
    hello();
    for (let id = 0; id < 100; id++) say(ask(id));
    forever();
  },
  "answers unread": () => {
    hello();
    for (let id = 0; id < 900; id++) say({ type: "cacheGet", id, key: "k" });
    forever();
  },
  "a flood of output": () => {
    hello();
    const write = () => process.stdout.write(big(100_000), write);
    write();
  },
  "a flood of errors": () => {
    hello();
    const write = () => process.stderr.write(big(100_000), write);
    write();
  },
  "proposal twice": () => [hello(), propose(), propose()],
  "word after the proposal": () => [hello(), propose(), say({ type: "progress", text: "x" })],
  "word after failing": () => [
    say({ type: "failed", code: "x-y", family: "unavailable", message: "m", hint: "h", retryAt: null }),
    propose(),
  ],
  "a failure of no family": () =>
    say({ type: "failed", code: "x-y", family: "bug", message: "m", hint: "h", retryAt: null }),
  "a failure in its own words": () =>
    say({ type: "failed", code: "X Y\u001b[2J", family: "rejected", message: "m", hint: "h", retryAt: null }),
  "a proposal without operations": () => [hello(), say({ type: "proposal", proposal: { operations: 5 } })],

  "exit 1": () => process.exit(1),
  "exit 0 without a proposal": () => [hello(), process.exit(0)],
  "half a message": () => [hello(), raw('{"type":"propo'), process.exit(0)],
  "a thrown error": () => {
    throw new Error("thrown \u001b[2J on purpose");
  },
  "a kill of itself": () => process.kill(process.pid, "SIGKILL"),
  "a kill of its group": () => process.kill(0, "SIGTERM"),
  "an abort": () => process.abort(),
  "too large a heap": () => {
    hello();
    for (;;) hog.push(new Array(100_000).fill(hog.length));
  },
  "too many buffers": () => {
    hello();
    for (;;) hog.push(Buffer.alloc(50_000_000, 1));
  },
  "too long on the processor": () => {
    hello();
    for (;;);
  },

  silence: () => [ready(), forever()],
  "silence from the start": () => forever(),
  "an endless loop": () => {
    ready();
    for (;;);
  },
  "chatter without end": () => {
    hello();
    setInterval(() => say({ type: "progress", text: "still here" }), 20);
  },
  "deafness to signals": () => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
    ready();
    forever();
  },

  "no leave after the proposal": () => [hello(), propose(), forever()],
  "death after the proposal": () => [hello(), propose(), process.abort()],
  "an unreadable operation": () => [
    hello(),
    propose([{ op: "format-disk" }, { op: "describe-topic", topic: "a", description: "When b." }]),
  ],
  "a failure": () =>
    say({
      type: "failed",
      code: "rate-limited",
      family: "unavailable",
      message: "m\u001b[2J\nn",
      hint: "h",
      retryAt: null,
    }),
  spending: () => {
    hello();
    for (let i = 0; i < 2; i++)
      say({ type: "spent", requests: 1, inputTokens: 10, cachedTokens: 5, outputTokens: 2, costUsd: 0.25 });
    propose();
  },
};

WAYS[word()]();
