/** The daemon's own log file, as people read it: where no journal keeps the log. */
import { peopleLine } from "../base/log-line.ts";
import type { LogQuery } from "./manager.ts";
import type { Programs } from "./programs.ts";

const args = ({ lines, follow }: LogQuery, log: string) => ["-n", String(lines), ...(follow ? ["-F"] : []), log];

/** Its last lines, and with `follow` those that come, also after the file was rotated. @returns the exit status of `tail` */
export function showTail(
  programs: Programs,
  log: string,
  { query, print }: { query: LogQuery; print: (line: string) => void },
): Promise<number> {
  return programs.follow("tail", args(query, log), (line) => print(peopleLine(line)));
}

/** Its last lines as they stand there: JSON. */
export async function readTail(programs: Programs, log: string, lines: number): Promise<readonly string[]> {
  const { stdout } = await programs.run("tail", args({ lines, follow: false }, log));
  return stdout.split("\n").filter((line) => line !== "");
}
