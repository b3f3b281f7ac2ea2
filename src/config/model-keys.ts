/** Keys of the distillers that ask a model: which one, where, how much at once, and where its key is found. */
import { choice, flag, type Key, number, place, text, texts } from "./key.ts";

export const MODEL_KEYS: readonly Key[] = [
  text(
    "model.extract",
    "claude-haiku-5-5",
    "Reads one session at a time; a small model is enough and is asked most often.",
  ),
  text("model.consolidate", "claude-sonnet-5-5", "Merges what was found into the memory, once a run."),
  text(
    "model.baseUrl",
    null,
    "Any endpoint that speaks the Messages API; absent: ANTHROPIC_BASE_URL, else Anthropic's own.",
  ),
  choice(
    "model.auth",
    ["auto", "bearer", "x-api-key"],
    "How the key is sent: auto sends a bearer token to Anthropic and both headers to any other endpoint.",
  ),
  place("model.apiKeyFile", "A file of mode 0600 that holds the key and nothing else; the environment comes first."),
  texts("model.apiKeyCommand", "Program and arguments that print the key, run without a shell; for password managers."),
  number(
    "model.maxTokens",
    8_000,
    [256, 128_000],
    "Longest answer to one request, reserved in full before it; the longest turns take some 2,000. Raise it for models that think aloud.",
  ),
  number("model.parallel", 4, [1, 16], "Sessions read at the same time; 1 for a local model."),
  number(
    "model.idleSeconds",
    120,
    [5, 3_600],
    "Silence in a stream after which a request is given up; raise it for slow local models.",
  ),
  number("model.requestSeconds", 600, [10, 3_300], "Longest single request, answer included."),
  number(
    "model.keepRatePercent",
    10,
    [0, 90],
    "Where the endpoint tells its rate limits: what is left for your own work.",
  ),
  flag(
    "model.batch",
    false,
    "Scheduled dreams extract through the Message Batches API: half the price, up to a day later.",
  ),
  text("model.tone", null, "A sentence of yours that is added to the prompts, for example the language of the memory."),
  number(
    "model.inputUsd",
    null,
    [0, 1_000],
    "USD per million input tokens, for both models; absent: memd's price table, and of a model not in it only tokens are capped.",
  ),
  number("model.outputUsd", null, [0, 1_000], "USD per million output tokens; counts only together with inputUsd."),
  place("claude.path", "The claude program of the claude distiller; absent: the first one on the PATH."),
  text("claude.model", null, "Model that Claude Code is asked to use; absent: its own default."),
  number("claude.maxTurns", 30, [1, 200], "Turns of one run of Claude Code."),
  flag(
    "claude.useKey",
    false,
    "Claude Code spends on the key and endpoint of `model` instead of its own sign-in; the key then stands in its environment.",
  ),
];
