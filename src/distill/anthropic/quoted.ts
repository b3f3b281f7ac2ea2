/** How text of others is put before a model: margins before every line, and a boundary that nothing inside can know. */
import { shortHash } from "../../base/ids.ts";
import { LINE_ENDS } from "../../digest/brief.ts";

/**
 * A text between two boundary lines. The boundary is a hash of the text itself, so that whoever wrote the text could not write the
 * boundary into it, while the same text always makes the same request: what was paid for is found again, and a prefix stays cached.
 */
export function quoted(text: string): string {
  let boundary = shortHash(text);
  while (text.includes(boundary)) boundary = shortHash(boundary + text);
  return `===== ${boundary}\n${text.replace(/\n+$/, "")}\n===== ${boundary}`;
}

/** The lines of a text, whatever its line ends, each behind the same margin. */
export function margined(margin: string, text: string): string[] {
  return text.split(LINE_ENDS).map((line) => `${margin} | ${line}`);
}
