/** One store's memory directory: is it there, may it be written, does it look like a memory, what did a crash leave in it. */
import { dirname, join } from "node:path";
import { TEMP_PREFIX } from "../base/atomic.ts";
import { namesIn } from "../base/folders.ts";
import { foreignLayout } from "../memory/tree.ts";
import type { Store } from "../ports.ts";
import { foreignJournals, readJournal } from "../store/journal.ts";
import { journalFolder, memdFolder, type Place } from "../store/place.ts";
import type { MemorySnapshot } from "../store/read.ts";
import { type Finding, fine, guarded, orFine, quoted, wrong, wrongNotice } from "./finding.ts";
import type { DoctorWorld } from "./world.ts";

/** Whether there is a directory to look into; what is wrong otherwise. */
export function checkMemoryFolder({ files, host }: DoctorWorld, { memory }: Store): readonly Finding[] {
  const stat = files.stat(memory);
  if (stat === null && files.lstat(memory) !== null)
    return [
      wrong(
        "dangling-link",
        `${memory} is a link that leads nowhere`,
        "Make the folder that it names, or point the store at another one.",
      ),
    ];
  if (stat === null) return [missing(files, host, memory)];
  if (stat.kind !== "dir")
    return [
      wrong(
        "not-a-folder",
        `${memory} is a ${stat.kind}, not a folder`,
        "Point the store's memory setting at a folder.",
      ),
    ];
  const verbs = (["read", "write"] as const).filter((verb) => !host.may(verb, memory));
  if (verbs.length > 0)
    return [
      wrong(
        "no-permission",
        `${memory} cannot be ${verbs.map((verb) => (verb === "read" ? "read" : "written")).join(" or ")}`,
        "Give this user read and write permission there.",
      ),
    ];
  return [...orFine(checkOwnFolder(files, memory), fine("memory-directory", `${memory} can be read and written`))];
}

/** A first dream makes it; that must be possible. */
function missing(files: DoctorWorld["files"], host: DoctorWorld["host"], memory: string): Finding {
  let above = dirname(memory);
  while (files.stat(above) === null && dirname(above) !== above) above = dirname(above);
  if (host.may("write", above)) return fine("memory-directory", `${memory} is made by the first dream`);
  return wrong(
    "no-permission",
    `${memory} is not there, and ${above} cannot be written`,
    "Make the folder, or give this user write permission there.",
  );
}

function checkOwnFolder(files: DoctorWorld["files"], memory: string): Finding[] {
  const folder = memdFolder(memory);
  const stat = files.lstat(folder);
  if (stat === null) return [];
  if (stat.kind !== "dir")
    return [
      wrong(
        "not-a-folder",
        `${folder} should be a folder, but is a ${stat.kind}`,
        `Move ${folder} away; memd makes the folder by itself.`,
      ),
    ];
  const open = (stat.mode & 0o077) !== 0;
  return [
    ...(open
      ? [
          wrong(
            "memd-folder-not-private",
            `${folder} can be read by others (mode ${stat.mode.toString(8)})`,
            `chmod 700 ${quoted(folder)}: it holds quotes of your sessions.`,
          ),
        ]
      : []),
    ...(files.lstat(join(folder, ".gitignore")) === null
      ? [
          wrong(
            "memd-folder-not-ignored",
            `${folder} has no .gitignore: a commit would take along quotes of your sessions`,
            "memd doctor --repair puts it back, and so does the next dream.",
          ),
        ]
      : []),
  ];
}

/** Code `foreign-layout`: a dream would touch nothing here. */
export function checkLayout({ tree }: MemorySnapshot, { memory }: Store): readonly Finding[] {
  const why = foreignLayout(tree);
  if (why === null) return [];
  return [
    wrong(
      "foreign-layout",
      `${memory} does not look like a memory directory: ${why}`,
      "Name another directory, or move these files; memd touches nothing here.",
    ),
  ];
}

/** A run that was cut short: this machine's is finished or taken back by the next one, another's is only reported. */
export function checkJournal(place: Place): readonly Finding[] {
  return guarded(`look for a journal in ${place.directory}`, () => {
    const folder = journalFolder(place);
    const read = readJournal(place, folder);
    const set = namesIn(place.files, memdFolder(place.directory)).filter((name) => name.startsWith("damaged-journal-"));
    const hint = "memd doctor --repair finishes it or takes it back; so does the next dream.";
    const found = [
      ...(read.state === "written"
        ? [wrong("journal-left", `run ${read.manifest.run} was cut short: ${folder}`, hint)]
        : []),
      ...(read.state === "unwritten"
        ? [wrong("journal-left", `a run was cut short before it changed anything: ${folder}`, hint)]
        : []),
      ...(read.state === "damaged"
        ? [
            wrong(
              "journal-damaged",
              `the journal of a run that was cut short cannot be read: ${folder}`,
              "memd doctor --repair sets it aside; the files in it are the texts before that run.",
            ),
          ]
        : []),
      ...set.map((name) =>
        wrong(
          "journal-set-aside",
          `a damaged journal lies in ${join(memdFolder(place.directory), name)}`,
          "Compare the texts that it holds with the memory, then remove the folder.",
        ),
      ),
      ...foreignJournals(place).map(wrongNotice),
    ];
    return orFine(found, fine("journal", "no run was cut short"));
  });
}

/** Folders of the memory in which memd writes by temp files. */
function tempFolders({ directory, evidence }: Place): string[] {
  return [...new Set([directory, memdFolder(directory), dirname(evidence)])];
}

/** Whatever their age: without a holder of the lock nobody is writing. */
export function checkMemoryTemps(place: Place): readonly Finding[] {
  const temps = tempFolders(place).flatMap((folder) =>
    namesIn(place.files, folder)
      .filter((name) => name.startsWith(TEMP_PREFIX))
      .map((name) => join(folder, name)),
  );
  if (temps.length === 0) return [];
  return [
    wrong(
      "temp-files",
      `temp files were left by a crash: ${temps.slice(0, 3).join(", ")}${temps.length > 3 ? ` and ${temps.length - 3} more` : ""}`,
      "memd doctor --repair removes this machine's, and others' once they are an hour old; so does the next dream.",
    ),
  ];
}
