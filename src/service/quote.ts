/** Words of a systemd unit file, quoted so that they come out of systemd as they went in (systemd.syntax(7), systemd.service(5)). */
import { MemdError } from "../base/errors.ts";

/** One word of a list or an assignment. `%` would begin a specifier; what looks like an escape is one. */
export function quoteWord(text: string): string {
  return `"${text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/%/g, "%%")}"`;
}

/** An argument of ExecStart: there `$` is expanded as well. Plain words stay as people write them. */
export function quoteArgument(text: string): string {
  return /^[\w./=:@,+-]+$/.test(text) ? text : quoteWord(text.replace(/\$/g, "$$$$"));
}

/** The program of ExecStart, in which systemd expands no `$`. Checked by `fitPath` first. */
export function quoteProgram(path: string): string {
  return quoteWord(path);
}

/**
 * A path that a unit or a plist can name.
 * @param what it is, as in "the path of node"
 * @throws MemdError misconfigured `unfit-path`: systemd refuses a program with quotes or a backslash in its name, and no unit can hold a line end
 */
export function fitPath(path: string, what: string): string {
  if (path.startsWith("/") && !/["'\\\p{Cc}\p{Cs}]/u.test(path)) return path;
  throw new MemdError({
    code: "unfit-path",
    family: "misconfigured",
    message: `${what} cannot stand in a service definition: ${JSON.stringify(path)}`,
    hint: "Move it to, or link it from, an absolute path without quotes, backslashes and control characters.",
  });
}
