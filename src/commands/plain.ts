/** Text on a terminal is shown, never obeyed: memories, transcripts and file names may hold what moves the cursor or hides words. */
import type { StandardOutput } from "../base/output.ts";

/**
 * Control characters and marks that reorder text; the colours and the progress line that memd itself writes are found first, and pass. So does
 * a page drawn anew, but only where a text begins, which nothing from outside does.
 */
const OBEYED =
  /^\u001B\[H\u001B\[J|\u001B\[(?:[012]|3[12])m|\r\u001B\[2K|[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** As JSON escapes them, so that a JSON document says the same as before. */
const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The same output, harmless on a terminal; what goes into a file or a pipe stays as it is. */
export function plainOutput(output: StandardOutput): StandardOutput {
  return {
    write: (text) =>
      output.write(
        output.terminal ? text.replace(OBEYED, (found) => (found.length > 1 ? found : escaped(found))) : text,
      ),
    get terminal() {
      return output.terminal;
    },
  };
}
