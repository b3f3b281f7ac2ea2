/** English wording of change: what stands no longer. */

const MUCH = "(?:far |way |just |simply |much |a bit |a little |really |clearly |now |all )*";
const POOR =
  "(?:too (?:\\w+)|deprecated|unmaintained|abandoned|discontinued|end of life|eol|unsupported|a pain|a nightmare|not worth (?:it|the \\w+)|more trouble than (?:it|they)[^.;]{0,12} worth|not (?:an option|allowed|licensed|available|approved)[^.;,]{0,20}|out|gone|dead|history|over)";

/** The words say that something stands no longer or differs from before. */
export const CHANGE =
  /\b(?:change of plans?|new plan|scrap|instead|no longer|moved|moves|postponed|delayed|pushed|extended|rescheduled|slipped|changed|changes|is now|are now|now\b|from (?:now|here) on|going forward|slips|(?:brought|pulled|put) (?:forward|in|back|off)|becomes?\b|the other (?:one|way)|was a mistake|go(?:ing)? back on|correction|actually|switched|switching|replaced|goes to|updated?|not .{1,30} any ?more|went (?:up|down)|raised|lowered|bumped|dropped|back to|after all)\b|(?:was|were|is|are|turned out|proved|got) (?:far |way |a bit |just |simply )?too (?:strict|low|high|short|long|small|big|tight|loose|slow|heavy|expensive|much|few|many)|(?:later|earlier|sooner|longer) than (?:planned|expected|announced|agreed)|(?:was|were) (?:meant|planned|scheduled|due|set|supposed|booked|intended)|had (?:hoped|planned|meant)|will not happen|originally|earlier|later|sooner|(?:slides?|slid|slipping|drifts?) to|raised prices|(?:going|go|went|change|changing) (?:to )?(?:weekly|daily|monthly|biweekly|fortnightly|quarterly)|is on (?:\w+ )?leave|any ?more|we(?:'ve| have) left|deprecated|more trouble than|switch(?:es)? to|ditch(?:ed|ing)?|in place of|we're done with|has left|(?:[A-Z][a-z]+) left\b/i;

/** Patterns whose group 1 is a value that stands no longer. */
export const OUTDATED: readonly RegExp[] = [
  /\b([A-Z][\w.-]+) (?:was|is|has been|turned out(?: to be)?) (?:a |an |the )?(?:mistake|dead end|failure|wrong (?:choice|call|pick))\b/g,
  /\b(?:go(?:ing)? back on|back(?:ing)? out of|gave up on|giv(?:e|ing) up on|part(?:ing)? ways with|done with) (?:the |using )?([A-Z][\w.-]+)/g,
  /(?:^|[.;:] )([\w.-]+) (?:is )?out,? (?:and )?[\w.-]+ (?:is )?in\b/gi,
  /\b(?:not|won'?t|isn'?t) (?:be |going to be |happen(?:ing)? |take place )?(?:on|at|in|by) ([^,.;]{3,30}?)(?=$|[,.;])/gi,
  /(?:^|[,;:.] )no (?:more )?([A-Z][\w.-]+)(?=[,.;!]|$)/g,
  /(?:^|[,;:.] )(?:and )?([A-Z][\w.-]+) (?:goes|is gone|is out|is dead|is history|is off the table|dies|can go)(?=[,.;!]|$)/g,
  /\bfrom ([^,.;]{1,40}?) to \b/gi,
  /([\w.:/-]{0,20}\d[\w.:/-]{0,20}) (?:becomes|became|is now|slips to|slipped to|moves to|moved to|goes to|should be|->|→|=>) /gi,
  /,? \bnot ([\w`'"@./:-]+(?: [\w`'"@./:-]+){0,2}?)(?=$|[,.;!)]| but\b| any ?more)/gi,
  /\b(?:instead of|rather than|no longer|replaces?|replacing|scrap|drop(?:ping|ped)?|out with|ruled out|moved? off|away from) (?:using |the |on )?([\w`'"@./:-]+(?: [\w`'"@./:-]+){0,2}?)(?=$|[,.;!)]| (?:and|for|because|since|as|to|with|in|after all|again|now|from (?:now|here) on)\b)/gi,

  // "Electron is too heavy after all", "moment is deprecated"
  new RegExp(
    `(?:^|[.,;:] (?:but |and |since |because |as |so )?)(?:the )?([A-Z][\\w.+-]*|[a-z][\\w.+-]{2,20}) (?:is|was|are|were|has been|turned out(?: to be)?|proved(?: to be)?|got|became) ${MUCH}${POOR}(?=[\\s.,;:!]|$)`,
    "g",
  ),
  // "30 lines was too strict, make it 50"
  /(?:^|[.,;:] )((?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|twelve)(?: ?%)?(?: [a-z]+)?) (?:is|was|are|were|turned out) (?:far |way |a bit |just |simply |clearly )?too \w+/gi,
  // "Tom left", "Priya has moved on"
  /(?:^|[.,;:] (?:since |because |as |now that )?)([A-Z][a-z]+) (?:has |is )?(?:left|moved on|quit|retired|leaving|changed teams|gone|resigned|been promoted|on (?:\w+ )?leave|off sick)\b/g,
  // "moved staging off k8s", "RabbitMQ goes"
  /\b(?:off|away from|out of) ([A-Za-z][\w.+-]*) (?:to|onto|and|in favou?r)\b/g,
];
