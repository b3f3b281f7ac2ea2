/** English wording of what does not last: questions, tasks, bug reports, hearsay, the state of the moment. */
import { TASK_VERB } from "./english-words.ts";
import type { Rule } from "./rule.ts";

export const PASSING: readonly Rule[] = [
  {
    cue: "polite",
    weight: 4,
    test: /^(?:can|could|would|will) you (?:please )?(?:always|never|remember|keep|make sure|stop|from now on|only ever|use)\b/i,
  },
  { cue: "question", weight: -4, test: /\?["')]*\s*$/ },
  {
    cue: "question",
    weight: -4,
    test: /^(?:what|why|where|who|how)(?:'s| is| are| do| does| did| can| should| would| come| about| many| much| long)\b|^(?:is it|any idea|is there|are there|do you|does it|did you|have you|can we|shall we|should (?:we|I))\b/i,
  },
  {
    cue: "doubt",
    weight: -4,
    test: /\b(?:what if|maybe|perhaps|I wonder|wondering|not sure|no idea|no clue|should we|could we|shall we|thinking (?:about|of)|considering|hypothetically|some ?day|possibly|I guess|in theory|suppose|imagine|let'?s say|at some point)\b/i,
  },
  {
    cue: "bug",
    weight: -5,
    test: /(?<!\b(?:a|an|the|on|after|of|for|every|each|any) )\b(?:fails?|failing|failed|crash(?:es|ed|ing)?(?! (?:reports?|logs?|dumps?))|hangs?|hung|flickers?|errors? out)\b|\b(?:broken|times? out|timing out|not working|(?:doesn'?t|does not|isn'?t|stopped|don'?t) work(?:ing)?|blank (?:page|screen)|stack ?trace shows|won'?t (?:load|open|start|compile|build|run)|nothing happens|wrong (?:result|value|output|number|order)|on my machine|I (?:always |still |keep )?(?:get|see|got|getting)|when I (?:click|press|open|run|save|try|scroll)|never (?:finishes|arrives|loads|returns|ends|shows|fires)|redirected|it says|expects? \S+ but (?:gets?|got)|but (?:gets?|got) \d|shows up (?:twice|empty))\b/i,
  },
  {
    cue: "spec",
    weight: -2.5,
    test: /\b(?:buttons?|modals?|dialogs?|pages?|forms?|headers?|footers?|logo|icons?|menus?|dropdowns?|pop-?ups?|tooltips?|inputs?|fields?|screens?|sidebar|navbar|tabs|cards?|banners?|cursor|users?|player|visitors?|password|link|spinner|endpoint|function|method|class|script|command|tool|app|bot|parser|api)\b[^.;]{0,40}\b(?:should|must|needs? to|has to|have to|will)\b/i,
  },
  { cue: "doubt", weight: -2, test: /\b(?:might|I think|I suspect|seems?|looks like|probably|apparently|could be)\b/i },
  {
    cue: "transient",
    weight: -4,
    test: /\b(?:right now|at the moment|currently|for now|just now|for the moment|at present|(?:just )?this (?:once|time)|just once|one[- ]off|for today|just today|today only|temporarily|for (?:this|the current) (?:push|run|commit|one|task|session|test)|(?:going|off|out|heading|grabbing|back) (?:for|to|in|out) (?:a |an |the |some )?(?:coffee|lunch|dinner|meeting|walk|call|break|bed|bit|gym|dentist|tea|ten|five|minute)\b|I(?:'m| am) (?:going|on|off|back|out|away|seeing|getting|trying|editing|about to|afk|heading|stuck|writing|working|debugging|looking|testing|reading|still|done|waiting|running|confused|lost|tired|sorry)|brb|afk|lunch|give me a (?:minute|sec|second|moment)|hang on|(?:is|are|was) (?:red|down|failing|broken|stuck|flaky|green|hanging|slow today)|still (?:failing|broken|running|down|red)|while I'?m?|until (?:I|we)\b|for (?:a|the|another|a few) (?:minute|minutes|moment|second|while|hour|bit|now)\b|(?:is|are|it'?s) (?:restor|deploy|build|migrat|sync|upload|install|compil|updat|restart)ing\b|in ten\b|in a (?:minute|bit|sec|moment)|not now|ignore (?:that|this|it)|is running|crashed|just (?:pushed|merged|pulled|restarted|saw|noticed|got|deployed|ran))\b/i,
  },
  { cue: "transient", weight: -2, test: /\byet\b|\bagain\b|^(?:wait|hold on)\b/i },
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
    test: /\b(?:report back|(?:can|could) you (?:please )?(?:have|take|look|check|add|fix|find|write|run|show|explain|tell|help)|and then push|then push|need you to|I (?:want|need) (?:you )?to (?:add|fix|see|know|try|write|look|build|change)|let'?s (?:try|see|look|start|continue|move on|do it|add|fix|write))\b|\bfor me\W*$/i,
  },
  {
    cue: "task",
    weight: -2,
    test: /\b(?:in|on|of) (?:this|that) (?:file|line|function|branch|commit|paragraph|section|test|case|snippet|screen)\b|\bline \d+\b|\bstep \d+: /i,
  },
  {
    cue: "task",
    weight: -3,
    test: /[,;] (?:so |please |then |now )?(?:make (?:it|that|this)|fix (?:it|this|that)|look into (?:it|this|that)|change (?:it|that|this)|add (?:an?|one|it)|try (?:it|that|again)|run (?:it|that|again)|check (?:it|that|this|why|if)|show me|tell me|pull|push|rebase|revert)\b/i,
  },
  { cue: "task", weight: -2, test: /\bhere\W*$/i },
  { cue: "standing", weight: 0.5, test: /,? (?:always|every time|each time)\W*$/i },
  {
    cue: "task",
    weight: -4,
    test: /^(?:let|have|ask|get|tell|use|spawn|start) (?:an?|the|your|another|some) (?:[\w-]+ ){0,2}(?:agent|sub-?agent|helper|worker|bot|assistant)\b/i,
  },
  {
    cue: "task",
    weight: -3,
    test: /^(?:poke|collect|gather|dig|browse|scan|walk|grab|pick up|sum up|go through|sort)\b|\band (?:tell|show|give|let) me\b/i,
  },
  {
    cue: "report",
    weight: -5,
    test: /\b(?:readme|docs?|documentation|article|blog|post|page|tutorial|stack ?overflow|error|message|output|comment|book|video|website|changelog|linter|compiler|model|bot|answer|thread|chat) (?:\w+ )?(?:says?|said|claims?|claimed|recommends?|suggests?|tells|states|wants|wrote)\b|\baccording to\b|\bsomeone\b|\bI (?:read|heard|saw) (?:that|somewhere|on|in)\b|\bthey say\b/i,
  },
  {
    cue: "complaint",
    weight: -3,
    test: /\b(?:you (?:just|again|still|keep|did|ran|used|forgot|ignored|broke|put|wrote|called|said|told|were|are (?:still|again))|earlier you|why did you|that (?:was|is|'s) (?:wrong|not what)\W*$)\b/i,
  },
  {
    cue: "restates",
    weight: -0.5,
    test: /\b(?:I (?:told|said|already|asked)|as I said|like I said|once more|I repeat)\b/i,
  },
];
