/** What is no memory at all: junk, code, history, debugging, and what the project's own instructions say already. */
import { lengthOf } from "../../base/text.ts";
import { renderEntry } from "../entry.ts";
import { clausesOf, contentTerms } from "../language/clauses.ts";
import { detailsOf } from "../language/details.ts";
import { coverage, fold, termsOf } from "../language/words.ts";
import { BUDGET } from "../model.ts";
import type { Operation } from "../operation.ts";
import { evidenceOf } from "./evidence.ts";
import { reversal } from "./polarity.ts";
import { claimsOf, type Rule, statementOf, violation } from "./rule.ts";

const SCORES =
  /\b(?:score|confidence|recalls?|avg|relevance|similarity|weight)\s*[=:]\s*\d|\bstatus\s*[:=]\s*(?:staged|pending|draft)|^\W*candidate\s*:|\bevidence\s*:\s*\w+:\d/i;
const ROLE = /^\s*(?:user|assistant|system|human|tool|ai)\s*[:：>]/i;
const CUT =
  /(?:[,，、:：(（]|…|\.{3}|\b(?:and|or|but|the|a|an|of|to|for|with|because|that|which|if|in|on|by|is|are))\s*$|[的和与或把被给对在是因为]\s*$/i;
const FRAGMENT_START = /^\s*(?:and|but|or|because|which|whereas)\b(?!-\w)/i;
const QUESTION =
  /[?？]\s*$|^\s*(?:can|could|would|will|do|does|did|is|are|should(?! you (?:ever|want|need|wish|have|be|find|see|run|require|wonder|come)\b)|shall) (?:you|i|we|it|the|this|that|there)\b|^\s*(?:what|why|how|where|who|when) (?:is|are|was|were|do|does|did|can|could|would|should|will)\b|^\s*(?:请问|能不能|可不可以|为什么|怎么)|[吗呢]\s*[。.!]?$/i;
const COMMAND =
  /^\s*(?:[$>%#]\s|sudo\s|(?:rm|cd|ls|cat|git|npm|pnpm|yarn|npx|make(?! sure\b)|docker|kubectl|apt|brew|pip|curl|wget|chmod|mkdir|cp|mv|ssh|grep|sed|node|python3?|cargo|go(?! (?:with|through|to|via|for|over|back|on|by|straight|easy)\b))\s+[\w./-]+(?:\s+[\w./:@=<>-]+)*\s*(?:&&|\|\||;|\||$))/i;

/** A statement needs something to be about: two content words, or one and an exact detail. */
function tooThin(text: string): boolean {
  if (!/\p{L}{2}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)) return true;
  const terms = contentTerms(text);
  const asserted = clausesOf(text).flatMap((clause) => clause.terms);
  if (terms.length === 0) return detailsOf(text).length === 0 && asserted.length < 2;
  return lengthOf(text) < 6 && !terms.some(({ cjk }) => cjk) && detailsOf(text).length === 0;
}

/** A command with nothing around it: what it is for is not said. */
function isCommand(text: string): boolean {
  const bare = text.trim().replace(/^`|`[.。]?$/g, "");
  return COMMAND.test(bare) || (/^`[^`]*`[.。]?$/.test(text.trim()) && /\s/.test(bare));
}

export const junk: Rule = (operation) => {
  const text = statementOf(operation);
  if (text === null) return null;
  if (SCORES.test(text) || ROLE.test(text)) return violation("junk", "raw records and scores are no memory");
  if (isCommand(text)) return violation("junk", "a bare command is no memory: say when to run it");
  if (QUESTION.test(text)) return violation("junk", "a question is no fact");
  if (CUT.test(text) || FRAGMENT_START.test(text)) return violation("junk", "the sentence is not whole");
  return tooThin(text) ? violation("junk", "the text says too little by itself") : null;
};

const CODE =
  /```|\bfunction\s+\w+\s*\(|=>\s*[{(]|\b(?:const|let|var)\s+\w+\s*=|\bimport\s+.+\bfrom\s+["']|^\s*(?:def|class)\s+\w+\s*[(:]|[;{}]\s*$|\breturn\s+\w+\s*;|<\/\w+>|\w+\s*===?\s*["'\w]/;
const PLACE = /(?:^|[\s(`])[\w./-]+\.[a-z]{1,4}:\d+|\b(?:on |at )?lines? \d+\b|第\s?\d+\s?行/i;
const SHA = /(?<![\w-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])(?:[0-9a-f]{7,12}|[0-9a-f]{40})(?![\w-])/;
const HISTORY =
  /\b(?:commit(?:ted)? (?:was|is|hash|sha|by|on \d)|last commit|git (?:log|history|blame) (?:shows?|says)|(?:pr|pull request|mr) #?\d+ (?:was )?(?:merged|closed|opened)|merged? (?:pr|branch) [#\w/-]+ (?:in)?to|was (?:added|removed|renamed|refactored) in commit)\b/i;
const STRUCTURE =
  /\b(?:is|are|was|were) (?:defined|implemented|declared|exported|imported|located) (?:in|from|at) [`\w./-]+\.(?:ts|js|tsx|jsx|py|go|rs|java|rb|c|cpp|h)\b|\b(?:function|class|method|component) `?\w+`? (?:takes|returns|accepts|calls|lives in|is in)\b|(?:定义|实现|声明)在\s?[`\w./-]+\.(?:ts|js|py|go|rs|java)/i;

export const codeOrGit: Rule = (operation) => {
  const found = claimsOf(operation).find((text) =>
    [CODE, PLACE, SHA, HISTORY, STRUCTURE].some((form) => form.test(text)),
  );
  return found === undefined ? null : violation("code-or-git", "the code and its history tell this by themselves");
};

const DEBUGGING =
  /^(?:fixed|resolved|worked around|debugged|patched|reproduced|found) (?:the|a|an|it|this|by)\b|\b(?:fixed|resolved|solved) (?:it |this )?by (?:adding|removing|changing|setting|restarting|upgrading|running|clearing|reinstalling)\b|\bthe (?:bug|error|crash|issue|failure|problem) (?:was|is) (?:in|at|caused|due|because|that)\b|\b(?:Type|Reference|Syntax|Range|Key|Value|Index|Attribute|Import)Error\b|\bNullPointerException\b|\b(?:ECONNREFUSED|ENOENT|EADDRINUSE|EACCES|ETIMEDOUT)\b|\bTraceback \(most|\bat \S+ \(?\S+:\d+:\d+|\bexit(?:ed)?(?: with)? (?:code|status) \d|\b(?:tried|trying) .+ (?:but|and then|did not|didn't)\b|(?:已经?)?修复了|报错(?:是|(?:信息|内容)(?:是|[：:]))|(?:bug|错误|问题)(?:出)?在(?!于)|重启.{0,4}好了/i;

export const debuggingStep: Rule = (operation) => {
  const text = statementOf(operation);
  return text !== null && DEBUGGING.test(text)
    ? violation("debugging-step", "how a bug was found or fixed is not kept")
    : null;
};

/** A line of CLAUDE.md or AGENTS.md that holds this share of a statement's words, and all its details, says it already. */
const SAID_ALREADY = 0.85;

export const knownFromContext: Rule = (operation, { world }) => {
  const text = statementOf(operation);
  if (text === null || operation.op !== "add") return null;
  const terms = termsOf(text);
  if (terms.size < 2) return null;
  const details = detailsOf(text).filter(({ kind }) => kind !== "name");
  for (const { file, line, terms: known } of world.known) {
    if (coverage(terms, known) < SAID_ALREADY || !details.every(({ key }) => fold(line).includes(key))) continue;
    const said = { id: "", raw: line, start: 0, end: 0, statement: line, why: null, how: null };
    const entry = { ...said, created: null, updated: null, pinned: false, unconfirmed: false, ours: false };
    if (reversal(text, evidenceOf([], [entry]), false) === null)
      return violation("known-from-context", `${file} says so already`);
  }
  return null;
};

/** The block as it will be written, with dates: that is what an agent reads, and where it stops reading. */
function renderedLength(
  operation: Operation & { readonly text: string; why?: string | undefined; how?: string | undefined },
): number {
  const date = "2026-01-01";
  const { text: statement, why, how } = operation;
  return lengthOf(renderEntry({ statement, why, how, created: date, updated: date }));
}

export const entryTooLong: Rule = (operation) => {
  if (operation.op === "ask") {
    return lengthOf(operation.text) > BUDGET.entryChars
      ? violation("entry-too-long", `at most ${BUDGET.entryChars} characters`)
      : null;
  }
  if (operation.op !== "add" && operation.op !== "revise" && operation.op !== "merge") return null;
  const max = operation.why || operation.how ? BUDGET.entryCharsWithWhy : BUDGET.entryChars;
  const length = renderedLength(operation);
  return length > max
    ? violation("entry-too-long", `the entry has ${length} characters with its dates, at most ${max} fit`)
    : null;
};

const STEPS =
  /第[一二三四五六七八九十\d]+步|(?:^|[\s;；])\(?\d[.)、]|\bstep \d|[；：，]\s?[一二三四五六][、是]|①|\b(?:first|then|next|finally|afterwards)\b|然后|接着|最后|→|->/i;
/** Lenient: a rule with its exception is one fact; a procedure is one, however many steps it has. */
const MAX_SENTENCES = 3;

export const severalFacts: Rule = (operation) => {
  const text = statementOf(operation);
  if (text === null || STEPS.test(text)) return null;
  const sentences = text.split(/[。！!；;]|\.(?=\s)/).filter((part) => contentTerms(part).length > 0);
  return sentences.length > MAX_SENTENCES ? violation("several-facts", "one fact per entry: split it") : null;
};
