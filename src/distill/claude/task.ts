/** The task in words, and the files of the brief as Claude Code is shown them. Pure. */
import { clip, estimateTokens, oneLine } from "../../base/text.ts";
import type { BriefFile } from "../../digest/brief.ts";
import type { Brief } from "../../ports.ts";
import { quoted } from "../anthropic/quoted.ts";
import { type ShelfFile, shelfOf } from "../anthropic/shelf.ts";

/** Estimated tokens of what is quoted; the rest is read from its files. A run's evidence fits by default: reading costs a turn. */
const ROOM = { sessions: 60_000, memory: 12_000, context: 4_000 } as const;
/** Files that are named instead of quoted, of each kind. */
const MOST_NAMED = 200;

export const TASK_FILE = "task.txt";

export interface Task {
  readonly text: string;
  /** With the task itself. */
  readonly files: readonly BriefFile[];
}

/** The brief must be a sealed one. */
export function taskOf(brief: Brief): Task {
  const files = [...shelfOf(brief).values()].map((file) => ({ ...file, path: plainPath(file.path) }));
  const below = (folder: string) => files.filter(({ path }) => path.startsWith(`${folder}/`));
  const sections = [
    "# Instruction files of the project: they win over memory",
    ...fitting(below("context"), ROOM.context),
    "# Memory: topics, and their entries behind their ids",
    ...fitting(below("memory").filter(isTopic), ROOM.memory),
    "# New sessions",
    ...fitting(below("sessions"), ROOM.sessions),
  ];
  const text = `Today is ${brief.now.slice(0, 10)}.\n\n${quoted(sections.join("\n"))}\n\nWork through all sessions, then answer.\n`;
  return { text, files: [...files.map(fileOf), { path: TASK_FILE, text }] };
}

/** No name that Claude Code could take for instructions to itself (CLAUDE.md, AGENTS.md): a topic may have any. */
function plainPath(path: string): string {
  return path.replace(/\.md$/, ".txt");
}

const isTopic = ({ path }: ShelfFile) => path !== "memory/MEMORY.txt";
const fileOf = ({ path, lines }: ShelfFile): BriefFile => ({ path, text: `${lines.join("\n")}\n` });

/** Whole files as long as they fit; of the others, where they lie. */
function fitting(files: readonly ShelfFile[], room: number): string[] {
  let left = room;
  let named = 0;
  const lines = files.flatMap((file) => {
    // A session begins with a line of its own.
    const head = file.about === "session" ? [] : [oneLine(clip(`${file.path}: ${file.about}`, 300))];
    const whole = [...head, ...file.lines];
    const size = estimateTokens(whole.join("\n"));
    if (size <= left) {
      left -= size;
      return whole;
    }
    named += 1;
    const where = `not quoted: read ${file.path} (${file.lines.length} lines), ${file.about}`;
    return named > MOST_NAMED ? [] : [oneLine(clip(where, 300))];
  });
  if (named > MOST_NAMED) lines.push(`not quoted: ${named - MOST_NAMED} more files of this folder`);
  return lines.length === 0 ? ["none"] : lines;
}
