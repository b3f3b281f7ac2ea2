/** Days that were moved: by a stretch of time, and the statements that rest on them. */
import { simplified } from "../../memory/language/han.ts";
import type { Gist } from "./likeness.ts";

/** 样机延后一周: by how much, not to when. */
const MOVES =
  /(?:延后|后延|推后|推迟|顺延|延期|提前|往[前后](?:挪|推|移|延|提|拖))[^，。；]{0,4}?[\d一二两三四五六七八九十半]+\s?(?:天|周|个?星期|个?月|个?礼拜)|\b(?:delayed|postponed|pushed(?: back| out)?|moved(?: back| out)?|slips?|slipped|brought forward|moves(?: back| out)?) (?:by )?(?:an?|one|two|three|four|five|six|\d+) (?:days?|weeks?|months?)\b/i;

/** True when the words move something without saying to when. */
export const movesByStretch = (gist: Gist): boolean => gist.dates.length === 0 && MOVES.test(simplified(gist.text));

/** A day that was moved by a stretch is that day no more; how the words name it is all that is left. */
export function isPushed(newer: Gist, older: Gist): boolean {
  if (older.dates.length === 0 || !movesByStretch(newer)) return false;
  return [...older.words].filter((word) => newer.words.has(word)).length >= 2;
}

const CJK = /[\u3400-\u9fff]/;

/** Of two statements about one day a single character in common tells more: 全院上线, 上线日期. */
export const isAkin = (a: Gist, b: Gist): boolean =>
  CJK.test(a.text) !== CJK.test(b.text) ||
  [...a.words].some((word) => b.words.has(word)) ||
  (a.text.toLowerCase().match(/[a-z][a-z-]{4,}/g) ?? []).some((word) => b.text.toLowerCase().includes(word));
