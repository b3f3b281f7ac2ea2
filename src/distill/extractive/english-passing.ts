/** English wording of what does not last: questions, tasks, bug reports, hearsay, the state of the moment. */
import { TASK_VERB } from "./english-words.ts";
import type { Rule } from "./rule.ts";

export const PASSING: readonly Rule[] = [
  { cue: "complaint", weight: -3, test: /\b(?:ur|your) \w+ (?:are|is|were|was) (?:way |far |much |so )?too\b/i },
  {
    cue: "task",
    weight: -4,
    test: /(?<!\b(?:the|a|an|this|that|same|each|every|any|hot|bug|of|no|first|then|for) )\bfix(?: (?:it|that|this))?\W*$/i,
  },
  {
    // "use a regex there instead": about one place in the code
    cue: "task",
    weight: -4,
    test: /\b(?:here|there) (?:instead|too|as well|rather than)\b|^(?:in )?this (?:pr|branch|commit|ticket|function|file|page|screen|component|test|change|patch|query|endpoint|class|migration|diff) (?:\w+ )?(?:should|must|needs?|only|can|has to|is)\b/i,
  },
  {
    // A prompt for a helper, or the name of a piece of work: "Main session 0: tidy the parser."
    cue: "task",
    weight: -9,
    test: /^(?:(?:main|sub-?|side|next|parent|child|worker) ?)?(?:session|task|sub-?task|agent|sub-?agent|worker|thread|job|mission|assignment|todo|ticket|objective|goal)s?(?: (?:no\.? ?)?#?\w{1,4}| task| prompt)?: |^you are (?:an?|the) (?:[\w-]+ ){0,4}(?:helper|agent|sub-?agent|assistant|worker|bot|reviewer|expert|explorer|researcher)\b/i,
  },
  {
    // Once that has succeeded, or the listener is done: one occasion.
    cue: "task",
    weight: -9,
    test: /^(?!.*\b(?:always|every|each|never|from now on)\b)(?:if|when|once|after(?! that\b)|as soon as|whenever) (?:you(?:'re| are|'ve| have) (?:\w+ )?(?:done|finished|ready|through|at it|there)|(?:it|that|this|all|everything|both|they)\b[^,]{0,30}|the \w+(?: \w+)? (?:works?|passes|(?:is|are) (?:green|done|ok|okay|fine|finished|ready|good|through)|succeeds?|looks|finish(?:es)?))[^,]{0,20},? (?!you (?:stop|wait))/i,
  },
  {
    cue: "task",
    weight: -9,
    test: /^(?:(?:please|now|then|just|and) )*(?:write|make|create|add|build|draft|code|generate|whip up|put together|prepare|set up) (?:me )?(?:an?|the|another|some|two|three|a few|one more) (?:[\w-]+ ){0,3}(?:scripts?|functions?|tests?|classe?s?|helpers?|hooks?|components?|endpoints?|migrations?|quer(?:y|ies)|commands?|programs?|methods?|wrappers?|parsers?|pages?|buttons?|columns?|fixtures?|mocks?|stubs?|forms?|modals?|tables?|routes?|handlers?)\b(?! (?:for|per|with|in) (?:every|each|all|any)\b)/i,
  },
  {
    cue: "task",
    weight: -9,
    test: /^your (?:job|task|mission|assignment|goal|objective) (?:here |now |today )?is\b|[,;] only change\b/i,
  },
  {
    cue: "task",
    weight: -6,
    test: /\b(?:put|move|place|align|show) (?:the |it |this |that )[\w ]{0,20}?(?:on|at|to|in) the (?:left|right|top|bottom|middle|cent(?:er|re)|side|corner)\b/i,
  },
  {
    // Told of people, not of the project: "my students never read error messages"
    cue: "report",
    weight: -9,
    test: /\b(?:my|the|our|some|these|those|most) (?:\w+ )?(?:students?|kids?|children|skippers?|drivers?|neighbou?rs?|boss|wife|husband|mother|father|colleagues?|folks|guys|people|volunteers?|interns?|customers?|users?|guests?|visitors?) (?:always|never|keep|kept) (?!(?:see|get|need|pay|have|be|must|reach|log|sign)\b)\w+/i,
  },
  {
    cue: "doubt",
    weight: -4,
    test: /^(?:nobody|no one|somebody|someone|everybody|everyone) (?:else )?(?:had|was|were|knew|saw|came|got|told|wanted|volunteered|noticed|laughed|\w+ed)\b(?! (?:that|by|in)\b)/i,
  },
  {
    cue: "doubt",
    weight: -4,
    test: /\b(?:sadly|luckily|funnily|hilarious|adorable|cute|in love|the weather|raining|snowing)\b/i,
  },
  {
    // A thing seen going wrong, pointed at.
    cue: "bug",
    weight: -5,
    test: /[,;:] (?:annoying|annoyingly|weird|weirdly|odd|oddly|strange|ugh|argh|sigh|why|how come)\b|\b(?:see|check|look at) (?:the |attached )?(?:logs?|trace|screenshot|output|console|attachment|picture|stack ?trace)\W*$|\b(?:is|are) (?:duplicated|doubled|garbled|truncated|misaligned|swapped|out of (?:sync|order))\b(?! (?:if|when|unless))/i,
  },
  {
    cue: "transient",
    weight: -4,
    test: /\b(?:meeting|call|appointment|sync|catch-?up|chat) with [^.;]{3,30} (?:on|at)\b|\bso let'?s\b/i,
  },
  {
    // What a piece of code does, or how slow a thing was.
    cue: "bug",
    weight: -5,
    test: /\btakes? (?:\w+ ){0,2}(?:seconds?|minutes?|hours?|ages|forever|long) to (?:load|open|start|render|finish|boot|run|respond|compile|build)\b|^the (?:[\w-]+ )?(?:loop|hook|callback|closure|variable|promise|regex|selector|constructor|getter|setter) (?:is|runs?|takes?|gets?|returns?|calls?|fires?|matches|uses?|throws?)\b|^the (?:[\w-]+ )?(?:function|method|class|handler|helper|component) (?:takes?|returns?|calls?|throws?|expects?|wraps?|gets?)\b/i,
  },
  {
    cue: "spec",
    weight: -4,
    test: /^(?:the|that|this) (?:[\w-]+ ){0,2}(?:should|must|needs to) be \d+ ?(?:px|pt|rem|em|pixels)\b/i,
  },
  {
    cue: "spec",
    weight: -2.5,
    test: /^(?:the|that|this) (?:[\w-]+ )?(?:regex|query|parser|helper|hook|component|endpoint|test|class|function|method|selector|migration|script|header|footer|logo|button|sidebar|column|form|modal|card|title|label|icon|image|input|row|cell|text|popup|page) (?:also |only |then )?(?:needs?|should|must|has|ought|could|can)\b/i,
  },
  {
    cue: "polite",
    weight: 4,
    test: /^(?:can|could|would|will) you (?:please )?(?:always|never|remember|keep|make sure|stop|from now on|only ever|use)\b/i,
  },
  { cue: "question", weight: -4, test: /\?["')]*\s*$/ },
  {
    cue: "question",
    weight: -4,
    test: /^(?:what(?!(?:'s| is) (?:in|under|left|written|stored) [\w./]+ (?:came|is|belongs|goes|comes|was)\b)|why|where|who|how)(?:'s| is| are| do| does| did| can| should| would| come| about| many| much| long)\b|^(?:is it|any idea|is there|are there|do you|does it|did you|have you|can we|shall we|should (?:we|I))\b/i,
  },
  {
    cue: "doubt",
    weight: -4,
    test: /\b(?:what if|maybe|perhaps|I wonder|wondering|not sure|no idea|no clue|should we|could we|shall we|thinking (?:about|of)|considering|hypothetically|some ?day|possibly|I guess|in theory|suppose|imagine|let'?s say|at some point)\b/i,
  },
  {
    cue: "bug",
    weight: -5,
    test: /(?<!\b(?:a|an|the|on|after|of|for|every|each|any) )\b(?:fails?|failing|failed|crash(?:es|ed|ing)?(?! (?:reports?|logs?|dumps?))|hangs?|hung|flickers?|errors? out)\b|\b(?:broken|times? out|timing out|not working|(?:doesn'?t|does not|isn'?t|stopped|don'?t) work(?:ing)?|blank (?:page|screen)|keeps? (?!(?:it|them|that|the|a|an|your|its|their|us|me)\b)\w+ing\b|stack ?trace shows|won'?t (?:load|open|start|compile|build|run)|nothing happens|wrong (?:result|value|output|number|order)|\b(?:error|bug|issue|crash|problem|glitch|warning)s? (?:only |still |also |just )?(?:happens?|occurs?|appears?|shows up|comes (?:up|from|back))|(?:is|are|was|looks|seems) (?:wrong|incorrect|buggy|garbage|nonsense)(?! (?:to|when|if)\b)|on my machine|I (?:always |still |keep )?(?:get|see|got|getting)|when I (?:click|press|open|run|save|try|scroll)|never (?:finishes|arrives|loads|returns|ends|shows|fires)|redirected|it says|expects? \S+ but (?:gets?|got)|but (?:gets?|got) \d|shows up (?:twice|empty))\b/i,
  },
  {
    cue: "spec",
    weight: -2.5,
    test: /\b(?:buttons?|modals?|dialogs?|pages?|forms?|headers?|footers?|logo|icons?|menus?|dropdowns?|pop-?ups?|tooltips?|inputs?|fields?|screens?|sidebar|navbar|tabs|cards?|banners?|cursor|users?|player|visitors?|password|link|spinner|endpoint|function|method|class|script|command|tool|app|bot|parser|api)\b[^.;]{0,40}\b(?:should|must|needs? to|has to|have to|will)\b/i,
  },
  {
    cue: "spec",
    weight: -2.5,
    test: /^the (?:\w+ )?(?:list|table|grid|view|component|chart|map|homepage|form|page|modal|dialog|screen|menu|header|footer|card|button) (?:also )?(?:needs (?:an?|some|more)|should (?:have|show)|could use)\b/i,
  },
  {
    cue: "task",
    weight: -3,
    test: /^(?:when|if|once|after) (?:the |an? )?(?:user|visitor|player|customer|button|page|form|modal|dialog|cursor|field|list|input)s? \w+/i,
  },
  {
    cue: "doubt",
    weight: -2,
    test: /\b(?:might|I think(?! in [a-z]+ (?:so|and)\b)|I suspect|seems?|looks like|probably|apparently|could be)\b/i,
  },
  {
    cue: "transient",
    weight: -4,
    test: /\b(?:right now|at the moment|currently|for now|just now|for the moment|at present|(?:just )?this (?:once|time)|just once|one[- ]off|for today|just today|today only|temporarily|for (?:this|the current) (?:push|run|commit|one|task|session|test)|(?:going|off|out|heading|grabbing|back) (?:for|to|in|out) (?:a |an |the |some )?(?:coffee|lunch|dinner|meeting|walk|call|break|bed|bit|gym|dentist|tea|ten|five|minute)\b|(?<!\b(?:when|whenever|if|because|since|that|unless) )I(?:'m| am) (?:going|on|off|back|out|away|seeing|getting|trying|editing|about to|afk|heading|stuck|writing|working|debugging|looking|testing|reading|still|done|waiting|running|confused|lost|tired|sorry)|brb|afk|lunch|give me a (?:minute|sec|second|moment)|hang on|(?:is|are|was) (?:red|down|failing|broken|stuck|flaky|green|hanging|slow today)|still (?:failing|broken|running|down|red)|while I'?m?|\buntil (?:I|we)\b(?<!\b(?:from|starting|begins?|has to|must)\b[^.;]{0,80} until \w+)(?! (?:say|tell|give|lift|announce|confirm|have said))|for (?:a|the|another|a few) (?:minute|minutes|moment|second|while|hour|bit|now)\b|(?:is|are|it'?s) (?:restor|deploy|build|migrat|sync|upload|install|compil|updat|restart)ing\b|in ten\b|in a (?:minute|bit|sec|moment)|not now|ignore (?:that|this|it)|is running|crashed|just (?:pushed|merged|pulled|restarted|saw|noticed|got|deployed|ran))\b/i,
  },
  {
    cue: "transient",
    weight: -4,
    test: /\bfor (?:an|one|two|the next|another|a couple of|half an) (?:hours?|minutes?|days?|bit)\b|\b(?:until|till)(?<!\bfrom\b[^.;]{0,80} \w+) (?:tonight|tomorrow|noon|lunch|later|then|further notice|(?:the )?(?:evening|afternoon|morning)|(?:I|we|he|she|they)\b(?! (?:say|says|tell|tells|give|gives|lift|lifts|announce|confirm|confirms)\b))|\b(?:for|in) (?:the rest of )?(?:this|the) (?:session|pr|branch|afternoon|morning|conversation)\b(?! (?:and|too|as well))|\b(?:back|be back|return) in (?:\d+|an?|half|five|ten)\b|\bstand-?up\b(?=[,.]|$)|\bin (?:a|the|another) (?:[\w-]+ )?(?:meeting|call|workshop)\b[^.;]{0,20}\b(?:until|till|all day|now)\b|\b(?:is|are|stays?) (?:open|up|on|running|booted|connected|attached|mounted|plugged in)\b[^.;]{0,30}[,;] (?:so |and |but )?(?:please )?(?:don'?t|do not|leave)\b|\bleave (?:it|them|that|everything) (?:running|open|on|up|booted|connected|plugged in|alone for now)\b|\b(?:noisy|red|slow|failing|broken|flaky|late|empty|down|warnings?|errors?|fail(?:s|ures?)?|noise|upgrade|wrong)\b[^.;]{0,60}\bignore(?: (?:them|those|these|it|that|all (?:that|of (?:it|them))|the \w+))?\W*$|^ignore (?:the|all|any) (?:noise|warnings?|errors?|output|red|failures?|yellow)\b|\b(?:is|are) (?:late|off|out|sick|on holiday|on leave|on vacation|away|travelling) (?:today|this week|right now|until)\b|\bsince (?:this (?:morning|afternoon|week)|an? (?:hour|while)|lunch|yesterday|last night|the (?:upgrade|deploy|reboot|restart|outage))\b|\b(?:be|are|is) (?:wobbly|bumpy|unstable|shaky) (?:for|until|this)\b|\b(?:noisy|slow|red|flaky|wobbly|grumpy|weird|busy) (?:because|due to|today|since)\b/i,
  },
  {
    // "avoid it today", "for the rebuttal only", "that's me, testing", "I'm presenting", "is at epoch 14"
    cue: "transient",
    weight: -4,
    test: /^(?!.*\b(?:decid|agree|sign|approv|settl|confirm|launch|releas|freez|froze|switch|ship|start|due|deadline|go live)).*(?<!\bfrom )\b(?:today|tonight)\b|^(?:just |and )?for (?:the|this) [\w -]{2,30} only\b|\b(?:is|was|it'?s|that'?s) (?:just |only )?me\b(?=[,.;]|$)|(?<!\b(?:when|whenever|if|because|since|that|unless) )\bI'?(?:m| am) (?:just |only |still )?(?!learning|picking|coming|getting into|getting used|leading|running|using|teaching|going blind|missing|hoping|asking|expecting|being)\w+ing\b|(?<!\b(?:read|review|finish|load|done|run|respond|answer|digest|start|boot|build|reviewed|answered|rendered|loads?)(?: \w+)? )\bin (?:an?|half an|two|five|ten|\d+) (?:hours?|minutes?|mins?|secs?)\b|\b(?:is|are|was) (?:now |still |only )?at (?:epoch|step|iteration|line|page|\d)|\blooks? (?:fine|good|ok|okay|right|better|great|weird|odd|wrong|off)\b|\bby (?:accident|mistake)\b|\b(?:my|your) (?:branch|laptop|machine|screen|terminal|vpn|side|end|connection|battery)\b|^(?:yours|mine) (?:is|are)\b|\b(?:is|are) (?:asking|waiting|looking|wondering|calling|travell?ing|hanging|acting)\b|\b(?:is|are) (?:offline|online|unreachable|unavailable|wonky)\b|\bport \d+ is (?:taken|used|busy|in use|free|open)\b|\bI(?:'ve| have)? (?:already |just )?(?:reverted|fixed|killed|cleaned|restored|pushed|deleted|removed)\b|\bleave it\W*$/i,
  },
  {
    // "is in maintenance", "covers for Ana until the 20th", "two hours left"
    cue: "transient",
    weight: -4,
    test: /\b(?:this|that) (?:morning|afternoon|evening)\b(?=[,.!;]|$)|[\w)],? ignore\W*$|^(?!.*\b(?:until|till|before)\b).*\b(?:is|are) still being \w+(?:ed|wn|lt|en|un)\b|\b(?:is|are) (?:rejecting|refusing|blocking|throttling|ignoring) us\b|\b(?:in|under|down for) maintenance\b(?! (?:mode|windows?))|\b(?:is|are) (?:covering|standing in|filling in|subbing) for\b|\b(?:is|are) \d+ (?:deep|behind|ahead)\b|\b(?:will|I'?ll) (?:lift|undo|revert|reset|reopen|re-?enable|fix|put) (?:it|that|them)\b|\w'?s (?:still )?running\b|\b(?:hours?|minutes?|days?|mins?|percent|%) (?:or so )?(?:left|to go)\b|\b(?:at|is) (?:\d+|about \d+) ?(?:percent|%) (?:full|done|used)\b|\b(?:allowed|fine|ok(?:ay)?|you can) to skip\b.*\bthis time\b/i,
  },
  { cue: "transient", weight: -2, test: /\b(?:is|are) still (?:on|at|in|with)\b/i },
  {
    // "I've capped the queue": a report of what was done, unless it decides something.
    cue: "transient",
    weight: -2,
    test: /^I(?:'ve| have)? (?:just |already |now |temporarily )?(?!(?:used|learned|worked|decided|agreed|lived|needed|wanted|asked|noticed|promised|appreciated|enjoyed|changed my|never|been|always|expected|trained|studied|started|picked|liked|loved|hated)\b)[a-z]+ed\b/i,
  },
  { cue: "task", weight: -2, test: /\bfor this\W*$/i },
  {
    // What the speaker did just now: "paused the cron", "I muted the pager"
    cue: "transient",
    weight: -4,
    test: /^(?:I(?:'ve| have)? (?:just |already |now )?)?(?:paused|muted|stopped|restarted|disabled|commented out|stashed|rebooted|unplugged|silenced|snoozed|parked|cordoned|killed off|turned off|switched off|checked out|spun up)\b/i,
  },
  {
    cue: "transient",
    weight: -2,
    test: /\byet\b|\bagain\b(?<!\b(?:ever|never|any|not|that|same|see|want)\b[^.;]{0,40}again)|^(?:wait|hold on)\b/i,
  },
  {
    cue: "task",
    weight: -3,
    test: new RegExp(
      `^(?:(?:now|then|next|first|just|go ahead and|please|kindly) )*(?:(?:can|could|would|will) you )?(?:please )?${TASK_VERB}\\b(?! (?:\\w+ )?(?:goes|go|is|are|was|were|runs|uses|lives|must|should|has|needs|stays|happens|belongs)\\b)`,
      "i",
    ),
  },
  {
    cue: "task",
    weight: -3,
    test: /\b(?:report back|(?:can|could) you (?:please )?(?:have|take|look|check|add|fix|find|write|run|show|explain|tell|help)|and then push|then push|need you to|I (?:want|need) (?:you )?to (?:add|fix|see|know|try|write|look|build|change)|let'?s (?:try|see|look|start|continue|move on|do it|add|fix|write))\b|\b(?:fix|do|check|run|write|look|add|make|find|draft|open|update|test|review|merge|clean) [^.;]{2,50} for me\W*$/i,
  },
  {
    cue: "task",
    weight: -2,
    test: /\b(?:in|on|of) (?:this|that) (?:file|line|function|branch|commit|paragraph|section|test|case|snippet|screen|table|query|endpoint|class|component|job|page|ticket|folder)\b|\b(?:on|for|with|in) this one\b|\bline \d+\b|\bstep \d+: /i,
  },
  {
    cue: "task",
    weight: -3,
    test: /[,;] (?:so |please |then |now )?(?:make (?:it|that|this)(?! \d+(?!\w*px))|look at (?:it|that|this)|fix (?:it|this|that)|look into (?:it|this|that)|change (?:it|that|this)|add (?:an?|one|it)|try (?:it|that|again)|run (?:it|that|again)|check (?:it|that|this|why|if)|show me|tell me(?! when| if| before| whenever)|pull|push|rebase|revert)\b/i,
  },
  { cue: "task", weight: -2, test: /\bhere\W*$(?<!\bwe \w+ [^.;]{0,40}here\W*)/i },
  { cue: "standing", weight: 0.5, test: /,? (?:always|every time|each time)\W*$/i },
  {
    cue: "task",
    weight: -4,
    test: /^(?:might|may|could|can|would|should) (?:an?|the|your|one) (?:[\w-]+ ){0,2}(?:(?:sub-?)?agents?|helpers?)\b|^(?:let|have|ask|get|tell|use|spawn|start|send|dispatch|launch|kick off|fire up|put|run|give|hand) (?:[^.,;]{2,40} to )?(?:an?|the|your|another|some|one) (?:[\w-]+ ){0,2}(?:(?:sub-?)?agents?|helpers?|sub-?tasks?|minions?|bot|assistant)\b(?! (?:must|should|may|is|has|needs)\b)|\b(?:can|could|would) you (?:send|spawn|use|let|have|dispatch|launch) an? (?:[\w-]+ ){0,2}(?:(?:sub-?)?agent|helper)\b/i,
  },
  {
    cue: "task",
    weight: -3,
    test: /^(?:poke|collect|gather|dig|browse|scan|walk|grab|pick up|sum up|go through|sort)\b|^(?!(?:if|when|whenever|unless|before|always|never)\b).*\band (?:tell|show|give|let) me\b/i,
  },
  {
    // An order without a word of lasting: whatever is kept of such a sentence must outweigh it.
    cue: "task",
    weight: -1.5,
    test: /^(?:cut|close|drop|kick|cancel|order|book|call|wipe|clear|empty|switch|turn|flip|swap|apply|roll|ship|upload|download|import|export|load|pick|apply|attach|assign|archive|approve|clone|copy|disable|enable|reset|restart|reboot|resend|rerun|retrain|resume|start|stop it|kill|train|deploy|publish|release|trim|tweak|adjust|align|resize|reorder|bring|take|paste|format this|get|grep|hunt|investigate|inline|split it|profile|benchmark|time|trace|upgrade|downgrade|verify|validate) (?!(?:bugs|tickets|issues|incidents|requests|only|every|all|each|any|no)\b)/i,
  },
  {
    cue: "task",
    weight: -3,
    test: /\bso (?:that )?I can (?:watch|see|look|test|check|try|compare|demo|show|merge|review it|have a look)\b|\b(?:list|number|count|names?|output|summary|path|answer|diff) only\W*$|\bjust the (?:list|number|count|names?|output|paths?|answer)\W*$|\bnothing but the (?:list|number|names?)\b|, dry run\b/i,
  },
  {
    // Somebody else's words: a client says "...", the forum wrote “...”
    cue: "report",
    weight: -5,
    test: /(?<!\b(?:I|you|we) )\b(?:says?|said|writes?|wrote|written|claims?|claimed|thinks|insists|insisted|demands?|keeps saying|shouted|posted|mailed|tweeted|commented|joked|replied)\b[^"“]{0,40}[:,]? ?["“]|\b(?:fwd|forwarded|mail|message|quote|post|comment|note|email|letter|dm|ticket)\b[^"“.]{0,30}[:,] ?["“]/i,
  },
  {
    cue: "report",
    weight: -5,
    test: /\b(?:guy|dude|bloke|cousin|wife|husband|girlfriend|boyfriend|mother|father|mum|mom|dad|brother|sister|friend|neighbou?r|intern|forum|podcast|blogger|influencer|reddit|hacker news|hn|twitter|linkedin|youtube|tiktok|chatgpt|copilot|gpt|gemini|sticker|poster|meme|rumou?r|salesman|sales rep|recruiter|newsletter|sticker|t-?shirt)\b[^.;]{0,60}\b(?:says?|said|thinks?|wants|swears?|claims?|claimed|asked|asks|told|tells|recommends?|suggests?|insists?|believes?|reckons?|tweeted|posted|wrote|writes|keeps|always|never|must|should)\b/i,
  },
  {
    cue: "report",
    weight: -5,
    test: /(?<!\b(?:an?|every|each) )\b(?:readme|docs?|documentation|article|blog|post|page|tutorial|stack ?overflow|error|message|output|comment|book|video|website|changelog|linter|compiler|model|bot|answer|thread|chat) (?:\w+ )?(?:says?|said|claims?|claimed|recommends?|suggests?|tells|states|wants|wrote)\b|\baccording to\b|(?<!\b(?:before|if|when|whenever|unless|until|once|finally) )\bsomeone\b|\bI (?:read|heard|saw) (?:that|somewhere|on|in)\b|\bthey say\b/i,
  },
  {
    cue: "complaint",
    weight: -3,
    test: /(?<!\b(?:never|always|what|how|could|can|would|should|will|if|when) )\b(?:you (?:(?:just|again|still) (?:\w+ed|broke|ran|wrote|put|did|forgot|made|sent|went|said|are|used|keep)|keep|did|ran|used|forgot|ignored|broke|put|wrote|called|said|told|were|are (?:still|again))|earlier you|why did you|that (?:was|is|'s) (?:wrong|not what)\W*$)\b/i,
  },
  {
    cue: "restates",
    weight: -0.5,
    test: /\b(?:I (?:told|said|already|asked)|as I said|like I said|once more|I repeat)\b/i,
  },
];
