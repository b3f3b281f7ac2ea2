/** What words of taking back aim at, and which of them take nothing back: rules about cancelling, others' words. */
import { cue, type Sentence } from "./kind.ts";
import { weigh } from "./weigh.ts";

/** "That rule, let's drop it for good." */
const DROPS_IT =
  /^leave out\b|\bback on\b|\bgiv(?:e|ing) up on\b|\b(?:drop|forget|scrap|skip|ditch)\b[^.]*\b(?:it|that|about)\b/i;

/** Said of a thing, not of a wish: what comes next holds instead. */
export const REVERSED =
  /(?:'s| is| are) (?:\w+ )?(?:off|out|dead|gone|history|cancell?ed)\b|\bwas (?:a|the) \w+|\b(?:back|up) on\b|[\u3400-\u9fff]|^(?:scratch|scrap|kill) (?:that|this|it)\b/i;

/** Why it was taken back, and no more: WebP 那条作废，旧版安卓打不开. */
export const FAULT =
  /^(?![^。；]*(?:改|换|用|统一|以后))[^。；]*(?:[打开跑装播连]不[了开上起动]|不支持|不兼容)[了的]?[。！]?$|^(?:the )?[\w ]{2,40} (?:took|takes|has taken|does|handles?|covers?) (?:that|it|this|those|them)(?: over)?(?: now)?[.!]?$/i;

/** What is taken back; "Derek 转组了，PR 不用再加他": the name stands in the clause before. */
export function targetOf(match: RegExpExecArray, bare: string): string {
  const target = `${match[1] ?? ""}${match[2] ?? ""}`;
  if (!/[他她它]$/.test(target)) return target;
  const before = bare.slice(0, match.index);
  const name = /[A-Z][\w.-]+/.exec(before)?.[0] ?? /^[一-龥]{2,3}(?=[转离走调换退休])/.exec(before)?.[0] ?? "";
  return `${target.slice(0, -1)} ${name}`;
}

/** "Every change must be easy to cancel" is a rule about cancelling; what follows the words of taking back may be one. */
export function isWish({ bare }: Sentence, found: readonly RegExpExecArray[], end: number): boolean {
  const isEarlier = /^(?:之前|以前|先前|原来|当初|上次)/.test(bare) || found.some((match) => DROPS_IT.test(match[0]));
  if (isEarlier) return false;
  const { cues } = weigh(bare.slice(0, end), false);
  return (
    (cues.rule ?? 0) >= 2 ||
    ((cues.norm ?? 0) >= 2 &&
      !/^不再?[用走上要]|\b(?:don'?t|doesn'?t|no longer) (?:need|want|use)/.test(bare.slice(0, end)))
  );
}

/** Said by others, asked, or for once: nothing is taken back. */
export const isOthers = (sentence: Sentence) =>
  cue(sentence, "report") <= -4 ||
  cue(sentence, "doubt") <= -4 ||
  cue(sentence, "profile") >= 3 ||
  cue(sentence, "task") <= -5 ||
  // "I'm away before the scones are gone."
  (cue(sentence, "transient") <= -4 && !/[\u3400-\u9fff]/.test(sentence.said));
