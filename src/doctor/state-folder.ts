/** memd's own folder: private, writable, whole, and not where it would watch itself. */
import { join } from "node:path";
import { TEMP_PREFIX } from "../base/atomic.ts";
import { readJson } from "../base/json.ts";
import type { Store } from "../ports.ts";
import { loadBook } from "../sources/cursors.ts";
import { isInside } from "../sources/project.ts";
import { type Finding, fine, guarded, orFine, quoted, wrong } from "./finding.ts";
import type { DoctorWorld } from "./world.ts";

const PRIVATE = 0o077;

/** Codes `state-directory`, `state-not-private`, `no-permission`, `state-inside-memory`, `state-inside-sessions`. */
export function checkStateFolder({ files, paths, host, stores }: DoctorWorld): readonly Finding[] {
  const { state } = paths;
  const stat = files.stat(state);
  if (stat === null && files.lstat(state) !== null)
    return [
      wrong(
        "dangling-link",
        `the state directory ${state} is a link that leads nowhere`,
        "Make the folder that it names, or remove the link.",
      ),
    ];
  if (stat === null) return [fine("state-directory", `${state} is made by the first dream`)];
  if (stat.kind !== "dir")
    return [
      wrong(
        "not-a-folder",
        `the state directory ${state} is a ${stat.kind}`,
        `Move ${state} away; memd makes the folder by itself.`,
      ),
    ];
  const found = [...exposed(state, stat.mode), ...closed(state, host), ...misplaced(state, stores)];
  return orFine(found, fine("state-directory", `${state} is private and writable`));
}

function exposed(state: string, mode: number): Finding[] {
  if ((mode & PRIVATE) === 0) return [];
  const message = `${state} can be read by others (mode ${mode.toString(8)})`;
  return [wrong("state-not-private", message, `chmod 700 ${quoted(state)}`)];
}

function closed(state: string, host: DoctorWorld["host"]): Finding[] {
  if (host.may("read", state) && host.may("write", state)) return [];
  const message = `${state} cannot be read and written by this user`;
  return [wrong("no-permission", message, `Give it to this user: chown -R "$USER" ${quoted(state)}`)];
}

/** Inside a folder of sessions memd would take its own files for news; inside a memory they would be synced and read by agents. */
function misplaced(state: string, stores: readonly Store[]): Finding[] {
  const hint = "Set XDG_STATE_HOME to a folder outside of it, and move the state directory there.";
  return stores.flatMap(({ memory, sessions, logs }) => [
    ...(isInside(state, memory)
      ? [wrong("state-inside-memory", `the state directory ${state} lies inside the memory directory ${memory}`, hint)]
      : []),
    ...[...sessions, ...logs]
      .filter((root) => isInside(state, root))
      .map((root) =>
        wrong("state-inside-sessions", `the state directory ${state} lies inside the watched folder ${root}`, hint),
      ),
  ]);
}

/** Files of the state that are JSON, and what is lost with each. */
const JSON_FILES: Readonly<Record<string, string>> = {
  "machine.json":
    "Remove it: memd gives this machine a new name. Journals under the old one are then reported, not replayed.",
  "stores.json": "Remove it: the stores are found again.",
  "config-cache.json": "Remove it: it is made again.",
  "projects.json": "Remove it: it is made again.",
  "state.json": "Remove it: it costs one scan and the cool-down.",
  "store.json": "Remove it: the next dream writes it again.",
  "cursors.json": "Remove it: the transcripts are read again, and what is known already is refused.",
  "tombstones.json":
    "Put it back from a backup if there is one; without it, what was undone or forgotten may be proposed again. Then remove it.",
  "questions.json": "Remove it: open questions are asked again when their words are read again.",
  "last-run.json": "Remove it: memd history still has the run.",
  "entries.json": "Remove it: text of others then counts as old.",
  "no-batches.json": "Remove it: the endpoint is tried with a batch again.",
  "breaker.json": "Remove it: the model's endpoint is asked again.",
  "paused.json": "memd resume ends the pause that it stands for.",
};

/** @param folder the state directory itself, or a store's folder in it */
export function checkStateFiles({ files, paths }: DoctorWorld, folder: string): readonly Finding[] {
  if (files.stat(folder)?.kind !== "dir") return [];
  const present = files.list(folder).filter(({ name }) => name in JSON_FILES);
  const found = present.flatMap(({ name }) =>
    guarded(`read ${join(folder, name)}`, () => {
      const path = join(folder, name);
      const why = damageOf({ files, path, name });
      return why === null
        ? []
        : [wrong("state-file-damaged", `${path} cannot be read: ${why}`, JSON_FILES[name] ?? "")];
    }),
  );
  return orFine(
    found,
    fine(
      "state-files",
      `${present.length} state files in ${folder === paths.state ? folder : `stores${folder.slice(folder.lastIndexOf("/"))}`}`,
    ),
  );
}

function damageOf({ files, path, name }: { files: DoctorWorld["files"]; path: string; name: string }): string | null {
  if (files.lstat(path)?.kind !== "file") return "it is not a file";
  if (name === "cursors.json") return loadBook(files, path).startedOver;
  const read = readJson(files, path);
  if (read.state === "damaged")
    return read.why
      .replace(/ in JSON at position/, " at byte")
      .replace(/"[^"]*"\.{0,3} is not valid JSON/, "it is not valid JSON");
  return read.state === "read" && (typeof read.value !== "object" || read.value === null) ? "it holds no object" : null;
}

/** Temp files of the state directory; young ones may be another process at work. @returns paths */
export function staleTemps(
  { files, clock }: Pick<DoctorWorld, "files" | "clock">,
  folders: readonly string[],
): string[] {
  return folders.flatMap((folder) => {
    if (files.stat(folder)?.kind !== "dir") return [];
    const temps = files.list(folder).filter(({ name, kind }) => kind === "file" && name.startsWith(TEMP_PREFIX));
    return temps
      .map(({ name }) => join(folder, name))
      .filter((path) => clock.now() - (files.lstat(path)?.mtime ?? clock.now()) > STALE_MS);
  });
}

/** No write takes longer; the same hour after which a lock may be taken from its holder. */
const STALE_MS = 3_600_000;

/** Code `temp-files`; no finding where there are none. */
export function checkTemps(world: DoctorWorld, folders: readonly string[]): readonly Finding[] {
  const temps = staleTemps(world, folders);
  if (temps.length === 0) return [];
  return [
    wrong(
      "temp-files",
      `temp files were left by a crash: ${temps.slice(0, 3).join(", ")}${temps.length > 3 ? ` and ${temps.length - 3} more` : ""}`,
      "memd doctor --repair removes them; so does the next dream.",
    ),
  ];
}
