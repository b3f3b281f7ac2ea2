/**
 * The log of the resident service. Every line is on the disk, or with the journal, before the call returns: a buffered destination of pino
 * kept 0 of 51 lines at exit, a synchronous one all (measured). A log that cannot be written never stops what it tells of.
 */
import { type Clock, iso } from "./clock.ts";
import { plainText } from "./log-line.ts";
import { clip, wellFormed } from "./text.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

/** Facts beside the message; flat. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Where lines go. Takes a whole JSON line with its newline; never throws. */
export interface LogTarget {
  write(line: string): void;
  close(): void;
}

export interface LogWorld {
  readonly level: LogLevel;
  readonly clock: Clock;
  readonly target: LogTarget;
  /** Takes secrets out of a line; the line is JSON and must stay it. */
  readonly redact: (line: string) => string;
}

/** Beyond these nobody reads on; journald cuts at 48 KB. */
const MAX_MESSAGE = 8_000;
const MAX_FIELD = 2_000;

/** For what runs without a log. */
export const NO_LOG: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Loads pino, which costs a start 38 ms: only the daemon does. */
export async function openLog({ level, clock, target, redact }: LogWorld): Promise<Log> {
  const { pino } = await import("pino");
  const options = {
    level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"at":"${iso(clock.now())}"`,
  };
  const logger = pino(options, { write: (line: string) => target.write(plainLine(redact(line))) });
  const at =
    (name: LogLevel) =>
    (message: string, fields: LogFields = {}) =>
      // As one argument: a message of pino's is a format string only beside others.
      logger[name]({ ...shortened(fields), msg: shortText(message, MAX_MESSAGE) });
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

const plainLine = (line: string) => `${plainText(line.slice(0, -1))}\n`;

const shortText = (text: string, max: number) => clip(wellFormed(text), max);

/** Names that the line itself uses keep their meaning. */
function shortened(fields: LogFields): LogFields {
  const kept = Object.entries(fields).filter(([key]) => key !== "level" && key !== "at" && key !== "msg");
  return Object.fromEntries(
    kept.map(([key, value]) => [key, typeof value === "string" ? shortText(value, MAX_FIELD) : value]),
  );
}
