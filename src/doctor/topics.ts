/** The files of one memory: what cannot be read or written, what collides, what the index misses, what has no evidence. */
import { join } from "node:path";
import { statementKey } from "../memory/entry.ts";
import { isHome } from "../memory/homes.ts";
import { filesOf, sceneOf, targetOf } from "../memory/index-draft.ts";
import { parseIndex } from "../memory/index-lines.ts";
import { BUDGET, type MemoryTree } from "../memory/model.ts";
import { INDEX, MORE_FILE } from "../memory/names.ts";
import { canBeRead } from "../memory/pointer.ts";
import { readEvidence } from "../store/evidence.ts";
import type { Place } from "../store/place.ts";
import type { MemorySnapshot } from "../store/read.ts";
import { type Finding, fine, orFine, remark, wrong, wrongNotice } from "./finding.ts";

/** What reading told of single files, and what may not be written. */
export function checkTopics({ tree, notices, stats, directory }: MemorySnapshot): readonly Finding[] {
  const shut = [INDEX, ...tree.topics.map(({ file }) => file)].filter(
    (name) => ((stats.get(name)?.mode ?? 0o200) & 0o200) === 0,
  );
  const found = [
    ...notices.map(wrongNotice),
    ...shut.map((name) =>
      wrong(
        "file-not-writable",
        `${join(directory, name)} is write-protected`,
        "chmod u+w it; to keep dreams from changing it, set `pinned: true` in its front matter.",
      ),
    ),
    ...(tree.topics.length > BUDGET.topics
      ? [
          wrong(
            "too-many-topics",
            `${tree.topics.length} topics; agents load ${BUDGET.topics}`,
            "Merge or remove topics that are no longer needed.",
          ),
        ]
      : []),
  ];
  return orFine(found, fine("topics", `${tree.topics.length} topics can be read`));
}

const MENDED = "memd doctor --repair mends the index, and so does the next dream; lines of others go to the archive.";

/** Pointers that lead nowhere or stand twice, topics without one, and the limits of what agents load. */
export function checkIndex(tree: MemoryTree): readonly Finding[] {
  if (tree.index === null) {
    if (tree.indexLocked !== undefined) return [];
    return tree.topics.some((topic) => !isHome(tree, topic.file) && canBeRead(topic))
      ? [wrong("index-missing", `there is no MEMORY.md for ${tree.topics.length} topics`, MENDED)]
      : [fine("index", "no index yet")];
  }
  const { dead, double, orphans } = pointersOf(tree);
  const found = [
    ...dead.map((text) => wrong("index-dead-pointer", `MEMORY.md names a file that is not there: ${text}`, MENDED)),
    ...double.map((file) => wrong("index-double-pointer", `MEMORY.md names ${file} more than once`, MENDED)),
    ...(orphans.length > 0 ? [wrong("index-orphans", `MEMORY.md does not name ${named(orphans)}`, MENDED)] : []),
    ...size(tree.index),
  ];
  return orFine(found, fine("index", "every pointer of MEMORY.md leads to its topic"));
}

function named(names: readonly string[]): string {
  return names.length <= 5 ? names.join(", ") : `${names.slice(0, 5).join(", ")} and ${names.length - 5} more`;
}

/** Agents load the first lines and bytes and cut the rest without a word. */
function size(index: string): Finding[] {
  const lines = index === "" ? 0 : index.replace(/\n$/, "").split("\n").length;
  const bytes = Buffer.byteLength(index);
  const message = `MEMORY.md has ${lines} lines and ${bytes} bytes; agents load ${BUDGET.indexLines} lines and ${BUDGET.indexBytes} bytes`;
  if (lines > BUDGET.indexLines || bytes > BUDGET.indexBytes)
    return [
      wrong(
        "index-over-limit",
        message,
        "memd doctor --repair moves pointers to more-topics.md; words that others wrote must be shortened by hand.",
      ),
    ];
  return lines > BUDGET.indexWarnLines
    ? [
        remark(
          "index-near-limit",
          message,
          "Merge or shorten lines that you wrote; memd creates no topics from 180 lines on.",
        ),
      ]
    : [];
}

function pointersOf(tree: MemoryTree): { dead: string[]; double: string[]; orphans: string[] } {
  const scene = sceneOf(tree);
  const more = tree.topics.find(({ file }) => file === MORE_FILE)?.text ?? "";
  const lines = [...parseIndex(tree.index ?? ""), ...parseIndex(more)].map((line) => ({
    ...line,
    eol: "\n",
    own: false,
  }));
  const pointers = lines.filter(({ kind }) => kind === "pointer");
  const counts = new Map<string, number>();
  for (const line of pointers) {
    const target = targetOf(scene, line);
    if (typeof target !== "string") counts.set(target.file, (counts.get(target.file) ?? 0) + 1);
  }
  const mentioned = new Set(lines.flatMap((line) => filesOf(scene, line)));
  const orphans = tree.topics.filter(
    (topic) => topic.file !== MORE_FILE && !isHome(tree, topic.file) && canBeRead(topic) && !mentioned.has(topic.file),
  );
  return {
    // Files that have not arrived yet (a sync) are no dead pointers: memd keeps these lines.
    dead: scene.isLost
      ? []
      : pointers.filter((line) => targetOf(scene, line) === "dead").map(({ text }) => text.trim().slice(0, 150)),
    double: [...counts].filter(([, count]) => count > 1).map(([file]) => file),
    orphans: orphans.map(({ file }) => file),
  };
}

/** `[created: ...]` is the form of memd; an entry of that form that nobody changed since has its citations. */
export function checkEvidence(place: Place, tree: MemoryTree): readonly Finding[] {
  const kind = place.files.lstat(place.evidence)?.kind ?? null;
  if (kind !== null && kind !== "file")
    return [
      wrong("evidence-unreadable", `${place.evidence} is not a file`, "Move it away: memd never follows a link there."),
    ];
  const { records, damaged } = readEvidence(place.files, place.evidence);
  const known = new Set(records.map(({ key }) => key));
  const bare = tree.topics.flatMap(({ file, entries }) =>
    entries.filter((entry) => entry.ours && !known.has(statementKey(entry.statement))).map(() => file),
  );
  const found = [
    ...(damaged > 0
      ? [
          wrong(
            "evidence-damaged",
            `${damaged} lines of ${place.evidence} cannot be read`,
            "They stay as they are and harm no other line; put the file back from a backup if memd why misses something.",
          ),
        ]
      : []),
    ...(bare.length > 0 ? [withoutEvidence(bare, place.evidence, records.length > 0)] : []),
  ];
  return orFine(found, fine("evidence", `evidence of ${records.length} changes`));
}

/** @param bare the file of each entry in memd's form that has none @param isPartial others have theirs */
function withoutEvidence(bare: readonly string[], path: string, isPartial: boolean): Finding {
  const where = named([...new Set(bare)]);
  return isPartial
    ? remark(
        "evidence-partial",
        `${bare.length} entries in memd's form have no evidence here: ${where}`,
        "They were edited by hand, or written on another machine; memd treats them as somebody else's.",
      )
    : wrong(
        "evidence-missing",
        `${bare.length} entries in memd's form, and no evidence of any: ${where}`,
        `Put ${path} back from a backup; without it memd takes these entries for somebody else's.`,
      );
}
