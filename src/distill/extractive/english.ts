/**
 * English wording. Weights: 3 suffices by itself and survives a weak contrary sign, 2 suffices, below 2 needs company.
 * All gaps are bounded, so that every pattern runs in linear time.
 */
import { CHANGE, OUTDATED } from "./english-change.ts";
import { GENERIC } from "./english-generic.ts";
import { PASSING } from "./english-passing.ts";
import { PLAIN } from "./english-plain.ts";
import { WITHDRAWN } from "./english-withdrawn.ts";
import { anyCase, LASTING_VERB, OCCASION, ROLE, SOMEWHERE, SYSTEMS, TONGUE } from "./english-words.ts";
import type { Language, Rule } from "./rule.ts";

const KEEP: readonly Rule[] = [
  {
    cue: "ask",
    weight: 3,
    test: /(?<!(?:don'?t|do you|can'?t|cannot|not|I|will) )\bremember\b(?! when\b)|\b(?:keep in mind|bear in mind|don'?t forget|make a note|take note|note (?:that|for|this|to self)|for the record|for (?:the )?future|for later|heads[- ]up|good to know|worth (?:knowing|remembering|noting)|write (?:this|that|it) down|(?:house|ground|golden) rules?|from now on|going forward|from here on|henceforth)\b|^(?:fyi|note|nb|reminder|rule)\b/i,
  },
  {
    cue: "rule",
    weight: 3,
    test: /\balways\b(?! (?:fails?|breaks?|crash|shows?|gives?|returns?|hangs?|been|thought|wanted|get|gets|happens?))|\bnever\b(?! (?:mind|works?|worked|ran|seen|saw|heard|tried|used|got|happened|been|finishes|ends))|\b(?:from now on|going forward|from here on|henceforth|every (?:single )?time|each time|whenever|under no circumstances|no exceptions|at all times|as a rule|rule of thumb|in general(?=[.,;!]|$)|by default|standing rule|without exception|for good|that'?s (?:the |our |a )?(?:policy|rule|law|convention)|(?:our|the|company|team) policy)\b/i,
  },
  {
    cue: "norm",
    weight: 2,
    test: /\bmust(?:n'?t)?\b(?! have been)|\b(?:is|are) (?:enough|sufficient|plenty|out of bounds|hands-off|a no-go|a must|taboo)\b|\bsuffices?\b|\bshould (?:not|never|always|only)\b|\bshouldn'?t\b|\b(?:is|are|'s|'re) (?:not allowed|forbidden|banned|off[- ]limits|mandatory|required|not permitted|not acceptable)\b|\b(?:nobody(?! (?:had|was|else|knew|saw|noticed|\w+ed)\b)|no one|we don'?t|we do not|we never|we avoid|I want|I expect|I insist|I'?d (?:really )?(?:appreciate|like|prefer) it if you|it(?:'d| would) (?:really )?help (?:me )?(?:a lot )?(?:if|when)|I don'?t want|would you mind (?:always|not))\b(?! (?:know|think|care|mean|you to (?:add|fix|write|look)|to (?:add|fix|see|know|try|write)))/i,
  },
  {
    cue: "rule",
    weight: 1.5,
    test: /\b(?<!\b(?:I|we) )needs? (?:a|an|to be|at least)\b|(?<!\bI )\bha(?:s|ve) to\b|\bshould (?:be|stay|go|live|use|have|come|start|end|follow)\b|\bgets? (?:a|an)\b|\bmay only\b|\bwon'?t (?:do|accept|merge)\b/i,
  },
  {
    cue: "order",
    weight: 2,
    test: /^(?:keep(?! (?:going|trying|it|looking|that)\b)|prefer|avoid|stick (?:to|with)|default to|treat|respect|favou?r)\b/i,
  },
  {
    cue: "order",
    weight: 2,
    test: /^(?:don'?t|do not|stop(?! (?:the|my|your|all|everything|here)\b)|no more|quit)\b(?! (?:worry|panic|bother|know|think|stop|hesitate|there|here|it|that|now)\b)/i,
  },
  {
    cue: "norm",
    weight: 2,
    test: new RegExp(
      `^(?:if|when|whenever|unless|until) [^,.;]{3,80}?,? (?:then |please |just |you (?:just )?)*(?:${LASTING_VERB}|stop|wait|page|print|give me|never|always|don'?t|do not|leave|skip|avoid|no) (?!it\\b|that\\b|this\\b)`,
      "i",
    ),
  },
  { cue: "rule", weight: 2, test: /^(?:if|when|whenever|unless) [^,.;]{3,80}?,? you (?:stop|wait|ask)\b/i },
  { cue: "order", weight: 1, test: new RegExp(`^(?:only )?${LASTING_VERB}\\b`, "i") },
  {
    cue: "order",
    weight: 1,
    test: new RegExp(
      `(?:[,;:] |\\bso |\\band |\\bplease |\\bthen )(?:always |just |only )?(?:don't |do not )?${LASTING_VERB}\\b`,
      "i",
    ),
  },
  {
    cue: "order",
    weight: 2,
    test: /(?:^|[,;:] )(?:so |please |just |then )*(?:no(?! (?:change|luck|effect|difference|idea|clue|problem|worries|rush|hurry|reaction|success|joy)\b)|don'?t|do not|keep|avoid|use|ask|prefer) [\w`'"-]{2,}/i,
  },
  {
    cue: "scope",
    weight: 2,
    test: /\b(?:in|for|across|within|throughout) (?:this|our|the whole|the entire) (?:\w+ )?(?:repo|repository|project|codebase|team|app|service|product|package|monorepo|workspace|company|org|newsletter|blog|book|docs|game|course|paper|report|site|firmware)\b|\baround here\b|\bwhen you \w+|\bif you (?:ever|need|want)\b/i,
  },
  {
    cue: "scope",
    weight: 2,
    test: /[,;(] ?(?:and )?(?:not|never|no(?! (?:change|luck|effect|difference|idea|clue|problem|worries|rush|hurry|reaction|success|joy)\b)) [\w`'"@./-]|\b(?:instead of|rather than|nothing else|as opposed to|and not(?! (?:today|now))|on purpose|by design|deliberately|intentionally)\b|\bnothing (?:in|on|under|from|goes)\b|^[\w.-]{2,20},? not [\w.-]{2,20}$|\b[\w-]*\d[\w%-]*,? not [\w-]*\d|\bnever\b(?! ?mind)|\bno [\w-]+ (?:imports?|mocks?|comments?|emojis?|abbreviations?|passwords?|secrets?)\b/i,
  },
  {
    cue: "scope",
    weight: 2,
    test: new RegExp(
      `\\b(?:before|after|in|on|for|with|per|at)? ?(?:every|each|any|no|all) (?:new |public |single |our |external )?${OCCASION}\\b`,
      "i",
    ),
  },
  { cue: "scope", weight: 2, test: /\bevery (?:other|second|third|fourth|\d+|mon|tues|wednes|thurs|fri|satur|sun)/i },
  { cue: "scope", weight: 1.5, test: /\bonly\b(?! (?:one|the file|file|a|an)\b)/i },
  {
    cue: "range",
    weight: 1.5,
    test: /\b(?:under|over|below|above|at least|at most|up to|within|max(?:imum)?|min(?:imum)?|no more than|less than|smaller than|larger than|bigger than|greater than|fewer than|more than|longer than|shorter than|between) (?:a |an )?(?:\d|one|two|three|four|five|six|seven|eight|nine|ten)/i,
  },
  { cue: "range", weight: 1, test: /\b(?:before|after|when|unless|without|until) (?:you|we|a|an|the|any|\w+ing)\b/i },
  {
    cue: "decision",
    weight: 3,
    test: /\b(?:let'?s (?:go with|stick with|stay with|settle on|standardi[sz]e)|we(?:'ll| will| are|'re) (?:go(?:ing)? with|stick|stay(?:ing)?|switch(?:ing)?|mov(?:e|ing) to|migrat(?:e|ing)|drop(?:ping)?|adopt(?:ing)?)|we(?:'ve| have)? (?:decided|agreed|chose|chosen|picked|settled|switched|migrated|dropped|adopted|standardi[sz]ed|ruled out|committed to)|decided|(?:the|final) decision|settled on|agreed (?:on|to|that)|going with|change of (?:plans?|mind|heart)|changed (?:my|our) minds?|new plan|plan changed|signed off|scrap|no longer|replaced by|it'?s official|(?:final|last) (?:call|word)|that'?s final|we(?:'ve| have)? (?:fixed|locked|pinned|nailed|cleared up) (?:this|that|it)\b|switch(?:es|ed)? (?:over |back )?to|becomes (?:\d|[A-Z])|(?:is|was|are|were) (?:far |way |a bit |just |simply )?too (?:low|high|strict|short|long|small|big|loose|tight|few|many|slow|heavy)\b[^.;]{0,30}[,;] (?:so )?(?:it'?s|make (?:it|that)|it is|use|we need|go with|should be|raise|lower|set)|once and for all|after all)\b|\b(?:moved|moves|postponed|delayed|pushed back|pushed|brought forward|extended|rescheduled|shifted|changed|slipped|slips|is now) (?:from|to|by|until|out|back)\b(?<!\bpushed to(?= (?:main|master|prod|origin|the|a|my|this|develop|staging|dev)\b))/i,
  },
  {
    cue: "decision",
    weight: 2,
    test: /\b(?:let'?s (?:use|keep|call)|we(?:'ll| will) (?:use|keep|ship|support|publish|host|store)|we(?:'re| are) (?:using|keeping|on))\b/i,
  },
  {
    cue: "decision",
    weight: 3,
    test: /^decision\b|\bdecision (?:on|about|for|is|was)\b|\bmoved (?:off|away from|over to)\b/i,
  },
  { cue: "decision", weight: 2, test: /\binstead\b(?! of)/i },
  {
    cue: "confirm",
    weight: 3,
    test: /\b(?:(?:was|is|were|are) (?:right(?! (?:there|here|after|before|now))|correct|spot on|the right (?:call|choice|move|approach|thing|way|decision|idea)|the way to|exactly (?:right|what I (?:want|wanted|need|like))|precisely (?:right|what|how)[^.]{0,20}|perfect(?=[,.;!]))|exactly what I (?:want|like|need)|keep (?:doing (?:it|that|this)|(?:it|that|this) up)|was (?:much |far |clearly )?better than|do (?:it|that|this|the same) (?:every|next time|(?:for|with|in) (?!(?:the (?!(?:next|other|rest|remaining|following)\b)|this|that|these|my)\b))|same (?:for|with|in) (?:all|every|future|other)|(?:do|keep) it (?:that|this) way|more of (?:that|this)|like that every time)\b/i,
  },
  {
    cue: "owner",
    weight: 3,
    test: new RegExp(
      `\\b(?:owned by|owns|responsible for|in charge of|maintain(?:s|ed by)|belongs? to|reports? to|sign[- ]?off|(?:has|have|needs?) to (?:approve|review|sign|okay)|approves|approved by|decides|has the (?:final|last) (?:say|word)|is run by|point person|go-to person|final say|(?:needs?|wants?|requires?) [A-Z]\\w+'s (?:okay|ok|approval|sign-?off|blessing|review|nod|consent)|wait(?:s|ing)? for [A-Z]\\w+'s|thumbs up)\\b|\\b(?:[Aa]sk|[Tt]alk to|[Gg]o through|[Cc]heck with|[Pp]ing|[Tt]ell|[Cc]onsult) [A-Z][a-z]+\\b|\\b(?:[Oo]ur|[Tt]he|[Mm]y) (?:[\\w-]+ ){0,2}${ROLE},? [A-Z][a-z]+\\b|\\b[A-Z][a-z]+(?: [A-Z][a-z]+)?,? (?:is|was) (?:our|the) (?:[\\w-]+ ){0,2}${ROLE}\\b|\\b[A-Z][a-z]+(?: [A-Z][a-z]+)? (?:from|in|of) (?:the )?[a-z]+ (?:decided|approved|wants|requires|insists|handles|owns|runs)\\b|\\b[A-Z][a-z]+ (?:handles|reviews|runs|looks after|takes care of) (?:the|our|all|every|any) `,
    ),
  },
  {
    cue: "owner",
    weight: 3,
    test: /^(?:[A-Za-z][\w-]* ){1,4}?(?:questions|issues|topics|matters|changes|requests|approvals|contact|owner|reviewer|problems): [A-Z][a-z]+/,
  },
  {
    cue: "owner",
    weight: 3,
    test: /\b[Oo]ur (?:[a-z-]+ ){1,3}[A-Z][a-z]+,? (?:\(|who |[a-z]+s )|\bthe (?:one|person|contact|people) to (?:ask|talk to|call|ping|consult)\b|\b(?:the|by) [A-Z][a-z]+ (?:team|group|squad|office|guild|folks|people)(?:'s)?\b[^.;]{0,20}(?:'s|owns?|maintains?|runs?|handles?|looks? after)?/,
  },
  {
    cue: "pointer",
    weight: 3,
    test: /https?:\/\/|#[a-z][\w-]+ (?:channel|for )|\bchannel #|\b(?:posted?|announced?|discuss(?:ed)?|go|goes) (?:in|on|to) (?:the )?#/i,
  },
  {
    cue: "pointer",
    weight: 3,
    test: new RegExp(
      `\\b(?:${anyCase(SYSTEMS)})\\b[^.;]{0,40}\\b(?:lives?|are|is|goes?|go|gets?|tracked|filed|kept|stored|found|posted|land|belong|sits?)\\b(?: \\w+)? (?:in|at|on|under|to) ${SOMEWHERE}|\\b(?:tracked|filed|documented|reported|logged) (?:in|at|on|under) ${SOMEWHERE}|\\b(?:[Ff]ile|[Rr]eport|[Tt]rack|[Oo]pen) (?:bugs|tickets|issues|incidents|requests) (?:in|at|on|under|with) ${SOMEWHERE}`,
    ),
  },
  {
    cue: "fact",
    weight: 2,
    test: /\b(?:is|are|was) (?:called|named|codenamed|known as|nicknamed|built|written|deployed|hosted|stored|generated|managed|published|signed|compiled|backed|served|provisioned|configured|encrypted|versioned|licensed|fixed|limited|capped|pinned|authored|manufactured|assembled|powered|rendered|shipped|tagged|mounted|calibrated|supplied) (?:with|by|in|on|at|from|via|using|to|as|under)?|\b(?:is|are) (?:called|named|codenamed)\b/i,
  },
  {
    cue: "fact",
    weight: 2,
    test: /(?<!\b(?:you|I|I'?ll|let'?s|can|could|should|please|to) )\b(?:runs?|deploys?|lives?|sits?|ships?|stays?|goes|go) (?:on|in|at|to|through|under|via|from|with) |\bwe (?:\w+ly )?(?:only )?(?:use|deploy|host|support|target|store|publish|build|test|release|ship|run|track|write|keep|serve|pay|measure|follow|work|number|bill|sell)\b|\bwe(?:'re| are) (?:on|using|bound)\b|\bonly (?:accepts?|supports?|allows?|works?|reads?|matches|knows|runs|takes|handles|speaks|understands)\b|\b(?:does|do|can|may|will)(?: not|n'?t) (?:accept|allow|support|work with|handle|exceed|leave|use|have|be (?:upgraded|changed|reached))\b|\bcannot (?:accept|allow|support|handle|exceed|leave|use|be|go)\b|\bmay not\b|\b(?:are|is) rejected\b|\bexpires?\b|\brotates? every\b/i,
  },
  {
    cue: "fact",
    weight: 2,
    test: /\b(?:limit|quota|budget|timeout|cap|threshold|maximum|minimum|deadline|format|style|convention|name|version|target|rate|size|region|port|baud rate|voltage|frame ?rate|resolution|licen[cs]e|licen[cs]e header|header|prefix|scheme|tolerance|retention|schedule|window|interval|unit|units|currency|timezone|time zone|locale|encoding|seed|metric|baseline|split|word count|audience|tone)(?: (?:for|of|on|in) [\w -]{1,40}?)? (?:is|are|says?|stays?|must)\b/i,
  },
  {
    cue: "fact",
    weight: 2,
    test: /\b(?:past|present) tense\b|\b(?:first|third) person\b|\b(?:deliberately|on purpose|by design)\b/i,
  },
  {
    cue: "states",
    weight: 1,
    test: /^(?!(?:I|you|it|that|this|there|they|he|she|what|here|let|ok|thanks|maybe|please)\b)(?:[\w'"`@#./%+-]+,? ){1,9}?(?:is|are|has|have|uses?|needs?|takes?|lives?|sits?|comes?|goes|go|runs?|ends?|starts?|means|counts?|costs?|must|can|cannot|can't|won't|doesn't|don't|requires?|allows?|expects?|accepts?|stands?|stays?|builds?|keeps?|holds?|belongs?|speaks?|returns?|leaves|applies|apply|follows?|ships?|reads?|writes?|refuses|demands|pays?|bills?|covers?|prints?|measures?|weighs?|opens|closes|exempts?)\b/i,
  },
  {
    cue: "states",
    weight: 1,
    test: /\bwe (?!are\b|were|need|should|could|can\b|want|had|did|got|saw|see\b|get\b|think|tried|try\b|just|still)(?:\w+ly )?[a-z]+\b/i,
  },
  {
    cue: "label",
    weight: 1.5,
    test: /^(?!(?:error|warning|todo|step|ps|e\.g|user|edit|update|result|output|question|idea|task|goal|bug|issue|problem)\b)[A-Za-z][\w'-]*(?: [\w'-]+){0,5}: [\w<"'`#[(]/i,
  },
  {
    cue: "because",
    weight: 1,
    test: /\b(?:because|(?<!\b(?:says|said|say|thinks|show|shows) )otherwise|so that)\b|, since\b/i,
  },
  {
    cue: "states",
    weight: 1,
    test: /^(?:the|our|all|each|every|[A-Z][\w-]*) (?:[\w'-]+ ){0,4}?[a-z]+(?:[^aious]s|es) (?:the|a|an|its|to|in|on|at|for|from|only|every|all|no|any|with|\d+|out|by|until|after|before|through|back)\b/,
  },
  {
    cue: "date",
    weight: 2,
    test: /\b(?:launch(?:es)?|releases?|freeze|frozen|froze|deadline|go(?:es)?[- ]live|ships?|ship date|demo|audit|due|review|migration|cutover|starts?|begins?|ends?|closes?|opens?|expires?|submission|pen ?test|certification|exam|presentation|kick-?off|beta|alpha|milestone|maintenance|sunset|removed|shut(?:s|ting)? down|retire[sd]?|switch|moves?|moved|lifted|goes? away|arrives?|delivery|conference|trial|access)\b/i,
  },
  {
    cue: "profile",
    weight: 3,
    test: /\b(?:I'?m|I am) (?:an? (?!bit|little|fan of|moment|second|minute)|new to|(?:red[- ]green )?colou?r[- ]?blind|deaf|blind|dyslexic|left-handed|based in|in (?:UTC|GMT|CET|EST|PST)|from (?!the (?:meeting|office))|responsible|the (?:\w+ ){0,2}(?:lead|owner|founder|manager|maintainer|only|designer|developer|engineer|analyst|editor|writer|translator|tester|architect|student|intern|PM|DBA)|not (?:a|an|very|really|that) |more of an? |comfortable|fluent|used to )|\bI (?:come from|grew up)|\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|a few|many|several) (?:years?|yrs?)\b(?: of|in|as|with|behind)\b|\bI(?:'?ve| have) (?:\w+ )?(?:been|got|used|worked|written|done|shipped|coded|taught|run|built|managed|kept|made|administered|maintained|led|sold|designed|tested|operated)\b[^.;]{0,50}\b(?:years?|decades?)\b|\bI have [^.;]{0,30}\byears?\b|\bmy (?:background|native language|first language|mother tongue|day job|job|role|time ?zone|first (?:\w+ ){0,2}(?:project|app|job|codebase|language)|main language|english)\b|^call me [A-Z]|\bmy name is\b|\bfirst (?:time|contact) (?:with|using|doing)|\bI(?:'ve| have) never (?:used|touched|written|done|worked)|\bI (?:don'?t|do not) know (?:much|any)\b|\bI (?:mostly|mainly|usually|normally|generally|tend to|only) (?:work|write|use|code|read|speak|do|review|think|prefer|start|check|look)|\bI (?:work|teach|manage|lead|study|run|live|sit) (?:as|in|at|for|the|a|an|from|out of)\b|\bI look after\b|\bI can(?:'t|not) (?:read|write|code|speak|see|hear|tell)\b|\bI'?m not (?:technical|a )|\bbrand new (?:for|to) me\b|\bnew (?:for|to) me\b|\bI(?:'ve| have) (?:done|written|been|worked|spent)\b[^.;]{0,40}\b(?:decade|decades)\b|\bI report to\b|\bI speak\b|\bI do (?:[a-z]+ )?(?:design|development|research|testing|sales|marketing|ops|support|science|analysis|engineering)\b|\bI can (?:only )?read \w+ but\b|\bI'?ve never\b|\bnever (?:wrote|written|used|touched) [A-Z]|\bI (?:taught|worked|did|wrote|spent|was|built|ran|studied|trained|managed|practi[cs]ed)\b[^.;]{0,40}\b(?:years?|decades?)\b|\bI'?m (?:only |just )?(?:now )?(?:picking up|learning|getting into|starting (?:out )?with)\b|\b(?:bit|little|word) about (?:me|myself)\b/i,
  },
  {
    cue: "profile",
    weight: 3,
    test: /\bI(?:'d| would)? (?:much |strongly |really |always )?prefer\b|\bI(?:'d| would) rather\b|\bI (?:really )?(?:like|love|hate|dislike|can'?t stand)\b(?! (?:it|this|that|the idea|your|how)\b)/i,
  },
  { cue: "tongue", weight: 0.5, test: new RegExp(`\\bin ${TONGUE}\\b`, "i") },
  {
    cue: "fact",
    weight: 2,
    test: /\b(?:is|are) (?:given |measured |counted |expressed |quoted |reported |stored |written |kept )?in (?:thousands|millions|percent|cents|euros|dollars|metres|meters|seconds|minutes|hours|UTC|units|bytes|local time|lower|upper|camel|snake|kebab)\b/i,
  },
  {
    cue: "norm",
    weight: 2,
    test: new RegExp(
      `\\b(?:gets?|are|is|be|go(?:es)?|stays?|must|should|has to|have to) (?:\\w+ )?in ${TONGUE}\\b`,
      "i",
    ),
  },
  {
    cue: "talk",
    weight: 3,
    test: new RegExp(
      `\\b(?:back to|switch(?:ing)? (?:back )?to|(?:continue|go on|carry on) in) ${TONGUE}\\b|\\b${TONGUE} (?:for|in|during) (?:our|this|my|the) (?:conversations?|chats?|talks?|discussions?|sessions?)\\b|\\b(?:conversations?|chats?|discussions?) (?:with me |between us )?(?:should |must |will )?(?:be |are |is |stay |go )?in ${TONGUE}\\b|\\b(?:answer|write to|speak to|talk to|reply to) me\\b[^.;]{0,20}\\b${TONGUE}\\b`,
      "i",
    ),
  },
  {
    cue: "talk",
    weight: 3,
    test: new RegExp(
      `\\b(?:answer|reply|respond|talk|speak|chat)\\b[^.;,]{0,25}\\bin ${TONGUE}\\b|\\b(?:${TONGUE}) (?:answers|replies|only|please)\\b|^${TONGUE} (?:answers|replies|only|please)\\b`,
      "i",
    ),
  },
];

export const ENGLISH: Language = {
  rules: [...KEEP, ...PLAIN, ...GENERIC, ...PASSING],
  lead: /^(?:(?:ok|okay|good|great|nice|cool|lovely|thanks(?: a lot)?|thank you|thx|yes|yeah|yep|sure|no|nope|stop|wrong|right|perfect|exactly|actually|hm+|well|oh|hi|hello|hey|sorry|listen|look|correction|important|important for later|rule|that(?:'s| is| was)? (?:wrong|not right|incorrect|not true)|wrong|(?:quick |some )?(?:bit of )?context|for what it'?s worth|good morning|hi there|no no(?: no)?|quick (?:one|note)|handover notes?|(?:a few|some|two|three|\d) (?:\w+ )?(?:rules|conventions|notes|things|points)[^:,.]{0,40}|change of (?:plans?|heart)|new plan|(?:good|bad|big) news|news|if you (?:wouldn'?t|don'?t) mind|if I may|if it(?:'s| is) not too much (?:trouble|to ask)|if (?:that|it)(?:'s| is) (?:ok|okay|all right|alright|possible)(?: with you)?|when you (?:can|get a chance)|(?:an? )?(?:gentle|small|polite|quick|kind|humble|big|little) (?:request|ask|plea|wish|reminder|favou?r)|one (?:change|correction|adjustment|exception)|(?:I|we)(?:'ve| have)? (?:just )?(?:talked|spoke|spoken|checked|met|synced|chatted|discussed (?:it|this)|cleared (?:it|this)) (?:to|with) (?:the )?[\w ]{2,24}|(?:talked|spoke|checked|cleared (?:it|this)) (?:to|with) (?:the )?[\w ]{2,24}|adjustment|exactly right|hang on|note for (?:next time|later|the future)|(?:small|slight|minor|little|quick|tiny) (?:change|correction|thing|adjustment|note)|keep this for later|(?:a )?(?:bit|little) about me|hold it|hold on|for future reference|no,? wait|one more(?: thing)?|another(?: thing| one)?|small thing|fyi|btw|by the way|note|nb|reminder|update|decision|for the record|heads[- ]up|remember(?: this)?(?: for (?:the future|later))?|please remember|please note|to be clear|in general|that said|and no|ps|p\.s\.|no wait|wait|ugh|damn|please)\s*[,.:;!—–-]+|(?:also|and|so|but|then|plus|additionally|please|oh and|and also|again|btw|hmm|kindly|remember that|remember to|please remember(?: that| to)?|note that|keep in mind(?: that)?|bear in mind(?: that)?|don'?t forget(?: that| to)?|make a note(?: that)?|I told you to|as I said|it'?s (?:really |very )?important (?:to (?:me|us) )?that|thanks|good|ok|okay|now|actually|yes|yeah|no no)\s)\s*/i,
  shift:
    /^(?:also|another|additionally|by the way|btw|one (?:more|change)|and (?!that|then|so\b|it\b|they|because|therefore)|separately|plus|oh and|ps|p\.s\.|next|moreover|on another|two |three |second(?:ly)?|third(?:ly)?|finally|lastly)\b/i,
  anaphora:
    /^if (?:there (?:are|is|were) (?:more|fewer|less|any|none|no)|(?:it|they|one|that) (?:is|are|does|do|has|have|gets?|comes?|goes)|so|not)\b|^[A-Z]\w+(?: [A-Z]\w+)?(?: \([^)]{2,40}\))?(?:,? (?:from|of|in|who) [\w ]{2,30},?)? (?:decided|signed off|approved|said so|confirmed|agreed|made (?:that|the|this) (?:call|decision))\b[^.,]{0,24}$|\b(?:owns?|maintains?|handles?|manages?|settled|decided|confirmed) (?:it|that|this|them)\b|^(?:it|its|they|their|he|she|his|her|which|same|then|there|such|otherwise|keep (?:doing|it)|so\b|the same|both|neither|either|ask (?:him|her|them)|that'?s|(?:is|are|was|were|has|have|must|needs?|should|to be|due|done|will|all of (?:it|them|this)) |(?:this|that|these|those) (?:is|was|are|were|has|have|means?|way|one|also|applies|apply|must|should|makes?|keeps?|goes|happens|includes?|will|would|can|could|too|needs?|holds?))\b|\b(?:decided|approved|wants|said|requires|asked for|signed off on) (?:that|this|it)\b|\b(?:stays?|remains?) (?:\w+|as (?:it )?is|unchanged)\W*$/i,
  grounds:
    /^[A-Z][a-z]+ (?:[a-z]+ )?(?:checks|tests|reads|counts|verifies|audits|looks|notices|complains|insists|samples|relies|depends|parses|imports|pays|signs|bills|prints)\b|\bis (?:meaningless|useless|pointless|irrelevant|noise|misleading|too (?:slow|big|noisy|coarse|expensive))\b|\b(?:only (?:accepts?|reads?|takes?|supports?|understands?|parses?|knows?|allows?|speaks?)|(?:accepts?|reads?|takes?|supports?|understands?) [^.;]{2,40} (?:only|and nothing else|alone)|forbids?|does(?:n'?t| not) (?:allow|accept|support|permit)|(?:requires?|demands?|insists? on|bills?|charges?|rejects?|refuses?|bounces?|rules? out|breaks?|won'?t (?:accept|allow|take)) \w)/i,
  orphan:
    /^stop and (?:page|call|ping|ask|tell) (?:me|us)\W*$|^not (?:you|me|us|him|her|them)\b|^(?:(?:please|just|and|so|then|now|always|let'?s) )*(?:it(?:'s|s|self)?(?! would be\b|'?d be\b)|they(?:'re)?(?! (?:have |just )?(?:moved|pushed|postponed|delayed|shifted|brought|pulled|rescheduled)\b)|their|them|he|she|his|her|those|these|that(?:'s| is| was| has| goes| applies| includes| way| one| part| too)?|this(?:'s| is(?! (?:an?|our|the|my)\b)| was| one| way| too| applies)|in there|over there|same|the same|such|both|neither|either|otherwise|(?:do|make|keep|use|leave|put|call|stick (?:with|to)|continue with|go on with|stay with|more of) (?:doing )?(?:it|that|this|them|those|the same|so)\b(?! [a-z]+s\b)|like that|likewise|ditto|(?:don'?t|never|please|stop)(?=[,.!:;]|$)|(?:do|make|give me|show me|add) (?:one|some|another|more) of (?:those|these|them)|(?:is|are|was|were|has|must|makes|does|goes|needs|means|takes|costs?|happens|depends)) (?!one of|pull|branch)|^(?:it|that|this|same|ditto|likewise)\W*$|^[^,;]{3,60} (?:the same way|in (?:that|this|the same) (?:fashion|manner|style|spirit))\W*$/i,
  tail: /^(?:(?:never|not|always|only|also) (?:from|in|on|by|with|to|for|via|through|at|as)|in|on|for|at|from|with|without|not even|even|anywhere|everywhere|no matter|whether|except|including|not for|not in|nor|ever|under any)\b(?![^.;]*\b(?:is|are|was|has|have|must|should|we|you|I|use|don'?t|do not|never|always|ask|run)\b)[^.;]{0,60}\W*$/i,
  emphasis:
    /^(?:cool|nice|great|lovely|super|good|right|hi|hiya|hey|hello|(?:good )?morning|good afternoon|ahh?|hmm+|wow|alright|all right|fine|yep|yeah|sure|perfect|exactly|awesome|excellent|good call|nice one|well done|no worries|never mind|stop|wait|wrong|seriously|every(?: single)? time|each(?: single)? time|period|full stop|ever|at all|I mean it|no exceptions?(?: please)?|please|always|really|not once|end of story|that'?s it|simple as that|done|never ever|ok\??|okay\??|got it\??|clear\??|understood\??|I know|I mean|are you (?:kidding|serious)(?: me)?|come on|what the \w+|for (?:god|heaven|crying out)[^.]{0,12}sake|argh|ugh|oh no|again|please and thank you|thanks?(?: a lot)?|thank you|cheers|pretty please|sorry|trust me|for real|no joke|nope|no|yes|simple|easy|promise\??)[\s.!,]*$/i,
  instead: /^(?:we|it|its|they|their|he|she|his|her|that|this)(?:'s)?\b.*,|\binstead\W*$/i,
  incident:
    /^(?:one|two|three|four|several|some|a few|a dozen|half) [\w ]{3,60}? (?:got|lost|received|saw|missed|ended up)\b|\b(?:the )?last time(?<!\b(?:if|when|whenever|once|unless) [^.;]{0,60}last time) (?:someone|somebody|we|I|anyone|they|it|this)\b|\bgot (?:\w+ed|hacked|burnt|bitten|stuck|lost|wiped)\b|(?<!\b(?:gets?|is|are|be|being|was|were|been) )\b(?:wrecked|broke|cost|ate|burned|bit us|hid|killed|blew|doubled|corrupted|deleted|wiped|leaked|locked|flagged|bounced|rejected|refused|fined|paged|woke|missed|went mad|complained|overwrote|swallowed|flooded|ruined|charged|billed|took (?:us|me|down|out|the|a|two|three|hours|days|weeks)|lost|got (?:us|me) )\b/i,
  topicQuestion:
    /^(?:(?:and |so )?(?:who|where|when|which|how (?:often|many|long|big|deep|old|far|much)|what (?:about|kind of|format|size|version|language)) [^?,]{2,40}|(?:and |so )?(?!(?:why|what|how|is|are|was|can|could|would|will|does|did|do|should|ok|okay|right|really|huh|sure|have|has|any|you|I|we|it|that|this|still|done|ready|got|all|no|yes)\b)[\w`/.'#-]+(?: [\w`/.'#-]+){0,3})\?$/i,
  pointsBack:
    /^(?:(?:please|just|never|always|so|and|don'?t(?: ever)?|do not|only) )*(?!(?:is|was|make|let|got|keep) )[a-z]+ (?:them|it|those|these)(?= (?!how |what |why |if |when I)|[.,;!]|$)|^(?:during|until|before|after|while|within|throughout|because of|besides) (?:it|that|this|then|them|those)\b|\b(?:leave|do|keep|use|run|rerun|retry|put|send|give|change|touch|merge|push|edit|open|move|repeat|for|of|to|with|by|in|from|on|does|did|see|drop|call|tell|about|like|without|skip|close) (?:it|that|them|those|this)(?=\s*(?:$|[.,;:!?)]|(?:and|or|for|in|to|before|after|when|again|alone|with|too|first|until|unless|yourself)\b))|\b(?:the rest|anything else|likewise|as well)\W*$|\b(?:in|over|to|from|of) there\b|\b(?:through|via|past|to|with|from) (?:him|her|them)\b|\bthere\W*$/i,
  reason:
    /^(?:because|since|otherwise|last (?:time|month|week|year|quarter|sprint)|the reason|reason|that'?s (?:why|how|because)|this is because|we (?:got|were|had|lost|once|already had)|it (?:broke|cost|took|caused|once|already)|the last (?:time|one)|once,|(?:a|an|one|the|some) [^.,]{1,50} once \w+|previously|back then|(?:someone|somebody|one of us|a colleague|a contractor|an intern)\b(?! (?:who|that|whose)\b)|in (?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|\d{4}) (?:a|an|the|we|one|someone|somebody)\b|someone once|in the past|else)\b/i,
  because: /(?:,\s*|\s+|\s*\()(?:because|since(?! \d)|so that|otherwise|as otherwise|the reason is)\s/i,
  teach:
    /\b(?:teach you|(?:describe|explain|tell you|show you|set out) how (?:an?|the|we|one|our|you)|how [\w ]{3,40} (?:is|are|gets?) (?:dealt with|handled|done|processed|made|shipped|sent)|(?:our|the|my|this) (?:\w+ ){0,2}(?:procedure|process|routine|workflow|checklist|steps|runbook|ritual|recipe|drill|sop)|when(?:ever)? I (?:say|type|write|ask for|tell you)|here is what (?:you|to)|(?:here'?s|this is) how (?:we|you|to|I)|how we (?:release|deploy|ship|publish|cut|roll|do|build|onboard|review|handle)|every (?:release|deploy|time)|to (?:release|deploy|publish|ship|cut a release|roll back|onboard)\b[^.]{0,30}:|(?:procedure|process|checklist|steps|runbook|sop) (?:for|is|to|when)|follow (?:it|this|these) every|always in this order|in this order)\b/i,
  heading:
    /\b(?:rules|conventions?|guidelines|remember|keep in mind|standards|preferences|ground rules|basics|facts|notes for later|house style|things to know|always|never|constraints|requirements for (?:this|the) (?:repo|project))\b[^\n]{0,60}:\s*$/i,
  change: CHANGE,
  outdated: OUTDATED,
  withdrawn: WITHDRAWN,
  private:
    /\b(?:(?:don'?t|do not|never|please don'?t) (?:store|save|remember|keep|record|memori[sz]e|write (?:down|that down|this down)|log|note)(?: (?:that|this|it|any of|my|the|about)|\W*$)|no need to (?:note|remember|store|save|record|keep)|(?:needn'?t|don'?t bother to|don'?t have to) (?:note|remember|store|save)|off the record|not for (?:your )?memory|keep (?:this|that) out of (?:your )?(?:memory|notes)|just between us|confidential)\b/i,
};
