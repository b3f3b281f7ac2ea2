/** The one shape of every command, and what is rendered from it: parsing, refusals with the nearest right name, help. */
import { parseArgs } from "node:util";
import { MemdError } from "../base/errors.ts";
import { nearest } from "../config/nearest.ts";
import type { Context } from "./context.ts";

export interface Option {
  readonly type: "boolean" | "string";
  /** Placeholder of a string option in the help, `DIR`. */
  readonly value?: string;
  readonly multiple?: boolean;
  readonly help: string;
}

export interface Input {
  flag(name: string): boolean;
  text(name: string): string | null;
  texts(name: string): readonly string[];
  readonly words: readonly string[];
}

export interface Command {
  readonly name: string;
  /** What it does, as its own help begins; the list of commands has a shorter line. */
  readonly summary: string;
  /** What stands after the name, `RUN` or `TEXT`; empty for none. */
  readonly operands: string;
  readonly options: Readonly<Record<string, Option>>;
  readonly example: string;
  /** Exit codes that this command can end with, and what they mean here. */
  readonly exits: readonly (readonly [number, string])[];
  /** When it has ended, so has the process, whatever may still hold it open. */
  readonly resident?: boolean;
  /** Ends with the exit code. */
  run(context: Context, input: Input): Promise<number>;
}

const COMMON: Readonly<Record<string, Option>> = {
  json: { type: "boolean", help: "print one JSON document on stdout and nothing else there" },
  help: { type: "boolean", help: "show this help" },
};

/** Options of every command that works on stores. */
export const STORE_OPTIONS: Readonly<Record<string, Option>> = {
  store: { type: "string", value: "NAME", multiple: true, help: "only this store (repeatable)" },
  memory: { type: "string", value: "DIR", help: "a store without a config file: its memory directory" },
  sessions: {
    type: "string",
    value: "DIR",
    multiple: true,
    help: "with --memory: transcripts, whatever their project (repeatable)",
  },
  logs: { type: "string", value: "DIR", multiple: true, help: "with --memory: daily logs (repeatable)" },
  format: {
    type: "string",
    value: "NAME",
    help: "with --sessions: the client, where it cannot be told from the files",
  },
};

export function usage(message: string, hint: string): MemdError {
  return new MemdError({ code: "usage", family: "usage", message, hint });
}

function refuseUnknown(command: Command, argv: readonly string[], options: Readonly<Record<string, Option>>): void {
  for (const arg of argv) {
    if (arg === "--") return;
    const name = /^--([^=]+)/.exec(arg)?.[1] ?? /^-(\w)/.exec(arg)?.[1];
    if (name === undefined || name in options || name === "h") continue;
    const near = nearest(name, Object.keys(options));
    const hint = near ? `Did you mean --${near}?` : `See memd ${command.name} --help.`;
    throw usage(`unknown flag ${arg.split("=")[0]} for memd ${command.name}`, hint);
  }
}

/**
 * Parses what stands after the command's name.
 * @throws MemdError of family `usage` for unknown flags (with the nearest right name), missing values or too many words
 */
export function parseInput(command: Command, argv: readonly string[]): Input {
  const options = { ...COMMON, ...command.options };
  refuseUnknown(command, argv, options);
  const config = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      { type: option.type, multiple: option.multiple === true, ...(name === "help" ? { short: "h" } : {}) },
    ]),
  );
  let parsed: Pick<ReturnType<typeof parseArgs>, "values" | "positionals"> = { values: {}, positionals: [] };
  try {
    // Node loads its parser when it is first called.
    if (argv.length > 0) parsed = parseArgs({ args: [...argv], options: config, allowPositionals: true, strict: true });
  } catch (error) {
    throw usage(
      error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error),
      `See memd ${command.name} --help.`,
    );
  }
  const wanted = command.operands === "" ? 0 : command.operands.split(" ").length;
  if (!command.operands.endsWith("...") && parsed.positionals.length > wanted) {
    throw usage(`unexpected ${JSON.stringify(parsed.positionals[wanted])}`, `See memd ${command.name} --help.`);
  }
  const { values } = parsed;
  return {
    flag: (name) => values[name] === true,
    text: (name) => (typeof values[name] === "string" ? values[name] : null),
    texts: (name) => {
      const value = values[name];
      return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
    },
    words: parsed.positionals,
  };
}

function describe([name, option]: [string, Option]): readonly [string, string] {
  return [`--${name}${option.type === "string" ? ` ${option.value ?? "TEXT"}` : ""}`, option.help];
}

function column(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}

/** The text of `memd COMMAND --help`: usage, options, one example, exit status. */
export function helpText(command: Command): string {
  const operands = command.operands === "" ? "" : ` ${command.operands}`;
  const options = Object.entries({ ...command.options, ...COMMON }).map(describe);
  const exits = command.exits.map(([code, meaning]) => [String(code), meaning] as const);
  return [
    `memd ${command.name}: ${command.summary}`,
    `Usage: memd ${command.name}${operands} [options]`,
    `Options:\n${column(options)}`,
    `Example:\n  ${command.example}`,
    `Exit status:\n${column(exits)}`,
    "",
  ].join("\n\n");
}
