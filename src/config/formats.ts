/** Formats of transcripts that the configuration describes: which field of a record says what. */
import { normalize } from "node:path";
import { isRecord } from "../base/json.ts";
import { CLIENT_NAMES, clientNamed } from "../digest/clients.ts";
import type { Description } from "../ports.ts";
import { type Key, paths, text } from "./key.ts";
import { kindOf } from "./misfit.ts";
import { type At, type Problem, problem } from "./problem.ts";
import { asText, asTexts, readItems, readTable } from "./table.ts";

/** Keys of one item of `formats`. */
export const FORMAT_KEYS: readonly Key[] = [
  text("name", null, "Name for --format and for a store's `format`; required."),
  paths("folders", "Every *.jsonl below these folders is of this format, and feeds the project that it worked in."),
  text("speaker", "role", "Field that says who speaks; a dotted path goes into a record, as message.role."),
  text("text", "content", "Field of the words: a text, or a list of texts or of objects with a text."),
  text("time", "timestamp", "Field of the time: ISO 8601, or a number of seconds or milliseconds since 1970."),
  text("cwd", "cwd", "Field of the working directory; a record without one was said where the record before it was."),
  text("id", "id", "Field of the record's own id, by which a copy of it is known."),
  text("session", null, "Field of the session's id; absent: the file's name is the session."),
  values("user", ["user", "human"], "Values of the speaker's field that mean a person."),
  values(
    "assistant",
    ["assistant"],
    "Values that mean the agent: its words are context, never evidence by themselves.",
  ),
  values("tool", ["tool"], "Values that mean a tool's output; of any other speaker nothing is read."),
];

function values(path: string, preset: readonly string[], reason: string): Key {
  return { kind: "texts", path, default: preset, reason };
}

/** Fields of a record, joined by dots. */
const FIELD = /^[^\s.]+(?:\.[^\s.]+){0,7}$/;
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

export function readFormats(
  value: unknown,
  home: string,
): { formats: readonly Description[]; problems: readonly Problem[] } {
  const { items, problems } = readItems(value, "formats", (item, at) => readFormat(item, at, home));
  const formats = items.flatMap((format) => format ?? []);
  return { formats, problems: [...problems, ...betweenFormats(items)] };
}

function readFormat(value: unknown, at: At, home: string): { item: Description | null; problems: readonly Problem[] } {
  if (!isRecord(value)) return { item: null, problems: [problem(at, `must be a group of keys, not ${kindOf(value)}`)] };
  const { keys, problems } = readTable(value, { known: FORMAT_KEYS, at, beside: [], home });
  const field = (name: string) => asText(keys.get(name));
  const [name, speaker, words] = [field("name"), field("speaker"), field("text")];
  if (name === null && !problems.some(({ at: place }) => place.at(-1) === "name"))
    problems.push(problem([...at, "name"], "is required: the name for --format"));
  if (name === null || speaker === null || words === null) return { item: null, problems };
  const said = { user: asTexts(keys.get("user")), assistant: asTexts(keys.get("assistant")) };
  const format: Description = {
    name,
    folders: asTexts(keys.get("folders")),
    speaker,
    text: words,
    time: field("time"),
    cwd: field("cwd"),
    id: field("id"),
    session: field("session"),
    ...said,
    tool: asTexts(keys.get("tool")),
  };
  return { item: format, problems: [...problems, ...formatProblems(format, at)] };
}

function formatProblems(format: Description, at: At): Problem[] {
  const client = clientNamed(format.name);
  const fields = ["speaker", "text", "time", "cwd", "id", "session"] as const;
  const roles = ["user", "assistant", "tool"] as const;
  return [
    ...(NAME.test(format.name)
      ? []
      : [problem([...at, "name"], "must be up to 40 lower-case letters, digits or dashes and begin with no dash")]),
    ...(client === null ? [] : [problem([...at, "name"], `is the name of a client that memd knows (${client})`)]),
    ...fields.flatMap((name) =>
      FIELD.test(format[name] ?? name)
        ? []
        : [problem([...at, name], "must be a field's name, or names joined by dots, as message.role")],
    ),
    ...(format.user.length > 0 ? [] : [problem([...at, "user"], "must name at least one value: nobody would speak")]),
    ...roles.flatMap((role, i) =>
      format[role].flatMap((value, n) =>
        roles.slice(0, i).some((other) => format[other].includes(value))
          ? [problem([...at, role, n], "stands for another speaker already")]
          : [],
      ),
    ),
  ];
}

const plain = (path: string) => normalize(path).replace(/(?<=.)\/+$/, "");

function betweenFormats(formats: readonly (Description | null)[]): Problem[] {
  const names = new Map<string, number>();
  const folders = new Map<string, number>();
  const taken = (known: Map<string, number>, value: string, index: number) => {
    const first = known.get(value);
    if (first === undefined) known.set(value, index);
    return first === undefined ? null : first;
  };
  return formats.flatMap((format, index) => {
    if (format === null) return [];
    const at: At = ["formats", index];
    const name = taken(names, format.name, index);
    return [
      ...(name === null ? [] : [problem([...at, "name"], `is the name of formats[${name}] already`)]),
      ...format.folders.flatMap((folder, n) => {
        const first = taken(folders, plain(folder), index);
        return first === null ? [] : [problem([...at, "folders", n], `is a folder of formats[${first}] already`)];
      }),
    ];
  });
}

/** The full name of what `format` names, or null. @param described names of the described formats */
export function formatNamed(name: string, described: readonly string[]): string | null {
  return described.find((known) => known === name) ?? clientNamed(name);
}

/** Every name that `formatNamed` knows. */
export const formatNames = (described: readonly string[]): readonly string[] => [...CLIENT_NAMES, ...described];
