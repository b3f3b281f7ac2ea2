/** English wording of rules and facts that come without a cue word: fragments, values, whose things are, praise. */
import type { Rule } from "./rule.ts";

const COUNT =
  "(?:\\d[\\d.,]*[a-z%]{0,4}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty|ninety)";

export const PLAIN: readonly Rule[] = [
  {
    // "Microchip numbers should be strings." A participle would be a task: "the helper should be renamed".
    cue: "norm",
    weight: 2,
    test: /^(?!(?:you|we|i|that|this|it|there|what|which|why|how|where|when|who|he|she|they|someone|maybe|perhaps|the (?:[\w-]+ )?(?:header|footer|logo|button|sidebar|column|form|modal|card|title|label|icon|image|input|row|cell|text|popup|page|function|method|test|script|regex|query))\b)[\w'`/ -]{4,40} should (?:all |both )?(?:be (?!\w+(?:ed|en|ne|done|fine|ok|okay|ready|able|enough|possible|there|gone|back|good|easy|in a|fixed)\b)|use |have |stay |go |come |end |start )[\w`"'.-]/i,
  },
  {
    // What is easier on the speaker: "tables suit me better than prose"
    cue: "norm",
    weight: 2,
    test: /\b(?:suits?|works?|reads?|(?:is|are)) (?:me |for me )?(?:much |far |a lot )?(?:better|best|easier|clearer|nicer|quicker)(?: for me| to me)? than\b(?<=\b(?:me|to me|for me)\b.*)|\b(?:suits?|works?|helps?) (?:best for me|me (?:best|most))\b/i,
  },
  {
    cue: "polite",
    weight: 1,
    test: /\b(?:suits?|works? (?:much |far )?(?:better|best) for|is (?:easier|clearer) for) me\b/i,
  },
  {
    // "you plan, I apply"; "run names please like `2604_x`"
    cue: "norm",
    weight: 2,
    test: /^you [a-z]+(?: [a-z]+)?(?:, (?:then )?you [a-z]+(?: [a-z]+)?)*,? (?:and |then )?(?:I|we) [a-z]+(?: [a-z]+)?[.!]*$|^[\w -]{3,30},? please,? (?:like|as|in the form|such as) [`"'“]/i,
  },
  {
    // "must know before somebody edits it"
    cue: "owner",
    weight: 3,
    test: /\b(?:must|has to|needs to|wants to|should|have to) (?:know|hear(?: of it)?|be (?:told|asked|informed|in the loop))\b[^.;]{0,20}\bbefore\b/i,
  },
  {
    // Who the speaker is, in fragments: "DBA by trade", "Rust I only skim", "Docker scares me"
    cue: "profile",
    weight: 3,
    test: /\b(?:by|of) (?:trade|training|profession|education|background)\b|\bI am (?:also )?[a-z]+(?:ist|eer|ian|cher|ter|oper|yst|ner)\b|^(?:former|ex-|retired|recovering) ?[a-z]+|\b(?:a )?decades? (?:of|in|with) [A-Z]|^been (?:doing|using|writing|working|building|running)\b|\bI(?:'ve| have) (?:got )?(?:adhd|dyslexia|low vision|rsi|tinnitus|autism|(?:a|an) [\w-]+ (?:disability|impairment|injury))\b|\bI work (?:mon|tues|wednes|thurs|fri|part|full|remote|nights|evenings|weekends)|\bI think in [A-Z]\w+|\bI know (?:[A-Z]\w+|some|enough|my way)\b|\bI (?:maintain|own|run|lead|started|founded) (?:this|the|our)\b|\bI (?:only|just|barely|hardly|merely|mostly|can|sort of) (?:skim|know|read|understand|touch|dabble in|follow|guess)\b(?! (?:that|the (?:error|log|message|output)|it|this)\b)|\b(?:is|are|feels?|looks?) (?:all |still |completely |a bit |quite |totally )?(?:a foreign (?:country|language)|greek|foreign|a mystery|a black box|unknown|unfamiliar|alien|magic|new territory|voodoo)\b[^.;]{0,12}\b(?:to|for) me\b|\b(?:scares?|confuses?|intimidates?|bores?|frightens?|puzzles?) me\b|\bI(?:'ve| have) (?:\w+ )?never (?:used|touched|written|done|worked|seen|built|run)\b|\bI read (?:the )?(?:code|\w+) but (?:don'?t|do not|can'?t|never) write\b|\b(?:who|and) learn(?:ed|t) [A-Z]\w+\b/i,
  },
  {
    // "Give me the command first and the reason after it."
    cue: "norm",
    weight: 2,
    test: /^(?:give|show|tell|hand|send) me [^.;]{2,60}\b(?:first\b[^.;]{2,50}\b(?:after|then|second|later|below)|before (?:the|any) )/i,
  },
  {
    // "logger not print", "Kafka, not Rabbit", "tables over bullet points"
    cue: "norm",
    weight: 2,
    test: /^(?!(?:it|that|this|is|was|why|what|still|probably|certainly|definitely|of course|sure|hope|ok|maybe|I|you|we|they|more|all|half|just)\b)(?:[\w`'"./#+-]+ ){1,4}?(?:not|over|instead of|rather than) [\w`'"./#+-]+(?: [\w`'-]+){0,2}(?: (?:when|if|in|for) [^.;]{2,50})?(?:, [\w`'-]+(?: [\w`'-]+){0,2} (?:not|over) [\w`'-]+(?: [\w`'-]+)?)*[.!]*$/i,
  },
  {
    // "Spaces, width two.", "Node 20, nothing newer", "three sentences tops"
    cue: "norm",
    weight: 2,
    test: new RegExp(
      `^(?:[\\w\`'./+-]+ ){0,3}[\\w\`'./+-]+, (?:nothing|no|none|not|never|max|min|at (?:most|least)|always|only|(?:[a-z]+ )?${COUNT})\\b[^,]{0,30}$|^(?:[\\w'-]+ ){0,4}${COUNT} [\\w-]+(?: [\\w-]+)? (?:tops|max|at most|at least|minimum|or less|or fewer)(?: (?:unless|if|per|when|for) [^.;]{2,40})?\\W*$|\\b(?:tops|max)\\W*$`,
      "i",
    ),
  },
  {
    cue: "norm",
    weight: 2,
    test: /^(?:[\w'`-]+ ){1,3}(?:everywhere|anywhere|throughout|across the board|at all times|by default)(?:,? (?:if you )?please)?(?:,? (?:except|but not|apart from|save) [^.;]{2,60})?\W*$|^(?:short|long|brief|terse|concise|plain|full|detailed|simple|small|tiny|clear|descriptive)(?:er)? (?:answers|replies|summaries|explanations|sentences|messages|names|commits|diffs|prs|functions|titles|comments)\b/i,
  },
  {
    // "as code or they don't exist", "two approvals on anything under net/", "British in the docs, American in the UI"
    cue: "norm",
    weight: 2,
    test: /\bor (?:it|they|you|that) (?:don'?t|didn'?t|doesn'?t|never|won'?t|is(?:n'?t)?|goes?|gets?)\b|^(?:one|two|three|four|\d+) [\w-]+(?: [\w-]+)? (?:(?:on|for|per|before|in) (?:anything|everything|every|each|all|any|a)\b|per \w+)|^[\w-]+(?: [\w-]+)? (?:in|for|on) (?:the )?[\w`/-]+(?: [\w-]+)?, [\w-]+(?: [\w-]+)? (?:in|for|on) (?:the )?[\w`/-]+(?: [\w-]+)?[.!]*$|\b(?:no|not|never) (?:wider|longer|bigger|more|later|earlier|older|deeper|higher|lower|larger|smaller|fewer|newer|shorter|less) than\b|^(?:max(?:imum)?|min(?:imum)?|at most|at least|up to|never more than)\b/i,
  },
  { cue: "standing", weight: 0.5, test: /\s(?:=|means|→|->|=>) (?:you|we|stop|no|ask|call|ping|wait)\b/i },
  {
    // "eu-west only", "that is how it's done"
    cue: "norm",
    weight: 2,
    test: /^(?!(?:this|that|the|read|test|one|it|first|if|and)\b)[\w`./+-]+(?: [\w./-]+){0,2} only[.!]*$/i,
  },
  {
    cue: "confirm",
    weight: 3,
    test: /\bis (?:exactly )?(?:how|the way) (?:it'?s done|it should be|we do|you do|I want|I like|to do|every)\b/i,
  },
  {
    // "you want a shell on a node you ask in #ops", "before you ask me, check the runbook", "give me times in UTC"
    cue: "norm",
    weight: 2,
    test: /^(?:if |when |next time )?(?:you|someone|anybody|anyone) (?:want|need|see|find|hit|get|touch|change)s? [^.;]{3,70}[, ] ?(?:you|they|then) (?:\w+ )?(?:ask|file|wait|stop|call|check|open|go|get|tell|ping|talk|post)\b|^before you [^,.;]{3,60},? (?:check|read|ask|look|run|try|search|open)\b|^(?:give|show|tell|write|send) me [\w ]{2,30} in (?:UTC|GMT|CET|metric|euros?|dollars|[A-Z]{2,4})\b/i,
  },
  {
    // "Percona out, MariaDB in."
    cue: "decision",
    weight: 3,
    test: /(?:^|[.;:] )[\w.-]+ (?:is )?out,? (?:and )?[\w.-]+ (?:is )?in\b(?! [a-z])/i,
  },
  {
    cue: "norm",
    weight: 3,
    test: /\bI want to (?:see|read|know|hear|approve|review) [^.;]{3,50}\b(?:before you|first|every|each|whenever|always)\b/i,
  },
  {
    // "Only named exports.", "you can be blunt with me"
    cue: "norm",
    weight: 2,
    test: /^only (?!(?:one|two|three|a|an|the|this|that|some|few|\d|if|when|after|once|for)\b)[\w-]+(?: [\w-]+){0,2}[.!]*$|\b(?:you can|you may|feel free to|please|always) be (?:blunt|direct|brief|honest|harsh|frank|critical|strict|terse|picky)\b/i,
  },
  {
    // "GraphQL was considered and rejected", "the apps go out from branch gold"
    cue: "decision",
    weight: 2,
    test: /\b(?:was|were|got|has been|have been) (?:considered and |looked at and |tried and )(?:rejected|turned down|ruled out|discarded|vetoed|dropped)\b|\b(?:was|were|got) (?:vetoed|ruled out|turned down|shot down)\b|\bwe (?:chose|picked|took|prefer(?:red)?) [\w.-]+ (?:over|instead of)\b/i,
  },
  {
    cue: "fact",
    weight: 2,
    test: /\b(?:goes?|comes?|gets?|are|is|rolls?|ships?|moves?) (?:always |only )?(?:out|built|cut|released|deployed|published|shipped|served|signed|off|up) (?:from|to|via|through|on|by|with|at) (?!(?:me|you|it|that|this|my|your)\b)/i,
  },
  {
    // "Zod for validation."
    cue: "norm",
    weight: 2,
    test: /^(?!(?:Thanks|Thank|Waiting|Time|Looking|Good|Ok|Great|Nice|Sorry|Same|Except|As|Not|Asking|Ready|Done|Checking|What|How|Why|Up|And|But|So|Just|Fix|Wait|Look|Use|Ask|Check|Test|Search|Grep|Add)\b)[A-Z][\w.+#]*(?: v?\d[\w.]*)? for (?:the |all |every )?[a-z][\w-]*(?: [\w-]+)?[.!]*$/,
  },
  {
    cue: "fact",
    weight: 2,
    test: /\b(?:is|are|stays?|remains?) (?:out of scope|in scope|legacy|deprecated|final|net|gross|optional|intentional|immutable|append-only|read-only|public|private|confidential|proprietary|unsupported|experimental|fixed|capped|shared|internal only)\b/i,
  },
  {
    // "Send me one PR per topic."
    cue: "norm",
    weight: 2,
    test: /\b(?:one|two|three|a single|\d) [\w-]+ per [a-z]+\b/i,
  },
  { cue: "standing", weight: 0.5, test: /\b(?:one|two|three|a single|\d) [\w-]+ per [a-z]+\b/i },
  {
    // "Figures 85 mm wide, font 7 point"
    cue: "label",
    weight: 1,
    test: /^(?!(?:it|that|this|took|takes|only|about|still|got|I|we|you|they|wait|give|after|in)\b)(?:[\w'/-]+ ){1,4}\d[\d.,]* ?(?:mm|cm|px|pt|points?|ms|s|sec|seconds|minutes|min|hours|h|days|kb|mb|gb|k|%|percent|dpi|fps|hz|khz|mhz|volts?|v|lines|columns|chars|characters|words|rows|items|pages)\b(?! (?:ago|in|left|late))/i,
  },
  {
    // "rollback first, root cause later"
    cue: "norm",
    weight: 1.5,
    test: /^(?!(?:lunch|coffee|first|you|me|I|let|this|that|it)\b)(?:[\w`/-]+ ){1,4}first(?:, [^,.;]{2,40} (?:later|after|second|then|last|below|underneath|at the end))?[.!]*$|^(?!(?:lunch|coffee|first|you|me|I|let|this|that|it)\b)(?:[\w`/-]+ ){0,2}[\w`/-]+, [\w -]{2,30} (?:first|last|below|underneath)[.!]*$/i,
  },
  {
    cue: "norm",
    weight: 2,
    test: /\bI (?:do not|don't|never) (?:want|wish|like) to (?:see|have|read|find)\b/i,
  },
  {
    cue: "norm",
    weight: 2,
    test: /^(?:could|can|may|might) (?!you\b|we\b|I\b|it\b|this\b|that\b|someone\b)[\w' -]{2,40} (?:be|stay|remain|have|use|go|always|please|keep)\b[^?]*\?/i,
  },
  {
    cue: "polite",
    weight: 4,
    test: /^(?:could|can|may|might) (?!you\b|we\b|I\b|it\b|this\b|that\b|someone\b)[\w' -]{2,40} (?:be|stay|remain|have|use|go|always|please|keep)\b[^?]*\?/i,
  },
  {
    // "on Thursdays", "until Monday 07:00"
    cue: "scope",
    weight: 1.5,
    test: /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b/i,
  },
  {
    // "Victoria it is."
    cue: "decision",
    weight: 3,
    test: /(?:^|[.,;:] )(?!so |that |what |there |here |how |as )[\w.`-]+(?: [\w.-]+)? it is(?=[.,!]|$)|(?:^|[.,;:] )(?!(?:and|but|ok|so|well|only|back|see|just|until|since|from|by|till)\b)[\w.`-]+(?: [\w.-]+){0,2} then[.!]*$/i,
  },
  {
    // "a red build = you stop", "you don't edit it, you open a PR"
    cue: "norm",
    weight: 2,
    test: /\s(?:=|means|→|->|=>) (?:you|we|stop|no|ask|call|ping|wait)\b|(?:^|[,;:.] ?(?:so |and |but )?)you (?:do not|don't|never|always|only) (?!(?:have|need|want|know|think|see|seem|get|understand|remember|believe|mean|like|care|say|look)\b)\w+/i,
  },
  {
    // "UUID v7 for ids", "Ruff for linting"
    cue: "label",
    weight: 1,
    test: /^(?!(?:thanks|thank|waiting|time|looking|good|ok|great|nice|sorry|same|except|as|it|not|asking|ready|done|checking|what|how|why|up|and|but|so|just|write|add|make|create|use|put|run|try|fix|build|find|get|give|show|check|wait|see|set|ask|look)\b)(?![^.]*\b(?:ran|returned|took|was|were|got|is|are|has|had|made|went|failed|worked|used|needs?)\b)(?:[\w`.#+/-]+ ){1,4}for (?:the |all |every |our )?[\w-]+(?: [\w-]+)?[.!]*$/i,
  },
  {
    // "I'd be grateful if the file names could stay kebab-case"
    cue: "norm",
    weight: 2,
    test: /\b(?:(?:I|we)(?:'d| would) (?:be|feel) (?:\w+ ){0,2}(?:grateful|happy|happier|glad|thankful|calmer|better)|it(?:'d| would) (?:be|make me) (?:\w+ ){0,2}(?:great|nice|lovely|good|better|best|kind|helpful|happy)|(?:I|we)(?:'d| would) (?:kindly |really )?(?:ask|like)(?: you)?(?: that)?) (?:if |that |for )?(?!you could (?:add|fix|look|write|run|check|see|help|make)\b)[^.;]{0,60}\b(?:could|would|stayed?|kept|keep|remain(?:ed)?|always|every|each|never|not|were|to be)\b/i,
  },
  {
    // Whose it is: "billing-core isn't ours", "that is Ana's turf"
    cue: "owner",
    weight: 3,
    test: /\b(?:is|are)(?:n'?t| not) (?:ours|mine|our (?:code|team|thing|repo|stuff|job|territory|call|turf|department))\b|(?:^|[.,;:] )not (?:ours|us)\b|\b[A-Z][a-z]+'s (?:baby|turf|territory|area|domain|department|call|code|team|job|realm|thing|kingdom|land|field|decision)\b|\bit'?s [A-Z][a-z]+'s\b|\b(?:is|are|stays?) [A-Z][a-z]+(?: [A-Z][a-z]+)?'s?(?=[,.;]|$)|\bbelongs to (?:the )?[A-Z]|\b(?:[Oo]nly|[Nn]obody (?:but|except)|[Nn]o one (?:but|except)) (?:[A-Z][a-z]+|the [a-z]+ team) (?:may|can|is allowed|gets to|merges?|approves?|pushes|deploys?|signs|has|touches|presses|releases)\b/,
  },
  {
    // Whom to go to: "go through Rui", "open a ticket with Priya", "a heads-up to Jo"
    cue: "owner",
    weight: 3,
    test: /\b(?:go|goes|went) through [A-Z][a-z]+|\b(?:ask|write(?: to)?|mail|email|call|ping|bug|tell|contact|message|dm|poke|see|warn|loop in|involve) (?:(?:him|her|them)(?= first|\b)|[A-Z][a-z]+)\b(?=[^.;]{0,40}\b(?:first|before|instead|about|if|when|for|don'?t|and|$))|\b(?:open|raise|file) (?:a|an) (?:ticket|issue|pr|request) (?:with|to|at|for|over there)\b|\b(?!It|This|That|She|He|They|We|You|What|Which|Who)[A-Z][a-z]+ (?:merges|maintains|keeps|guards|curates|administers|supports|wrote and|looks at|checks|approves|vets|audits|spot-checks|reviews|reads) (?:it|them|that|those|every|each|all|the|a)\b|\bmaintained (?:by|over|in|at)\b|\b(?!The|Our|My|Your|This|That|Any|Each|Every|One|No|All|Another|Which|What|Great|Good|Nice|Small)[A-Z][\w-]+ (?:team|squad|group|guild|crew)(?:'s)?(?=[\s.,;:]|$)/,
  },
  {
    // "anything about invoices also goes to board FIN", "crashes: Sentry, project lark"
    cue: "pointer",
    weight: 3,
    test: /\b(?:anything|everything|whatever|stuff) (?:about|on|with|that|to do with|related to|concerning)\b[^.;]{2,50}\b(?:goes|go|belongs|gets|lives|lands|sits|is (?:in|on|tracked|filed)|needs a)\b|\bgets? (?:an? )?(?:\w+ )?(?:ticket|issue|card|entry) (?:in|on|at) |\b(?:go(?:es)?|end(?:s)? up|land(?:s)?|show(?:s)? up|live(?:s)?|sit(?:s)?|is|are|kept|stored|written|documented|pinned|posted|tracked|filed) (?:also |all )?(?:in|on|at|under) (?:the |our |a )?(?:#[a-z][\w-]+|Jira|Linear|Sentry|Notion|Confluence|Slack|Trello|Asana|Zendesk|Grafana|Datadog|Kibana|GitLab|GitHub|Codeberg|Discord|Teams|Figma|Airtable|Looker|Metabase|Tableau|YouTrack|Bugzilla|Basecamp|Miro|SharePoint|Drive|Monday|Freshdesk|Intercom|PagerDuty|Lokalise|Crowdin|Weblate|Plausible|Amplitude|Mixpanel|Google (?:Docs?|Sheets?|Drive)|Dropbox|OneDrive|Overleaf|Zotero|Wandb|MLflow|Mattermost|Zulip|ServiceNow|Statuspage|Zeplin|Loom|ClickUp|Shortcut|Coda|Quip|BookStack|Opsgenie|Redmine|Phabricator)\b/i,
  },
  {
    // A thing and what it does: "Nightly exports land in s3://acme", "carts live seven days"
    cue: "states",
    weight: 1,
    test: /^(?!(?:I|you|it|that|this|these|those|they|he|she|what|here|let|ok|thanks|maybe|please|why|how|who|when|if|so|and|but|yes|no)\b)(?:[\w'"`@#./%+-]+ ){1,5}?(?:lands?|end up|ends up|arrives?|come|fires?|sleeps?|rotates?|points?|resolves?|maps?|carry|carries|return|send|sends|rejects?|wants?|speak|deploys?|dies|die|lasts?|live|stay|sit|sells?|drops?|gets?|merges?|merge|signs?|owns?|decides?|handles?|moves?|switch(?:es)?|reads|writes|replaces?|depends?|exists?|supports?|serves?|feeds?|talks?|listens?|caps?|limits?|consumes?|ignores?|doubles?|rounds?|sorts?|counts|carried|must|may) /i,
  },
  {
    // Says that something was good, not yet that it shall stay so.
    cue: "praise",
    weight: 0.01,
    test: /\bfinally (?:somebody|someone|one who|an? \w+ (?:who|that)) (?:gets|got|understands|understood|does|did)\b|\b(?:love|loved|like|liked|enjoyed|dig) (?:how|that|the way|what) (?:you|it|we)\b|\bI (?:really |do )?(?:like|love|liked|loved|appreciate|appreciated|enjoyed) (?:that|this|it|how)\b|\b(?:good|great|nice|lovely|glad) (?:that you|you|to see)\b|\b(?:exactly|just|precisely) what (?:I|we) (?:need|want)(?:ed)?\b|\bI(?:'m| was| am) (?:really |very |so )?(?:pleased|happy|glad|relieved) (?:that|with|to see|how|you)|\b(?:was|is|were) (?:really |very |so |super )?(?:useful|valuable|handy|clear|appreciated|wise|thoughtful|handy|useful|gold|golden|on point)\b|\b(?:good|great|nice|smart|excellent|brilliant|clever|neat|right|solid|lovely|fine) (?:call(?! with)|catch|idea|move|job|work|cut|thinking|thought|choice|approach|instinct|one)\b|\bsaved (?:me|us) (?:\w+ )?(?:\w+ )?(?:hours?|days?|time|trouble|work|guessing|pain|a lot|so much|an? \w+)\b|\bpaid off\b|\b(?:is|was|looks?|were) (?:so |really |just |pretty )?(?:sick|rad|dope|fire|slick|awesome|amazing|wonderful|reassuring)\b|\b(?:worked|works|went|turned out) (?:out )?(?:really |very |so |just )?(?:nicely|beautifully|a treat|wonders|smoothly|great|perfectly|fine)\b|\b(?:was|is|were|worked|works|turned out|went|reads|feels) (?:really |very |so |just |exactly |much |a |an |absolutely )*(?:good|great|nice|perfect|brilliant|right|excellent|lovely|spot on|smart|clever|pleasant|helpful|the right|easier|clearer|well|spot-on|ideal|neat|fantastic|wonderful|super|a joy|a relief)\b|^(?:lovely|perfect|brilliant|beautiful|excellent|great|nice|exactly)[,:!.]? |\bmade (?:the |it |my |this |that )?[^.;]{0,30}(?:easy|easier|simple|simpler|tiny|clear|painless|a breeze|readable|faster)\b|\bthat'?s (?:exactly )?(?:how|what|the way) (?:I|we) (?:want|like|need)\b/i,
  },
  {
    cue: "confirm",
    weight: 4,
    test: /\b(?:(?:let'?s |please |do )?(?:make|call) (?:that|it|this) (?:a|an|our|your|the) (?:habit|default|standard|rule|norm|pattern|policy|routine|practice)|stick (?:with|to) (?:it|that|this)|(?:go|goes|going) the same way|same (?:way |approach |again |recipe |pattern )?(?:for|with|in|on) (?:all|every|each|any|future|other|the (?:next|other|rest))|same \w+ (?:next time|again|every time|from now on)|stay with (?:that|it|this)|(?:do|keep) (?:it|that|this|the same|so) (?:again|like (?:that|this)|that way|this way|from now on|in future|going forward|next time|(?:for|on|with|in) (?!(?:the (?!(?:next|other|rest|remaining|following)\b)|this|that|these|my)\b)|every|whenever|when)|(?:that|this)(?:'s| is)? (?:our|the|your) (?:habit|default|standard|pattern) (?:now|from)|like (?:that|this) (?:from now on|every time|in future|again|going forward|whenever)|(?:always|every time|from now on)(?:,)? (?:like|the way) (?:that|this|you)|do (?:that|it|this) more (?:often)?|do (?:so|likewise) (?:for|in|with)|like (?:that|this) (?:from here on|(?:also )?(?:in (?:the )?future|next time|for (?:all|every)))|(?:carry|go|keep) (?:it )?(?:on|going|up) (?:doing (?:it|so|that|this) ?|like (?:that|this)|(?:that|this) way|with (?:that|this|it)(?! (?:\w+ )?(?:task|one|file|test|part|bug)))|(?:continue|keep working) (?:like (?:that|this)|(?:that|this) way)|(?:do|make|handle|treat|run|write|build|ship|review|roll out) (?:every|all|each|any|future|other|our) [\w -]{2,40}? (?:that|this|the same) way)\b/i,
  },
];
