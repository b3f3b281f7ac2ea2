/** A sentence as it is weighed, and what kind of thing it states. */
import type { DigestUtterance } from "../../digest/digest.ts";
import { simplified } from "../../memory/language/han.ts";
import type { MemoryType } from "../../memory/model.ts";
import type { Kind } from "./fact.ts";
import type { Cue, Language } from "./rule.ts";
import type { Piece } from "./sentence.ts";
import { languagesOf, type Weighing, weigh, weightOf, withoutLead } from "./weigh.ts";

export interface Sentence {
  readonly piece: Piece;
  /** The piece's words in simplified characters, which the tables are written in; of the same length. */
  readonly said: string;
  /** As `said`, without its lead-in. */
  readonly bare: string;
  readonly languages: readonly Language[];
  readonly weighing: Weighing;
  /** A date phrase in it was resolved. */
  readonly dated: boolean;
}

const NEAR = /^(?:today|tonight|tomorrow|this (?:morning|afternoon|evening)|今[天晚日]|明[天早晚日]|后天|後天)/i;

/** A day that lies ahead, further off than tomorrow. */
function isAhead({ date, phrase }: DigestUtterance["dates"][number], at: number | null): boolean {
  return at !== null && !NEAR.test(phrase) && date > new Date(at).toISOString().slice(0, 10);
}

export function read(piece: Piece, utterance: DigestUtterance): Sentence {
  const dates = utterance.dates.filter((d) => d.index >= piece.start && d.index < piece.end);
  const dated = dates.length > 0;
  const ahead = dates.some((date) => isAhead(date, utterance.at));
  const said = simplified(piece.text);
  return {
    piece,
    said,
    bare: withoutLead(said),
    languages: languagesOf(piece.text),
    weighing: weigh(piece.text, dated, ahead),
    dated,
  };
}

export const any = (sentence: Sentence, test: (language: Language) => boolean): boolean =>
  sentence.languages.some(test);

/** The weight of a cue; 0 when the sentence does not show it. */
export const cue = (sentence: Sentence, name: Cue): number => sentence.weighing.cues[name] ?? 0;

/** "Our ..." and "the ..." speak of the project; what an instruction adds to it is its consequence. */
const DESCRIBES =
  /^[A-Z]\w+(?: \w+){0,2}? \w+s (?:itself|themselves|every|each|only|at|on|in|to)\b|^(?:our|the|these|this|all our) [^,;]{1,80}?\b(?:is|are|has|have|starts?|ends?|means?|runs?|uses?)\b/i;

/** A sentence that starts with what to do, or with when to do it. */
const IMPERATIVE =
  /^(?:only |just |first )?(?:add|answer|append|ask|attach|avoid|back up|batch|build|call|check|choose|cite|commit|copy|document|drop|end|ensure|escape|export|follow|format|give|group|include|keep|label|leave|limit|link|log|look|mark|mention|merge|name|notify|open|paste|pick|ping|pin|place|prefer|prefix|put|quote|read|rebase|reply|report|respect|round|run|send|set|show|sign|skip|sort|spell|split|squash|start|stick|stop|store|tag|talk|tell|test|treat|use|validate|verify|wait|wrap|write)\b|^(?:if|when|whenever|unless|after|before|once) [^.;]{3,80}?,? (?:please |just |you (?:just )?)*(?:add|ask|call|check|don'?t|give|keep|leave|never|page|paste|ping|put|run|show|skip|stop|tell|use|wait|write)\b/i;

/** "In this repo yarn is the package manager, not npm" tells which to use; "25 MB, not 40 MB" corrects a fact. */
const CONTRAST = /\b(?:in|for) (?:this|our) \w+\b[^;]{0,80}[,;] ?(?:not|never) [A-Za-z`]/i;

/** A limit of a thing, not of what the agent writes: 单个包体不大于 20 MB. */
const MEASURE =
  /^(?![^，。；]*(?:你|代码|函数|变量|注释|提交|PR|MR|合并|分支|测试|用例|回答|回复|文档|命名|标题|行))[^，。；]{2,18}?(?:最多|最少|至少|不(?:能|得|要|可)?(?:超过|[小大少多低高]于)|保留|上限|下限|统一)[^，。；]{0,6}?[\d一二三四五六七八九十百千两]/;

/** 勿用 X，统一改用 Y: told to the agent, though the words are those of a change. */
const FORBIDS = /^(?:请)?(?:勿|不要|别|禁止|严禁|不得|不许|切勿)(?![^，。；]{0,14}了)/;

/** "Docs switch to American spelling, the US team complained": who is named after a decision is its ground. */
function isDecidedFirst(s: Sentence): boolean {
  const at = s.bare.search(/[,，;；]/);
  if (cue(s, "decision") < 3 || at < 0) return false;
  const head = s.bare.slice(0, at);
  return weightOf(head, "decision") >= 3 && weightOf(head, "owner") < 3;
}

/** In this order: what a thing is outweighs what to do about it, a person outweighs a thing. */
const KINDS: readonly (readonly [Kind, (s: Sentence) => boolean])[] = [
  ["person", (s) => cue(s, "profile") >= 3 || cue(s, "talk") >= 3],
  ["instruction", (s) => cue(s, "confirm") >= 3 || (cue(s, "tongue") > 0 && cue(s, "rule") + cue(s, "norm") > 0)],
  [
    "pointer",
    (s) =>
      cue(s, "pointer") >= 3 &&
      (cue(s, "rule") < 3 || /https?:|(?:存放?|放|记录?|登记|归档|提交|提)[于在到至]|统一[看查去提报]/.test(s.said)),
  ],
  ["owner", (s) => cue(s, "owner") >= 3 && !isDecidedFirst(s)],
  ["instruction", (s) => FORBIDS.test(s.bare)],
  ["decision", (s) => cue(s, "decision") >= 2],
  ["date", (s) => cue(s, "date") >= 2 || (cue(s, "dated") > 0 && cue(s, "rule") < 3)],
  ["fact", (s) => cue(s, "fact") >= 2 && cue(s, "because") > 0 && cue(s, "rule") < 3 && cue(s, "norm") === 0],
  ["fact", (s) => MEASURE.test(s.bare)],
  ["fact", (s) => cue(s, "generic") > 0 && cue(s, "rule") + cue(s, "norm") + cue(s, "order") < 2],
  ["instruction", (s) => CONTRAST.test(s.bare)],
  ["instruction", (s) => cue(s, "fact") === 0 && IMPERATIVE.test(s.bare)],
  ["fact", (s) => cue(s, "rule") + cue(s, "norm") < 2 && cue(s, "order") < 1 && DESCRIBES.test(s.bare)],
  ["instruction", (s) => cue(s, "rule") > 0 || cue(s, "norm") > 0 || cue(s, "order") >= 2],
  ["instruction", (s) => cue(s, "order") > 0 && cue(s, "fact") === 0],
  ["fact", (s) => cue(s, "fact") > 0 || cue(s, "states") > 0 || cue(s, "label") > 0],
  ["instruction", (s) => cue(s, "scope") > 0 || cue(s, "ask") > 0],
];

export const TYPES: Readonly<Record<Kind, MemoryType>> = {
  person: "user",
  pointer: "reference",
  owner: "project",
  decision: "project",
  date: "project",
  instruction: "feedback",
  fact: "project",
  procedure: "project",
};

export function kindOf(sentence: Sentence): Kind {
  return KINDS.find(([, is]) => is(sentence))?.[0] ?? "fact";
}
