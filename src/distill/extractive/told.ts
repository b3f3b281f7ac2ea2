/** English procedures told without numbers: short sentences, a list behind a colon, "begin with ...; next ...; finish with ...". */
import { maskClosed, type Piece } from "./sentence.ts";

/** Below three steps it is an instruction, not a procedure. */
const STEPS = 3;

/** Says that an order of doing things follows, and that it is meant for every time. */
const TELLS =
  /^how (?:an?|the|our|we|you) [\w -]{3,40}?(?:, listen(?: once)?| please)?:|\bwhen(?:ever)? (?:I|we) (?:say|type|write|ask (?:you )?(?:for|to)|tell you|call for)\b|\b(?:here'?s|here is|this is|that'?s|that is) (?:how|the way) (?:we|you|it|I|to|one|an?|the)\b|\b(?:the|our|my|this|that|a) (?:[\w'-]+ ){0,3}(?:drill|procedure|process|routine|ritual|recipe|checklist|runbook|playbook|order of things|sequence|workflow|protocol|dance|steps)\b|\b(?:teach|walk|talk|take|run) you (?:through |how |the |our |my |this )|\bteaching time\b|\b(?:let me|I'?ll|I will) (?:spell out|lay out|write down|describe|explain|go over) (?:how|the|what)\b|["“'][^"”'\n]{2,40}["”'] means\b|\balways (?:starts?|begins?) with\b|\b(?:goes|works|is done|gets done|happens|do (?:it|this|that)|are done) (?:exactly |always )?(?:like (?:this|so)|this way|as follows|so)\b|\b(?:in|always in|follow) (?:exactly )?(?:this|that|the same) (?:exact |very )?order\b|\bthese steps\b|\bstep by step\b|\b(?:the|our|my) (?:[\w-]+ ){0,2}order(?: is\b| for\b|:)|\bhow (?:we|to) \w+(?: \w+){0,4}\s*:|\b(?:for|on) (?:a|an|each|every|any) (?:new )?[\w -]{2,30}: |^(?:\w+ ){0,3}?to \w+ (?:a|an|the|our|new|any)\b[^.:]{0,40}: |\b(?:takes|is|are|in) (?:three|four|five|six|seven|eight|nine|ten|\d) steps\b/i;
/** The same, told after the steps. */
const TOLD =
  /^(?:(?:always |exactly |please )*in (?:that|this|exactly that) (?:exact )?order|(?:that|this)(?:'s| is) (?:how|the way|the drill|the routine|the procedure|the process|our|the whole)|(?:same )?every time, in (?:that|this) order)\b/i;
/** Meant for once, whatever else it says. */
const ONCE =
  /\b(?:today|tonight|this time|this once|just now|for now|right now|this (?:pr|branch|ticket|commit|file|bug|one))\b|\?\s*$/i;

/** "The steps are broken: name, address, payment" */
const PAST = /\b(?:are|were|was|had|broken|wrong|missing|fail\w*|slow|bugs?)\b/i;

const LEAD =
  /^(?:(?:and|then|next|after (?:that|this)|afterwards|finally|lastly|last|first|firstly|second|third|now|only then|once (?:that|this)[^,]{0,30},|when (?:that|this|it)[^,]{0,30},|(?:\d{1,2}[.)]|\(\d\)|-|→|->)|(?:you|we|I)(?: then| always| just)?|please|just|begin (?:with|by)|start (?:with|by|off with)|finish (?:with|by)|end (?:with|by))[,:]?\s+)+/i;
const VERB =
  /^(?:[a-z]+(?:ing)\b|(?:accept|add|announce|append|approve|archive|ask|assign|attach|back up|bake|begin|book|branch|build|bump|call|check|clean|clear|click|clone|close|collect|commit|compare|compile|confirm|copy|count|create|cut|delete|deploy|diff|disable|do|download|drain|drop|dump|edit|empty|enable|encrypt|export|extract|fetch|file|fill|finish|fix|flash|flip|flush|freeze|generate|get|give|go|grab|hand|import|inform|insert|install|invite|label|let|link|list|load|lock|log|look|mail|make|mark|measure|merge|migrate|mount|move|note|notify|open|page|pack|paste|pause|pick|pin|ping|plug|point|post|power|prepare|print|promote|publish|pull|purge|push|put|read|rebase|reboot|rebuild|record|refresh|register|release|reload|remove|rename|replace|request|rerun|reset|restart|restore|resume|review|revoke|roll|rotate|run|save|scale|scan|send|set|share|ship|show|shut|sign|smoke|snapshot|sort|spin|split|squash|start|stash|stop|submit|swap|switch|sync|tag|take|tell|test|thaw|toggle|train|turn|unfreeze|unlock|unpack|unplug|update|upload|validate|verify|wait|warm|watch|wipe|write|zip)\b)/i;
const OTHER =
  /^(?:also|another|one more|btw|by the way|plus|never|don'?t|do not|always|if|unless|because|otherwise|no |that|this|it|they|he|she|thanks?|thank you|ok|okay|cool|great|got it|sorry|we|i|there|what|why|how|who|where)\b/i;
const FINITE = /\b(?:is|are|was|were|has|have|had|must|should|will|would|can|could|isn'?t|aren'?t|don'?t|doesn'?t)\b/i;
/** The last step hangs on somebody or something: "Only publish once Ada has said yes." */
const GATE =
  /^(?:the |a |an )?\w+(?: \w+)? (?:is|are|comes?|goes) (?:last|at the (?:very )?end)\b|^(?:and )?only (?:then|after|once|when|if)\b|^(?:and )?only [\w`'./# -]{2,60}? (?:once|after|when|if) \w|^(?:(?:mr|mrs|ms|dr|prof)\.? )?[A-Za-z]+(?: [A-Z]\w+)? (?:from [\w ]{2,20} )?(?:has to|must|needs to|should) (?:confirm|approve|sign off|agree|okay|give (?:the|her|his|their) \w+|say (?:yes|so|ok)|release|check|unlock)\b[^.;]{0,40}\b(?:before|first|until|at the end|last)\b/i;
const STEP_WORDS = 9;

const plain = (text: string) => text.replace(LEAD, "");
const isVerbal = (text: string) => VERB.test(plain(text));

function isStep({ text }: Piece): boolean {
  if (/\?["')]*\s*$/.test(text)) return false;
  if (GATE.test(text)) return true;
  const bare = plain(text);
  if (OTHER.test(bare)) return false;
  if (VERB.test(bare)) return true;
  return bare.split(/\s+/).length <= STEP_WORDS && !FINITE.test(bare);
}

/** What stands between commas, semicolons and words of order. */
function unitsOf(text: string): string[] {
  const mask = maskClosed(text);
  const units: string[] = [];
  let from = 0;
  for (const cut of mask.matchAll(
    /[,;.]\s+|\s(?:->|→|>|–|—)\s|\s(?=(?:and )?(?:then|after that|finally|afterwards)\b)/g,
  )) {
    units.push(text.slice(from, cut.index));
    from = cut.index + cut[0].length;
  }
  return [...units, text.slice(from)].map((unit) => unit.trim()).filter((unit) => /\w/.test(unit));
}

/** Steps that the announcing sentence tells by itself. */
function ownSteps(text: string): number {
  const colon = /[:：]\s/.exec(maskClosed(text));
  if (colon === null) return unitsOf(text).slice(1).filter(isVerbal).length;
  const head = text.slice(0, colon.index + 1);
  const units = unitsOf(text.slice(colon.index + 1));
  const isNamed = TELLS.test(head) && !PAST.test(head);
  return units.filter(isVerbal).length * 2 >= units.length || isNamed ? units.length : 0;
}

const stepsIn = (piece: Piece) => (isStep(piece) ? Math.max(1, unitsOf(piece.text).filter(isVerbal).length) : 0);

function after(pieces: readonly Piece[], from: number): Piece[] | null {
  const head = pieces[from];
  if (head === undefined || ONCE.test(head.text) || !TELLS.test(head.text)) return null;
  let to = from + 1;
  let steps = ownSteps(head.text);
  for (let piece = pieces[to]; piece !== undefined && isStep(piece); piece = pieces[to]) {
    steps += stepsIn(piece);
    to += 1;
  }
  const end = pieces[to];
  if (end !== undefined && TOLD.test(end.text)) to += 1;
  return steps >= STEPS ? pieces.slice(from, to) : null;
}

function before(pieces: readonly Piece[], end: number): Piece[] | null {
  const tail = pieces[end];
  if (tail === undefined || ONCE.test(tail.text) || !TOLD.test(tail.text)) return null;
  let from = end;
  let steps = 0;
  for (let piece = pieces[from - 1]; piece !== undefined && isStep(piece); piece = pieces[from - 1]) {
    steps += stepsIn(piece);
    from -= 1;
  }
  return steps >= STEPS ? pieces.slice(from, end + 1) : null;
}

/** The sentences of a procedure, the announcement among them; null when none is told. */
export function toldProcedure(pieces: readonly Piece[]): Piece[] | null {
  const plainPieces = pieces.filter((piece) => !piece.numbered);
  for (let i = 0; i < plainPieces.length; i += 1) {
    const found = after(plainPieces, i) ?? before(plainPieces, i);
    if (found !== null) return found;
  }
  return null;
}

/** Steps that stand right behind a procedure, its gate above all. */
export function goneOn(pieces: readonly Piece[], found: readonly Piece[]): Piece[] {
  const last = found.at(-1);
  const next = last === undefined ? undefined : pieces[pieces.indexOf(last) + 1];
  return next !== undefined && GATE.test(next.text) ? [...found, next] : [...found];
}
