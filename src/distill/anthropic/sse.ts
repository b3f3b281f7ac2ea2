/** Server-sent events from a body of bytes, bounded: a body that never ends a line is not gathered. */
import { lineReader } from "../lines.ts";

/** One event holds a piece of an answer, or at most a whole tool input. */
const LINE_BYTES = 8 * 1024 * 1024;

/**
 * The data of each event, with or without its `event:` line: the data names its type itself, and some endpoints send nothing else.
 * @throws RangeError when a line is too long
 */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const lines = lineReader(LINE_BYTES);
  let data: string[] = [];
  for await (const chunk of body) {
    const complete = lines.push(chunk);
    if (complete === null) throw new RangeError("an event is too long");
    for (const line of complete.map((text) => text.replace(/\r$/, ""))) {
      if (line === "" && data.length > 0) {
        yield data.join("\n");
        data = [];
      }
      if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    }
  }
}
