/** What was set: memd's own configuration, the environment, and how long Claude Code keeps the transcripts. */
import { join } from "node:path";
import { isRecord, readJson } from "../base/json.ts";
import { problemText } from "../config/config.ts";
import { effectiveVariables } from "../config/effective.ts";
import { type Finding, fine, orFine, remark, wrong } from "./finding.ts";
import type { DoctorWorld } from "./world.ts";

/** One `bad-config` per problem, with its line. */
export function checkConfiguration({ read, paths }: DoctorWorld): readonly Finding[] {
  const hint =
    paths.configNamed && read.problems.every(({ line }) => line === null)
      ? "Mend it, or unset MEMD_CONFIG."
      : "Mend the line; the other checks go by the defaults meanwhile.";
  const found = read.problems.map((problem) => wrong("bad-config", problemText(read.file, problem), hint));
  return orFine(
    found,
    fine("config", read.file === null ? "no configuration file; the defaults hold" : `${read.file} is valid`),
  );
}

/** Variables that are set and count for nothing, which is easily taken for the opposite. */
export function checkEnvironment({ env }: DoctorWorld): readonly Finding[] {
  const ignored = effectiveVariables(env).filter((item) => item.ignored !== null);
  return ignored.map(({ variable, ignored: why }) =>
    wrong("variable-ignored", `${variable} is ignored: ${why}`, `Set ${variable} to an absolute path, or unset it.`),
  );
}

/** What Claude Code keeps without a setting; measured with 2.1. */
const DEFAULT_DAYS = 30;

/** Claude Code deletes transcripts of that age whenever it starts; what memd has not read by then is lost to it. */
export function checkRetention({ files, paths, config }: DoctorWorld): readonly Finding[] {
  if (files.stat(paths.claude) === null) return [];
  const { days, file, damaged } = retentionOf(files, paths.claude);
  if (damaged !== null)
    return [
      wrong(
        "settings-unreadable",
        `${damaged} is not valid JSON`,
        "Mend it: Claude Code ignores a settings file that it cannot read.",
      ),
    ];
  const { expiringDays } = config.gates;
  if (days <= 0)
    return [
      wrong(
        "transcripts-not-kept",
        `Claude Code keeps no transcripts (cleanupPeriodDays: ${days} in ${file})`,
        `Set cleanupPeriodDays to ${DEFAULT_DAYS} or more in ${file}: without transcripts there is nothing to remember.`,
      ),
    ];
  if (days <= expiringDays)
    return [
      wrong(
        "transcripts-expire-early",
        `Claude Code deletes transcripts after ${days} days, before memd's gates open for old ones (gates.expiringDays: ${expiringDays})`,
        `Raise cleanupPeriodDays in ${file}, or set gates.expiringDays below ${days}.`,
      ),
    ];
  if (days < DEFAULT_DAYS)
    return [
      remark(
        "retention",
        `Claude Code deletes transcripts after ${days} days`,
        `Sessions of a machine that sleeps for longer than ${days - expiringDays} days may go unread; raise cleanupPeriodDays in ${file}.`,
      ),
    ];
  return [fine("retention", `Claude Code keeps transcripts for ${days} days`)];
}

/** The local file wins, as in Claude Code. */
function retentionOf(
  files: DoctorWorld["files"],
  claude: string,
): { days: number; file: string; damaged: string | null } {
  let damaged: string | null = null;
  for (const name of ["settings.local.json", "settings.json"]) {
    const file = join(claude, name);
    if (files.stat(file)?.kind !== "file") continue;
    const read = readJson(files, files.realpath(file));
    if (read.state === "damaged") damaged ??= file;
    const days = read.state === "read" && isRecord(read.value) ? read.value["cleanupPeriodDays"] : undefined;
    if (typeof days === "number" && Number.isFinite(days)) return { days, file, damaged };
  }
  return { days: DEFAULT_DAYS, file: join(claude, "settings.json"), damaged };
}

/** Codes `no-store`, `store-twice`, and what kept stores from being found. */
export function checkStores({ read, stores, troubles, remembered, files, paths }: DoctorWorld): readonly Finding[] {
  if (troubles.length > 0) return troubles;
  if (stores.length === 0 && read.problems.length === 0) {
    return [
      wrong(
        "no-store",
        "no agent's sessions were found on this machine, and no store is configured",
        `List a store in ${paths.configFile}, or work with an agent once.`,
      ),
    ];
  }
  const real = (path: string) => (files.stat(path) === null ? path : files.realpath(path));
  const all = [...stores, ...remembered.filter(({ state }) => !stores.some((store) => store.state === state))];
  const folders = new Map<string, string[]>();
  for (const { memory, state } of all) folders.set(real(memory), [...(folders.get(real(memory)) ?? []), state]);
  const twice = [...folders].filter(([, states]) => states.length > 1);
  return [
    ...twice.map(([memory, states]) =>
      wrong(
        "store-twice",
        `two stores share the memory ${memory}: their states are ${states.join(" and ")}`,
        "Use one name for it (list it in the configuration), and remove the other state folder: what was undone in one is not known to the other.",
      ),
    ),
    ...linkedTwice(
      read.values.stores.map(({ memory }) => memory),
      real,
    ),
  ];
}

/** Two lines of the file that lead to one directory by a link. */
function linkedTwice(memories: readonly string[], real: (path: string) => string): Finding[] {
  return memories.flatMap((memory, index) => {
    const first = memories.findIndex((other) => real(other) === real(memory));
    if (first === index) return [];
    return [
      wrong(
        "store-twice",
        `stores[${index}] and stores[${first}] are the same memory directory ${real(memory)}`,
        "Remove one of the two from the configuration; memd uses the first.",
      ),
    ];
  });
}
