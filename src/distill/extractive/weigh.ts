/** Weighs a sentence: which cues it shows and whether they suffice to keep it. */
import { datesIn } from "../../memory/language/dates.ts";
import { detailsOf } from "../../memory/language/details.ts";
import { simplified } from "../../memory/language/han.ts";
import { CHINESE } from "./chinese.ts";
import { ENGLISH } from "./english.ts";
import type { Cue, Language, Rule } from "./rule.ts";

export interface Weighing {
  readonly score: number;
  /** The strongest weight of each cue that was found. */
  readonly cues: Readonly<Partial<Record<Cue, number>>>;
}

/** What a sentence must weigh to be kept: one sufficient cue, or two that suggest. */
export const ENOUGH = 2;

const CJK = /[\u3400-\u9fff]/;

/** The tables to read a text by; mixed sentences are read by both. */
export function languagesOf(text: string): readonly Language[] {
  if (!CJK.test(text)) return [ENGLISH];
  return (text.match(/[A-Za-z]{2,}/g)?.length ?? 0) >= 2 ? [CHINESE, ENGLISH] : [CHINESE];
}

/** Words in quotation marks are somebody's, not the speaker's: a long quotation shows no cues. */
const QUOTATION = /"[^"\n]{15,200}"|(?<=^|\s)'[^'\n]{15,200}'(?=[\s,.;:!?]|$)|“[^”\n]{12,200}”|「[^」\n]{12,200}」/g;

/** The text with long quotations blanked out; of the same length. */
export const unquoted = (text: string): string => text.replace(QUOTATION, (said) => `"${" ".repeat(said.length - 2)}"`);

