/** English wording of taking something back: patterns whose group 1 is what goes. */

const TARGET = "([^.,:;!?\\n]{2,80}?)";
const TAKE =
  "(?:forget|scratch|kill|ignore|disregard|drop|scrap|cancel|withdraw|take back|strike|undo|discard|lose|bin|skip|ditch)";

export const WITHDRAWN: readonly RegExp[] = [
  // "the plants line in the PRs, we don't need that", "there's no longer any call to copy her"
  /^(?:(?:and|oh|so|also),? )*(?:the |that |those |this |my )+([^.,;:\n]{2,50}), (?:we|I|you|nobody) (?:really |actually )?(?:don'?t|do not|doesn'?t|no longer) (?:need|want|use|read)s? (?:it|that|them|this|those)\b/gi,
  /\bthere(?:'s| is) no (?:longer (?:any )?)?(?:need|call|reason|point|use) (?:to|in|for|of) (?!(?:hurry|rush|worry|panic|apologi[sz]e|thank)\b)([^.,;:\n]{4,60})/gi,
  // "Lena's ok isn't needed for deploys any more", "we dropped commit signing"
  /^(?:the |those |these |my |our |all )*([^.,;:\n]{2,50}?) (?:is|are)(?:n'?t| not| no longer) (?:needed|required|necessary|wanted)(?= (?:for [\w ]{2,24} )?(?:any ?more|any longer|now)\b|[.,;!]|$)/gi,
  // "You can skip the summary at the end", "no need to keep the drawings"
  /^(?:(?:and|so|also|ok),? )?(?:you|we) (?:can|may|could)(?: now| also| safely| just| all)* (?:skip|drop|omit|leave (?:out|off)|lose|forget(?: about)?|stop (?:with )?(?:adding|writing|doing|putting|making|sending|posting|drawing|printing|using|including|giving|running|asking)?) ?(?:the |those |these |all |any |that |my )*([^.,;:!\n]{2,60}?)(?: (?:now|from now on|again|after all|any ?more|altogether))?(?=[.,;:!]|$)/gi,
  // "the changelog lines are more trouble than they're worth"
  /^(?:(?:you know what|honestly|turns out|thinking about it|on reflection|in hindsight),? )*(?:the |those |these |my |all )*([^.,;:\n]{2,50}?) (?:is|are|was|were|has been|have been|turned out(?: to be)?|proved(?: to be)?)(?: \w+)? (?:more trouble than|not worth|a waste|overkill|pointless|useless|a (?:bad|dumb|silly|stupid) idea)\b/gi,
  /^(?:ok(?:ay)? |that'?s )?(?:enough|that'?s enough) (?:with|of) (?:the |those |these |my |all the )?([^.,;:!\n]{2,50})/gi,
  /(?:^|[,;] )([A-Z][\w.-]+) (?:was|has been|turned out(?: to be)?) (?:a |an |the )?(?:mistake|dead end|failure|wrong (?:choice|call|pick))\b/g,
  /\b(?:go(?:ing)? back on|back(?:ing)? out of|giv(?:e|ing) up on|part(?:ing)? ways with) (?:the |using )?([A-Z][\w.-]+)/g,
  /^leave out (?:the )?([^.,;:!\n]{2,60}?)(?: from now on| from here on)?(?=, [^.,;]{2,40} (?:took|takes|has taken|does|do|handles?|covers?) (?:that|it|this|those|them)\b)/gi,
  /\bchanged (?:my|our) minds? (?:about|on|regarding) (?:the |that |using )?([^.,;:!\n]{2,60})/gi,
  /^(?:all )?(?:the |those |my )?([^.,;:\n]{2,50}?) can go(?: now| again| after all)?(?=[,.;!]|$)/gi,
  new RegExp(
    `^(?:(?:so|and|ok|oh|also|btw)[, ]+)*(?:about|as for|regarding|concerning) (?:the |that |my )?${TARGET}(?:\\s*[,:;–—]+|\\s+-+)\\s*(?:please |you can |just )*(?:${TAKE}|not (?:needed|necessary|any ?more)|no longer|no more|gone|over)\\b[^.!\\n]{0,60}`,
    "gi",
  ),
  /^(?:please |let'?s |you can |you may |feel free to |we can |ok,? |and |just )*(?:forget|scratch|kill|ignore|disregard|drop|scrap|cancel|withdraw|take back|strike|undo|discard|ditch|lose)(?: about)? (?:what I (?:said|told you|asked)(?: you)?(?: earlier)? about |the (?:thing|bit|part|rule|request|instruction|decision|note) (?:about|on|with|that|for) |my (?:rule|request|note|instruction|preference) (?:about|on) |everything about |all the |the |that (?!then\b|please\b|now\b)|my |those )?([^.,:;!\n]{2,80})/gi,
  /^(?:never ?mind|nevermind) (?:about )?(?:the |that |what I said about )?([^.,;!\n]{2,60})/gi,
  // "that thing about prefixes, drop it", "the squashing: forget I said it"
  new RegExp(
    `^(?:(?:so|about|and|ok|oh|as for|regarding|concerning|also|btw|remember)[, ]+)*(?:that|the|my|this|your) (?:(?:thing|rule|bit|stuff|part|instruction|request|note|idea|business)s? (?:about|on|with|where|for|of|that) )?(?:I (?:asked|told|wanted) (?:you )?(?:to )?)?${TARGET}(?: (?:thing|rule|bit|stuff|part|business|instruction|request|idea))?(?:\\s*[,:;–—]+|\\s+-+)\\s*(?:please |you can |you may |just |let'?s |we can |I'?d |I |well |all )*(?:${TAKE}|never ?mind|not (?:needed|necessary|any ?more)|no longer|nope|gone|withdrawn|over|off)\\b[^.!\\n]{0,60}`,
    "gi",
  ),
  /^(?:(?:so|and|ok|well|nope|no|hm+)[, ]+|[^.,;:\n]{2,40}: )*(?:the |my |that )?([^.,;:\n]{2,60}?)(?:'s| is| are) (?:now |both |all |officially )?(?:off the table(?: now)?|cancelled|canceled|off(?! (?:by|the|limits|white))|out(?! (?:of|on|in|there|to))|dead|gone(?! (?:up|down|to|from|through))|history|void|withdrawn|obsolete|no longer (?:needed|valid|necessary|an option|a thing)|not (?:needed|necessary|required) any ?more)\b(?! of)/gi,
  /^(?:no need (?:for|to)|you (?:can|may) stop|we (?:don'?t|no longer) need(?: to)?|stop doing) ([^.,;!\n]{2,60})(?:\sany ?more|,|$)/gi,
  /^(?:you|we) (?:don'?t|do not|no longer) (?:have|need) to ([^.,;!\n]{2,60}?) (?:any ?more|any longer|now|after all)\b/gi,
  /^(?:you|we) no longer (?:have|need) to ([^.,;!\n]{2,60})/gi,
];
