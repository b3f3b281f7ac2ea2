/** The brief as the read tools see it: names and lines in memory, so that nothing outside it can be named. */
import { oneLine } from "../../base/text.ts";
import { briefFiles, LINE_ENDS } from "../../digest/brief.ts";
import type { Topic } from "../../memory/model.ts";
import type { Brief } from "../../ports.ts";
import { margined } from "./quoted.ts";

export interface ShelfFile {
  readonly path: string;
  /** One word or two on what it is, for lists. */
  readonly about: string;
  /** Each with its margin; read and grepped as they are. */
  readonly lines: readonly string[];
}

export type Shelf = ReadonlyMap<string, ShelfFile>;

/** Sessions, memory and context of a sealed brief. `brief.json` holds the same once more, and is left out. */
export function shelfOf(brief: Brief): Shelf {
  const topics = new Map(topicPaths(brief));
  const files = briefFiles(brief).flatMap(({ path, text }): ShelfFile[] => {
    if (path === "brief.json") return [];
    const topic = topics.get(path);
    if (topic) return [{ path, about: aboutTopic(topic), lines: topicLines(topic) }];
    if (path.startsWith("sessions/")) return [{ path, about: "session", lines: text.trimEnd().split(LINE_ENDS) }];
    return [{ path, about: path.startsWith("context/") ? "instruction file" : "index", lines: numbered(text) }];
  });
  return new Map(files.map((file) => [file.path, file]));
}

/** Topics by the path that their copies have in the brief: the same order, and nothing between them. */
function topicPaths(brief: Brief): [string, Topic][] {
  const paths = briefFiles({ ...brief, digest: { ...brief.digest, sessions: [] }, context: [] })
    .map(({ path }) => path)
    .filter((path) => path.startsWith("memory/") && path !== "memory/MEMORY.md");
  return brief.memory.topics.flatMap((topic, index) => (paths[index] === undefined ? [] : [[paths[index], topic]]));
}

export function aboutTopic({ slug, type, description, pinned, locked }: Topic): string {
  const marks = [pinned ? "pinned" : "", locked === null ? "" : `cannot be written: ${locked}`].filter(
    (mark) => mark !== "",
  );
  return oneLine(`topic ${slug} (${[type ?? "typeless", ...marks].join(", ")}) ${description ?? ""}`);
}

/** A topic by its entries: their ids are what operations name. */
export function topicLines(topic: Topic): string[] {
  return topic.entries.flatMap((entry) => margined(entry.id, entry.raw.trimEnd()));
}

const numbered = (text: string) =>
  text
    .trimEnd()
    .split(LINE_ENDS)
    .map((line, index) => `${index + 1} | ${line}`);
