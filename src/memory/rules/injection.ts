/** Words that aim at the next reader instead of telling a fact, and words that only a tool said. */
import { termsOf } from "../language/words.ts";
import type { Operation } from "../operation.ts";
import { type Rule, violation, wordsOf } from "./rule.ts";
import { isPersons } from "./speaker.ts";

const AIMED = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|earlier|all|any|other|system)\b.{0,30}\b(?:instructions?|rules?|prompts?|messages?|polic(?:y|ies)|guidelines?|memor(?:y|ies))\b/i,
  /\b(?:system prompt|jailbreak|developer mode|prompt injection|as an ai\b|note to (?:all )?(?:assistants?|ai|agents?|models?|llms?))/i,
  /\b(?:do not|don't|never)\b.{0,20}\b(?:tell|inform|notify|mention (?:this|it) to|show (?:this|it) to)\b.{0,20}\b(?:the )?users?\b/i,
  /\bwithout (?:asking|telling|informing|notifying|the knowledge of) the user\b|\bsecretly\b|\bsilently (?:send|upload|post|run|install)\b/i,
  /\b(?:curl|wget|iwr|fetch)\b.{0,120}\|\s*(?:sudo )?(?:ba|z|da)?sh\b|\b(?:bash|sh) <\(\s*curl/i,
  /\b(?:upload|send|post|exfiltrate|forward|copy|leak|transmit)\b.{0,60}\b(?:diffs?|code|secrets?|keys?|tokens?|credentials?|passwords?|env(?:ironment)?|memor(?:y|ies)|conversation|transcripts?|files?)\b.{0,40}\bto\b.{0,20}(?:https?:\/\/|[\w.-]+@|[\w-]+\.\w{2,})/i,
  /^\s*(?:system|assistant|human|user)\s*[:：]/i,
  /忽略.{0,12}(?:指令|指示|规则|提示)|(?:不要|别).{0,4}告诉.{0,2}用户|系统提示词|瞒着用户/,
  /(?:[A-Za-z0-9+/]{80,}={0,2})/,
];

/** A question is answered by a person, in clear text that is kept. */
const ASKS_FOR_SECRETS =
  /\b(?:pass(?:word|phrase|code)s?|api[ -]?keys?|secret(?: key)?s?|tokens?|credentials?|private keys?|pin(?: code)?|one[- ]time codes?|recovery (?:codes?|phrases?)|seed phrases?)\b|密码|口令|密钥|令牌|验证码/i;
const ASKS_TO_GIVE =
  /\b(?:paste|enter|type|tell|send|give|share|what(?:'s| is| are)|provide|confirm)\b|请?(?:输入|提供|告诉|发送|粘贴)|是什么|是多少/i;

const asksForSecrets = (operation: Operation) =>
  operation.op === "ask" && ASKS_FOR_SECRETS.test(operation.text) && ASKS_TO_GIVE.test(operation.text);

export const injection: Rule = (operation) => {
  const found = asksForSecrets(operation) || wordsOf(operation).some((text) => AIMED.some((form) => form.test(text)));
  return found ? violation("injection", "the text gives orders to its reader instead of telling a fact") : null;
};

/** At least this share of a text's words must come from one tool's or assistant's utterance and not from any person's. */
const TOLD = 0.6;

/**
 * Whose words a text is made of is asked of the whole digest: a true quote beside it changes nothing. An assistant's words that a person
 * confirmed are that person's, unless a tool told them to the assistant.
 */
export const instructionFromTool: Rule = (operation, { world, evidence, cites }) => {
  const own = new Set([
    ...evidence.entries.terms,
    ...cites.filter(isPersons).flatMap(({ quote }) => [...termsOf(quote)]),
  ]);
  const confirmed = new Set(cites.map(({ label }) => label));
  for (const text of wordsOf(operation)) {
    const strange = Array.from(termsOf(text)).filter((term) => !world.voices.user.has(term) && !own.has(term));
    if (strange.length < 2) continue;
    const teller = world.voices.others.find(({ utterance, terms }) => {
      const told = strange.filter((term) => terms.has(term)).length;
      return told >= 2 && told / strange.length >= TOLD && !confirmed.has(utterance.label);
    });
    if (teller) {
      const { label, speaker } = teller.utterance;
      return violation("instruction-from-tool", `only ${label} (${speaker}) says so; a memory needs a person's words`);
    }
  }
  return null;
};