/** "Remember: 支付服务由张伟负责": a cue in English before a Chinese statement; without a mark it may be a name. */
const CUE_BEFORE = /^[A-Za-z][A-Za-z .'’]{1,30}[,:!，：！—–-]\s*(?=[^A-Za-z]*[\u3400-\u9fff])/;

function cueLength(text: string): number {
  const cue = CUE_BEFORE.exec(text)?.[0] ?? "";
  const plain = cue.replace(/[，：！]/g, ":");
  return cue !== "" && ENGLISH.lead.exec(plain)?.[0].length === cue.length ? cue.length : 0;
}

/** Takes lead-ins off ("Also, please ..."), repeatedly. */
export function withoutLead(text: string): string {
  const languages = languagesOf(text);
  const words = text.trim();
  let rest = simplified(words);
  for (let i = 0; i < 6; i += 1) {
    const lead = languages.map((language) => language.lead.exec(rest)?.[0].length ?? 0);
    const length = Math.max(...lead, cueLength(rest));
    if (length === 0 || length >= rest.length) break;
    rest = rest.slice(length);
  }
  return words.slice(words.length - rest.length);
}

/** A failure under a condition is what a rule is about, not a report: "if the smoke test fails, stop". */
const CONDITION = /\b(?:if|when|whenever|once|unless|in case)\b(?! I\b)[^,;]{1,60}/gi;

/** A rule as it is tried: the strongest of a cue first, so that weaker ones need no try. */
interface Tried extends Rule {
  readonly anchored: boolean;
}

const TRIED = new Map<Language, readonly Tried[]>();

function triedOf(language: Language): readonly Tried[] {
  const known = TRIED.get(language);
  if (known !== undefined) return known;
  const tried = language.rules
    .map((rule) => ({ ...rule, anchored: rule.test.source.startsWith("^") }))
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  TRIED.set(language, tried);
  return tried;
}

type Cues = Partial<Record<Cue, number>>;

/** @param only the one cue that is asked for; null: all */
function cuesOf(said: string, hasDate: boolean, only: Cue | null): Cues {
  const bare = withoutLead(said);
  const languages = languagesOf(said);
  const calm = said.replace(CONDITION, "");
  const cues: Cues = hasDate ? { dated: 0.5 } : {};
  for (const language of languages) {
    // Start-anchored English patterns expect an English sentence.
    const isGuest = languages.length > 1 && language === ENGLISH;
    for (const { cue, weight, test, anchored } of triedOf(language)) {
      if ((only !== null && cue !== only) || (cue === "date" && !hasDate) || (isGuest && anchored)) continue;
      if (Math.abs(weight) <= Math.abs(cues[cue] ?? 0)) continue;
      if (test.test(cue === "bug" || (cue === "transient" && !anchored) ? calm : anchored ? bare : said))
        cues[cue] = weight;
    }
  }
  return only === null ? settled(cues) : cues;
}

/** The weight of one cue in a text; 0 when it does not show. */
export const weightOf = (text: string, cue: Cue): number => cuesOf(ownWords(simplified(text)), false, cue)[cue] ?? 0;

/** What failed is the reason of a decision, not a report; "look it up first, always" is no single task. */
function settled(cues: Partial<Record<Cue, number>>): Partial<Record<Cue, number>> {
  const decided =
    (cues.decision ?? 0) >= 2 ||
    (cues.owner ?? 0) >= 3 ||
    (cues.date ?? 0) >= 2 ||
    (cues.ask ?? 0) >= 3 ||
    (cues.confirm ?? 0) >= 3 ||
    cues.praise !== undefined ||
    (cues.pointer ?? 0) >= 3 ||
    (cues.range ?? 0) >= 1.5 ||
    (cues.norm ?? 0) >= 2 ||
    (cues.order ?? 0) >= 2;
  const bug = decided || cues.bug === undefined ? {} : { bug: cues.bug };
  const meant = (cues.standing ?? 0) > 0 || (cues.confirm ?? 0) >= 4 || (cues.profile ?? 0) >= 3;
  const task = cues.task === undefined || meant ? {} : { task: cues.task };
  // "This time one PR was right": what is confirmed was done once and is meant for good.
  const transient = cues.transient === undefined || (cues.confirm ?? 0) >= 3 ? {} : { transient: cues.transient };
  // "Love how you kept it small" reproaches nobody.
  const complaint = cues.complaint === undefined || cues.praise !== undefined ? {} : { complaint: cues.complaint };
  const { bug: _bug, task: _task, transient: _transient, complaint: _complaint, ...rest } = cues;
  return { ...rest, ...bug, ...task, ...transient, ...complaint };
}

/** A plain statement counts when it is about something in particular: a number, a name, a path. */
function specifies(text: string): boolean {
  const bare = withoutLead(text);
  return detailsOf(bare).some((detail) => detail.kind !== "name" || detail.start > 0);
}

/** "Write the mail: we always ship on Fridays": what follows the colon is the task's matter. */
const MATTER = /^[^:：]{3,60}[:：]\s/;

const isTask = (text: string) =>
  languagesOf(text).some(({ rules }) =>
    rules.some(({ cue, weight, test }) => cue === "task" && weight <= -3 && test.test(withoutLead(text))),
  );

/** The words that show cues: quotations are somebody else's, and so is what a task is about. */
function ownWords(text: string): string {
  const said = text.replace(QUOTATION, '""');
  const head = MATTER.exec(said)?.[0];
  return head !== undefined && isTask(head) ? head : said;
}

/** "dont rerun it" */
const BARE_NOT = /\b(do|does|did|is|are|was|were|ca|wo|should|could|would|must|has|have)nt\b/gi;

const AGAINST: readonly Cue[] = ["question", "doubt", "transient", "task", "report", "complaint"];

/** What the speaker or the listener does on a day: a plan, not a milestone. */
const PLAN =
  /^(?:I|I'?(?:ll|m|d|ve)|let'?s|you|can|could|please|we'?ll (?:see|look|try|meet|talk)|my|your|what|why|how|run|do|add|make|write|send|prepare|book|order|schedule|create|draft|fix|check|test|move|set|plan|try|build|call|remind|update|change|rerun|show|tell|give|look|open|generate)\b|\bI(?:'?ll|'?m| will| am)\b|^[我你您咱]|^.{0,8}我(?:拿|去|要|得|会|给|跟|和|再)|[我你]们?(?:再|先|去|来|看|聊|谈)/i;

/** "Feature complete by Nov 3": a day ahead makes a milestone of a plain statement. */
function withMilestone(cues: Cues, said: string): void {
  const against = AGAINST.some((cue) => cues[cue] !== undefined) || cues.bug !== undefined || cues.spec !== undefined;
  if (!against && (cues.date ?? 0) < 1.5 && !PLAN.test(withoutLead(said))) cues.date = 1.5;
}

/**
 * @param text the sentence as it was said
 * @param dated true when the digest resolved a date phrase in it
 * @param ahead true when such a day lies further off than tomorrow
 */
export function weigh(text: string, dated: boolean, ahead = false): Weighing {
  const said = ownWords(simplified(text)).replace(BARE_NOT, "$1n't");
  const cues = cuesOf(said, dated || datesIn(text.toLowerCase()).length > 0, null);
  if (ahead) withMilestone(cues, said);
  const sum = () => Object.values(cues).reduce((all, weight) => all + weight, 0);
  const light = sum();
  if (
    cues.bug === undefined &&
    light >= 0.5 &&
    light < ENOUGH &&
    (cues.states || cues.label || cues.because || cues.range) &&
    specifies(said)
  )
    cues.specific = 1;
  return { score: sum(), cues };
}

/** True when the words themselves ask for memory; such a sentence survives one contrary sign. */
export function isAsked({ cues, score }: Weighing): boolean {
  return (cues.ask ?? 0) >= 3 && score >= 0 && (cues.question ?? 0) === 0;
}

/** True when something speaks against it: such a sentence is neither kept nor joined to another. */
export function isPassing(weighing: Weighing): boolean {
  const { cues, score } = weighing;
  // "Someone says ...: ignore him" speaks of nothing that holds, whatever it quotes.
  if (AGAINST.some((cue) => (cues[cue] ?? 0) <= -9)) return true;
  if (score < ENOUGH && AGAINST.some((cue) => (cues[cue] ?? 0) <= -2)) return true;
  if ((cues.question ?? 0) <= -4 && (cues.polite ?? 0) === 0) return true;
  return ["doubt", "transient", "report"].some((cue) => (cues[cue as Cue] ?? 0) <= -4) && !isAsked(weighing);
}

const FOR: readonly Cue[] = [
  "ask",
  "rule",
  "norm",
  "order",
  "scope",
  "decision",
  "owner",
  "pointer",
  "fact",
  "date",
  "profile",
  "talk",
  "confirm",
];

/** True when no single cue suffices: after another statement it explains rather than states. */
export function isLight({ cues }: Weighing): boolean {
  return FOR.every((cue) => (cues[cue] ?? 0) < ENOUGH);
}

/** True for what lasts whatever was asked before it; the requirements of a task ("the password must be ...") do not. */
export function outlivesTask({ cues }: Weighing, bare: string): boolean {
  const strong: readonly Cue[] = ["ask", "owner", "decision", "pointer", "profile", "talk", "confirm"];
  if (strong.some((cue) => (cues[cue] ?? 0) >= 3) || (cues.because ?? 0) > 0) return true;
  if ((cues.norm ?? 0) >= 2 && /\b(?:is (?:the )?max|or it goes|at most|minimum)\b/i.test(bare)) return true;
  return (
    (cues.rule ?? 0) >= 3 &&
    /^(?:never|always|don'?t|do not|no|use|avoid|keep|prefer)\b|^(?:永远|绝对|千万|一律|统一|每次|别|禁止|严禁)/i.test(
      bare,
    )
  );
}
