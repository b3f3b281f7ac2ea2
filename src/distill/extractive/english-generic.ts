/** English wording of what holds of a kind of thing ("feature branches start from develop"), and of wishes that are put indirectly. */
import { LASTING_VERB } from "./english-words.ts";
import type { Rule } from "./rule.ts";

/** What a kind of thing does as long as it is that kind; verbs that also tell of one event (fail, take, return) are left out. */
const HABIT =
  "(?:are|have|carry|start|begin|end|stay|read|live|sit|go|come|run|use|get|need|must|can(?:not|'t)?|may|never|always|only|do(?:n'?t| not)|default|happen|follow|keep|contain|include|inherit|bubble|belong|match|count|depend|share|see|pay|speak|say|show|point|map|ship|wait|expire|close|open|print|block|merge|deploy|arrive|leave|sort|round|store|hold|accept|reject|require|apply|stop|fit|look like|call|log|write|work(?! (?:now|again|fine)))";
const NOT_PLURAL =
  "(?:this|these|those|its|his|us|is|was|has|does|thanks|yes|as|always|perhaps|sometimes|unless|looks|works|says|means|makes|let's|here's|that's|it's|what's|there's|\\w+(?:ss|us|is))";

export const GENERIC: readonly Rule[] = [
  {
    // "feature branches start from develop", "names of tests read like sentences"
    cue: "generic",
    weight: 2,
    test: new RegExp(
      `^(?!(?:the|these|those|this|my|your|\\d+|two|three|four|five|some|both|most|more|all the|any of) )(?:(?!${NOT_PLURAL}\\b)[a-z][\\w/-]* ){0,2}?(?!${NOT_PLURAL}\\b)[a-z][\\w/-]*[a-z]s (?:of [a-z-]+ |in [a-z-]+ |for [a-z-]+ |from [a-z-]+ |without (?:an? )?[a-z-]+ |with (?:an? )?[a-z-]+ )?${HABIT} (?!(?:red|green|down|broken|failing|flaky|slow|stuck|back|up now|done|ready|fine|ok|okay|wrong|in (?:the way|progress)|running|missing|duplicated|doubled|garbled|truncated|empty|blank|swapped|lost|twice|gone|here|there|it|this|that|off (?:again|now))\\b)[\\w\`"'./#<-]`,
      "i",
    ),
  },
  {
    // "Every tenant has its own schema."
    cue: "generic",
    weight: 2,
    test: /^(?:every|each|no) (?!(?:one|time|idea|clue|problem|luck|wonder|way|need|change|changes|worries|difference|reason|rush|of)\b)(?:[\w'-]+ ){1,4}?(?:has|have|gets?|needs?|is|are|starts?|ends?|goes|comes|carries|runs|uses|stays|lives|belongs|may|can|must|ships?|leaves?|costs?|counts?|owns?|keeps?|follows?|merges?|reaches|touches|knows|reads?|writes?|sees?|pays?) (?!(?:red|green|failing|broken|down|back|done|empty|missing|wrong|the same error)\b)/i,
  },
  {
    // "Business logic sits in services", "Money is never a float": a mass noun or a name without an article
    cue: "generic",
    weight: 1.5,
    test: /^(?!(?:it|this|that|there|here|what|why|how|who|he|she|i|you|we|they|everything|nothing|something|staging|prod|production|ci|the)\b)(?:[a-z][\w-]* )?[a-z][\w-]{3,20} (?:is|stays?|goes|lives|sits|comes|belongs) (?:never|always|only|in|at|under|behind|from|with|to|on|through|by) (?!(?:my|your|this|that|it|fire|hold|progress|track|time|me)\b)/i,
  },
  {
    // "An accession number is for life."
    cue: "generic",
    weight: 2,
    test: /^an? (?!(?:bit|few|lot|little|couple|problem|bug|test|question|moment|second|minute|regex|good|nice|great|shame|pity|mess|mistake|colleague|friend|user|customer)\b)[\w -]{3,30}? (?:is|has(?! \w+ed\b| been| gone| come| got)|gets|takes|needs|carries|belongs|costs|lives|must|may|can|cannot|can't|never) (?!(?:enough|fine|ok|okay|broken|failing|missing|here|there|needed|better|good|not working)\b)/i,
  },
  {
    // "When there's a chain of calls, could you put the dplyr version beside it?"
    cue: "polite",
    weight: 4,
    test: /^(?:when|whenever|before|after|every time|each time|any time)\b[^?]{3,80}, (?:can|could|would|will) you (?:please |always |just |also )?\w+[^?]*\?/i,
  },
  {
    cue: "norm",
    weight: 2,
    test: /^(?:when|whenever|before|after|every time|each time|any time)\b[^?]{3,80}, (?:can|could|would|will) you (?:please |always |just |also )?\w+[^?]*\?/i,
  },
  {
    // "I'd sooner they were never sent twice", "I should be glad of such a table before every import"
    cue: "norm",
    weight: 2,
    test: /\bI(?:'d| would) sooner\b|\bI (?:should|would) be (?:glad|grateful|obliged|happy) (?:of|for|if)\b|\b(?:is|are) not to be \w+|\bhad (?:better|best) (?:be|not)\b|\bhas to (?:stay|sit|remain|keep)\b|\bplease treat me as\b|\b(?:wins|takes precedence|has precedence) (?:over|whenever|when)\b/i,
  },
  {
    // "Everything beneath engine/ came to us from Norse Reservations", "he still maintains it"
    cue: "owner",
    weight: 3,
    test: /\bcame (?:to us )?from (?:the )?[A-Z]\w+|\bremains? (?:theirs|his|hers|their)\b|\b(?:he|she|they) still (?:maintains?|owns?|keeps?|runs?)\b|\b(?:one |you |please )?(?:write|writes|phone|phones|ring|rings|speak|turn|telephone) to [A-Z]\w+|^(?:every|any)thing (?:beneath|under|in|inside|below) [\w./`]+ (?:is|belongs|comes|was)\b/,
  },
  {
    // "I'd like commit subjects to start with the ticket number"
    cue: "norm",
    weight: 2,
    test: /\b(?:I(?:'d| would)|we(?:'d| would)|would) (?:really |also |much |kindly )?(?:like|love|appreciate|want|prefer|wish for) (?:it if |the )?(?:[\w'-]+ ){0,3}?[\w'-]+s (?:to|would|could|were|stayed|kept|started|ended|had|in|without|with|before|rather|under) |\bit(?:'d| would|'ll| will)? (?:really |also |much )?helps? (?:me |us )?(?:a lot |more |greatly )?(?:if|when) (?!you (?:could |can )?(?:add|fix|look|check|run|show|explain|find)\b)|\bit(?:'s| is) (?:really |very )?important (?:to (?:me|us) )?that\b|\bwhat I (?:really |actually |always )?(?:want|need|expect|like|value) (?:is|are) (?!(?:to know|a way|you to|the (?:list|diff|number|output|path))\b)|\bmy (?:strong |clear |general |personal )?(?:preference|wish|expectation|taste|habit|rule) (?:is|would be)\b|\bI (?:care|worry) (?:a lot |much |most )?about\b|\bI(?:'d| would) (?:always |much |really )?(?:want|expect) (?!to (?:see (?:the|what)|know)\b)/i,
  },
  {
    // "Would you mind using pnpm instead of yarn in this repo?"
    cue: "polite",
    weight: 4,
    test: /^(?:would|do) you mind (?:please |always |not )?\w+ing\b(?=[^?]*\b(?:instead of|rather than|over|always|never|every|each|any|from now on|in future|in this (?:repo|project|codebase|team)|only|going forward|throughout)\b)|^would you mind (?:keeping|using|avoiding|sticking|preferring|leaving|not \w+ing) (?!(?:an? eye|an?|me|this|that|it|these|those|the (?:tests?|build|server|page|branch))\b)/i,
  },
  {
    cue: "norm",
    weight: 2,
    test: /^(?:would|do) you mind (?:please )?(?:always|not|never|keeping|using|avoiding|sticking|preferring|leaving)\b/i,
  },
  {
    cue: "norm",
    weight: 2,
    test: /\b(?:is|are)(?:n't| not| never) (?:optional|negotiable|up for debate|up for discussion|a suggestion|our thing|how we (?:do|work))\b|\b(?:non-negotiable|blocks? (?:the |a |every |any )?(?:merge|release|deploy|pr)s?|(?:is|are) (?:fine|ok|okay|allowed|welcome) (?:as long as|only|but only|unless|except|if (?:they|it)(?:'re|'s| is| are)))\b/i,
  },
  {
    // "make sure every screenshot is under 200 kb", "be sure to ..."
    cue: "norm",
    weight: 2,
    test: /^(?:please )?(?:make sure|ensure|see to it|be sure|take care|mind) (?:that |to )?(?=[^.;]*\b(?:always|never|every|each|all|any|no|only|anything|everything|whenever)\b)(?!(?:it|this|that|the (?:build|tests?|page|server|branch)|all (?:the )?tests|everything (?:works|passes|is|still)|no (?:tests?|one))\b)|^(?:please )?(?:make sure|ensure|see to it) (?:that )?(?!(?:it|this|that|the|your|all|you|we|everything|nothing|both|there|tests)\b)[a-z]\w*s (?:are|have|stay|use|carry|keep|go|end|start|come|get|do|don't|never|always)\b/i,
  },
  {
    // "The proxy strips unknown headers, so put the trace id in the query string."
    cue: "because",
    weight: 1,
    test: new RegExp(
      `^(?!(?:if|when|once|it|this|that|these|those|I|ok|there)\\b)[^,;]{12,100}, so (?:please |always |just |do )?(?:${LASTING_VERB}|keep|avoid|don't|do not|never|prefer|only) (?!(?:it|them|that|this|these|me (?:what|why|how|if|the))\\b)`,
      "i",
    ),
  },
  {
    // "Go slowly with anything about networking.", "Leave the legacy adapter as it is."
    cue: "order",
    weight: 2,
    test: /^(?!(?:look|find|fix|check|search|tell me|show me|is|are|was|try|grep|may|I|we|you|it|that|this|\w+ing)\b)[a-z]+ (?:[\w-]+ ){0,3}(?:with|about|on|for|in|to|under|before) (?:anything|everything|whatever|any|every|all things)\b|^leave (?:the |our )?[\w /.-]{3,40} (?:as (?:it is|they are)|(?<=(?:legacy|old|vendored|generated|third-party|folder|directory|module|adapter|package|files?|schema|lock ?file|code|[/.]\w+) )(?:alone|untouched))(?! (?:for now|until|today))\b/i,
  },
  {
    // "For charts, Vega-Lite.", "css modules yes, tailwind no", "Dates in filenames: year first."
    cue: "norm",
    weight: 2,
    test: /^for (?:the |all |our )?[a-z][\w -]{2,30}, (?:we use |use |it's |always )?[A-Z][\w.+-]*[.!]*$|^[\w .-]{2,30} (?:yes|ok|fine|good), [\w .-]{2,30} no[.!]*$|^[\w -]{4,30}: [\w -]{2,20} (?:first|last)[.!]*$/i,
  },
  {
    cue: "profile",
    weight: 3,
    test: /\bI do (?:the )?[a-z]+(?: [a-z]+)?, [A-Z]\w+ (?:does|handles|is|looks after)\b|\bI'?m the (?:only|sole|single) \w+/,
  },
  {
    cue: "order",
    weight: 2,
    test: /^do (?:please |always )?(?:ask|tell|check|use|keep|write|wait|mention|say|warn|include|read|let me know)\b(?! (?:it|this|that)\b)/i,
  },
  {
    // "Pin exact versions": an order about no particular thing
    cue: "order",
    weight: 2,
    test: /^(?:(?:please|only|just) )*(?:pin|name|sign|squash|prefix|tag|quote|cite|wrap|batch|round|escape|validate|label|document|lint|version|scope|namespace|encrypt|hash|mask|sanitize|gate|guard|memoize|paginate|lock|freeze) (?!(?:it|this|that|these|those|my|your|both|me|us|up|off|out|in|the|a|an|one|two|three)\b)[\w`"'./@-]/i,
  },
  {
    // "Ines signs off on anything that touches consent.", "Billing questions go to Marta."
    cue: "owner",
    weight: 3,
    test: /\b[A-Z][a-z]+ signs? off (?:on )?\b|\b(?:questions|requests|reviews|approvals|changes|tickets|issues|escalations|anything|everything)\b[^.;]{0,40}\bgo(?:es)? (?:to|through|via|past|by) [A-Z][a-z]+\b|\b(?:is|are) (?:run|handled|managed|looked after|kept|owned|operated|curated|guarded) by (?:the )?[A-Z][\w-]+|[,;] [A-Z][a-z]+ does (?:the|our|all|every) |^(?:reviewer|owner|contact|approver|maintainer)s? (?:for|of) [^.;]{3,40} (?:is|are) [A-Za-z]/,
  },
  {
    // "Board approved Hetzner for hosting", "Legal wants the banner gone"
    cue: "decision",
    weight: 3,
    test: /(?:^|[.;:,] )(?:the )?(?:board|management|legal|compliance|security|finance|procurement|marketing|ops|infra|the client|the customer|steering committee|leadership|council|works council|union|hq|audit|product|sales|IT) (?:has |have )?(?:approved|decided|agreed|chose|picked|vetoed|signed|cleared|banned|insists?|wants?|requires?|demands?|forbids?|turned down|said no to|said yes to)\b/i,
  },
];
