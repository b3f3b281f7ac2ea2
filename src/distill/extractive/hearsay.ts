/** What others say, told only to be turned down: "The consultant wants X. He's gone next week." */
import type { Piece } from "./sentence.ts";

const SPEECH =
  /(?<!\b(?:I|you|we) )\b(?:says?|said|saying|wants?|wanted|wrote|writes|written|thinks?|swears?|claims?|claimed|asks|asked|told|tells|tweeted|posted|demands?|demanded|recommends?|suggests?|insists?|believes?|reckons?|proposes?|proposed|mailed|shouted|announced|forwarded|fwd|mail|message|email|quote)\b/i;
/** Anchored at the sentence or said of the speaker: a rule has none of these words. */
const DISMISSAL =
  /\b(?:lol|lmao|rofl|haha(?:ha)*|yeah,? right|as if|nonsense|rubbish|bullshit|bs|hilarious|whatever|ridiculous|clown|silly|(?:a |just )?(?:joke|joking|kidding)|not happening|no way|no thanks|ignore (?:him|her|them|that|it|this)|(?:doesn'?t|does not) (?:apply|concern|count|mean us)|not (?:our|my) (?:policy|rule|problem|thing|call)|we won'?t|I told (?:him|her|them)|(?:they|he|she) can (?:ask|wait|dream)|in (?:his|her|their) dreams|don'?t take|(?:he|she|they)(?:'ll| will) learn|(?:he|she)'s gone|isn'?t serious|not serious|only a test|was a test)\b|(?:^|[,.] )(?:ha|nope|nah|no|don'?t|lol|sure)[.!]*$/i;
const REMARK_WORDS = 8;

/** The sentences that somebody else's dismissed words take up. */
export function hearsayIn(pieces: readonly Piece[]): ReadonlySet<Piece> {
  const told = new Set<Piece>();
  pieces.forEach((piece, i) => {
    if (!SPEECH.test(piece.text)) return;
    const next = pieces[i + 1];
    const remark = next !== undefined && next.text.split(/\s+/).length <= REMARK_WORDS && DISMISSAL.test(next.text);
    if (!remark && !DISMISSAL.test(piece.text)) return;
    told.add(piece);
    if (remark) told.add(next);
  });
  return told;
}
