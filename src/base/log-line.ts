/** One line of the log, for programs (JSON) and for people; whatever it tells of, it stays one line and moves no cursor. */
import { isRecord, parseJson } from "./json.ts";

/** C0 (JSON escapes them itself; text for people does not), DEL and C1, marks that reorder or hide text, and what some readers take for a line's end. */
const ODD = /[\u0000-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g;

const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Every odd character as JSON escapes it; a JSON text says the same as before. */
export function plainText(text: string): string {
  return text.replace(ODD, escaped);
}

/** Severities of syslog, which journald reads from `<N>` before a line. */
const PRIORITY: Readonly<Record<string, number>> = { debug: 7, info: 6, warn: 4, error: 3 };

/** @param line as pino writes it */
export function journalLine(line: string): string {
  const { level, text } = partsOf(line);
  return `<${PRIORITY[level] ?? 6}>${text}\n`;
}

/** `2026-11-30T08:00:00.000Z info  message key=value`; a line that is none of ours as it stands, harmless. */
export function peopleLine(line: string): string {
  const { at, level, text } = partsOf(line);
  return at === null ? text : `${at} ${level.padEnd(5)} ${text}`;
}

function partsOf(line: string): { at: string | null; level: string; text: string } {
  const value = parseJson(line);
  if (!isRecord(value)) return { at: null, level: "info", text: plainText(line.trimEnd()) };
  const { at, level, msg, ...fields } = value;
  // What is not known is for programs.
  const known = Object.entries(fields).filter(([, field]) => field !== null && field !== "");
  const told = known.map(([key, field]) => `${key}=${valueText(field)}`);
  return {
    at: typeof at === "string" ? plainText(at) : null,
    level: typeof level === "string" ? level : "info",
    text: plainText([typeof msg === "string" ? msg : "", ...told].join(" ").trimStart()),
  };
}

function valueText(value: unknown): string {
  return typeof value === "string" && /^[\w/.:@+,-]+$/.test(value) ? value : JSON.stringify(value);
}
