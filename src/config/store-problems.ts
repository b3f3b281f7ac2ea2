/** What is wrong between the places of the configured stores, told from the paths alone. */
import { normalize } from "node:path";
import type { StoreConfig } from "./check.ts";
import { formatNamed, formatNames } from "./formats.ts";
import { nearest } from "./nearest.ts";
import { type At, type Problem, problem } from "./problem.ts";

/** Links are not followed here: doctor finds two names of one directory, and resolving takes it as one store. */
const plain = (path: string) => normalize(path).replace(/(?<=.)\/+$/, "");

/**
 * @param stores by position in the file; null where one could not be read
 * @param formats names of the described formats
 */
export function storeProblems(stores: readonly (StoreConfig | null)[], formats: readonly string[] = []): Problem[] {
  const memories = new Map<string, number>();
  const names = new Map<string, number>();
  return stores.flatMap((store, index) => {
    if (store === null) return [];
    const at: At = ["stores", index];
    return [
      ...taken(memories, plain(store.memory), { at: [...at, "memory"], index, what: "is the memory directory of" }),
      ...(store.name === null
        ? []
        : [
            ...badName(store.name, at),
            ...taken(names, store.name, { at: [...at, "name"], index, what: "is the name of" }),
          ]),
      ...sourceIsMemory(store, at),
      ...unknownFormat(store, at, formats),
    ];
  });
}

/** Two stores over one directory would read with two cursors and hold back from each other by chance only. */
function taken(known: Map<string, number>, value: string, here: { at: At; index: number; what: string }): Problem[] {
  const first = known.get(value);
  if (first === undefined) known.set(value, here.index);
  return first === undefined ? [] : [problem(here.at, `${here.what} stores[${first}] already`)];
}

/** `--store NAME` must be able to name it, and a terminal to show it. */
function badName(name: string, at: At): Problem[] {
  return /^[\p{L}\p{N}_][\p{L}\p{N} ._@+-]{0,63}$/u.test(name)
    ? []
    : [problem([...at, "name"], "must be up to 64 letters, digits, blanks or ._@+- and begin with a letter or digit")];
}

function unknownFormat({ format }: StoreConfig, at: At, described: readonly string[]): Problem[] {
  if (format === null || formatNamed(format, described) !== null) return [];
  const near = nearest(format, formatNames(described));
  const known = formatNames(described).join(", ");
  return [
    problem([...at, "format"], near ? `is no format; did you mean ${near}?` : `is no format; known are ${known}`),
  ];
}

/** What memd writes must not be what it reads. Below a folder of sessions memory may lie: that is where Claude Code keeps it. */
function sourceIsMemory(store: StoreConfig, at: At): Problem[] {
  const memory = plain(store.memory);
  const of = (name: "sessions" | "logs", message: string) =>
    store[name].flatMap((path, i) => (plain(path) === memory ? [problem([...at, name, i], message)] : []));
  return [
    ...of("sessions", "is the memory directory itself; name the folder in which the agent keeps its transcripts"),
    ...of("logs", "is the memory directory itself; daily logs that lie there are read anyway, remove this line"),
  ];
}
