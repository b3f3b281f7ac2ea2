/** English word lists that the patterns are built from: sources of regular expressions, not expressions. */

export const TONGUE =
  "(?:English|German|French|Spanish|Portuguese|Italian|Dutch|Polish|Russian|Turkish|Arabic|Hindi|Japanese|Korean|Chinese|Mandarin|Cantonese|Vietnamese|Swedish|Danish|Norwegian|Finnish|Czech|Greek|Hebrew|Ukrainian|Catalan|Basque|Galician|Welsh|Irish|Romanian|Hungarian|Bulgarian|Serbian|Croatian|Slovak|Slovenian|Estonian|Latvian|Lithuanian|Icelandic|Thai|Indonesian|Malay|Tagalog|Bengali|Urdu|Persian|Farsi|Swahili|Afrikaans|Tamil|Telugu|Nepali)";
export const ROLE =
  "(?:lead|owner|manager|director|head|designer|architect|engineer|maintainer|admin|officer|reviewer|editor|analyst|contact|coordinator|producer|PM|CTO|CEO|DBA|SRE|QA|counsel|lawyer|auditor|client|customer|vendor|supplier)";
export const OCCASION =
  "(?:commits?|releases?|deploys?|deployments?|pushes|push|PRs?|pull requests?|merge requests?|merges?|reviews?|changes?|migrations?|tests?|builds?|answers?|replies|reply|sessions?|functions?|files?|endpoints?|components?|modules?|models?|requests?|features?|bug ?fix(?:es)?|tickets?|issues?|branch(?:es)?|charts?|figures?|chapters?|sections?|headings?|reports?|queries|query|tables?|scripts?|notebooks?|experiments?|runs?|boards?|levels?|assets?|screens?|buttons?|strings?|errors?|logs?|quarter|sprint|week|month|morning|night|day)";
export const LASTING_VERB =
  "(?:use|put|write|name|call|leave|ask|check with|follow|start|end|commit|format|tag|answer|reply|respond|limit|wrap|sort|store|pin|squash|log|document|test|run|go through|talk to|ping|tell|show|paste|quote|spell|prefix|sign|review|lint|batch|chunk|stay|make|set|include|mention|link|cite|round|escape|validate|mark|label|group|split|cap|quantize|calibrate|solder|render|bake|export|import|back up|annotate|measure|escalate|notify|copy|report|describe|explain|compare|relate|lead|open with)";
export const TASK_VERB =
  "(?:add|fix|tar|zip|grep|curl|scp|create|implement|refactor|rename|update|change(?! (?:of|freeze|freezes|log|logs|window|windows|requests?|management)\\b)|move|delete|remove|look|show me|explain (?:this|that|what|why|how|the)|read|open|find|search|summari[sz]e|list|check (?:out|if|why|whether|the|what|my)|try|tell me (?:what|why|how|if|which|where)|give me(?! [^.;]{2,60}\\b(?:first|before)\\b| [\\w ]{2,30} in (?:utc|gmt|cet|metric|euros?|dollars)\\b)|help|continue|go ahead|go on|proceed|fetch|plot|draw|sketch|spin up|fire up|kick off|bump|merge|push|pull|deploy|install|generate|debug|investigate|figure out|convert|translate|rewrite|tighten|rebase|revert|undo|redo|retry|build|run (?:it|this|that|git|again|them)|print (?:it|this|that|out|the)|do (?:it|this|that|these|those|the following)|have a look|take a look|start (?:with|the|on|over)|compare|clean up|extract|port|wire|hook up|ship it|polish|shorten|draft|make it|make sure (?:it|this|that|the build|the tests)|write (?:a|an|me|the|some|up)|only change|tail|count|make (?:a|an|the|that|this|me)|design(?! (?:tokens?|files?|docs?|systems?|reviews?)\\b)|set up|put (?:it|that|this)|send|prepare|review (?:this|the|my)|translate|describe (?:this|the|what)|test (?:it|this|that)|leave (?:it|that|this|the(?! [\\w /.-]{3,40} (?:as (?:it is|they are)|alone|untouched)))|use (?:a|an|your) [\\w-]{1,20} (?:to|and))";

export const SYSTEMS =
  "dashboards?|wiki|runbooks?|trackers?|tickets?|bugs|issues|crash(?:es| reports?)|incidents?|alerts?|logs?|metrics|traces|docs|documentation|specs?|designs?|mockups?|recordings?|credentials|roadmap|backlog|schematics?|datasheets?|datasets?|style ?guide|playbooks?|minutes|postmortems?|reports?|requests|stories|epics|feedback|errors|assets|templates|contracts|invoices|slides";
/** A name, an address, or a thing that holds things. */
export const SOMEWHERE =
  "(?:the |our |an? |its )?(?:[A-Z#@/~`]|https?|(?:[\\w-]+ ){0,3}(?:wiki|tracker|board|channel|repo|repository|folder|drive|project|space|dashboard|bucket|group|list|sheet|workspace|inbox|queue|notebook|vault|cabinet|page|section)\\b)";

/** Accepts a capital first letter without giving up case elsewhere: a name must be told from a word. */
export const anyCase = (words: string) =>
  words.replace(/(^|\|)([a-z])/g, (_, bar: string, first: string) => `${bar}[${first}${first.toUpperCase()}]`);
