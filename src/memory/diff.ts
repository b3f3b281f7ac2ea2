/** A changeset as unified diff text, for `--dry-run` and `show --diff`. This file is the home of the `diff` package. */
import { createTwoFilesPatch } from "diff";
import type { Changeset, FileChange } from "./changeset.ts";

/** Lines around a change: an entry and its neighbours. */
const CONTEXT = 2;
/** Bound on the work of one comparison; beyond it the file shows as replaced. Topics are small, others' indexes may not be. */
const MAX_EDITS = 5_000;

/** What a terminal would obey is shown as its code; line ends stay. */
function printable(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g,
    (char) => (char === "\r" ? "" : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

function renderFile({ file, before, after }: FileChange): string {
  const from = before === null ? "/dev/null" : `a/${file}`;
  const to = after === null ? "/dev/null" : `b/${file}`;
  const options = { context: CONTEXT, maxEditLength: MAX_EDITS };
  const patch = createTwoFilesPatch(
    from,
    to,
    printable(before ?? ""),
    printable(after ?? ""),
    undefined,
    undefined,
    options,
  );
  if (patch === undefined) return `--- ${from}\n+++ ${to}\n(too many differences to show)\n`;
  return patch.replace(/^=+\n/, "").replace(/^(---|\+\+\+) (.*)\t$/gm, "$1 $2");
}

/** Files in the order of apply; an empty text when nothing changes. */
export function renderDiff(changeset: Pick<Changeset, "files">): string {
  return changeset.files.map(renderFile).join("");
}
