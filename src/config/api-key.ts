/**
 * Where the key of a paid distiller comes from, in this order: environment, systemd credential, file, command. The key itself is only
 * ever a value in memory: nothing here writes or prints it, and no error quotes it.
 */
import { join } from "node:path";
import { MemdError, systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import type { Env } from "./paths.ts";

/** Where a key is, or would be asked for; never the key. */
export type KeySource =
  | { readonly from: "environment"; readonly variable: "ANTHROPIC_API_KEY" | "ANTHROPIC_AUTH_TOKEN" }
  | { readonly from: "credential" | "file"; readonly path: string }
  | { readonly from: "command"; readonly argv: readonly string[] };

export interface ApiKey {
  readonly value: string;
  /** A token is sent as a bearer token alone. */
  readonly kind: "key" | "token";
  readonly source: KeySource;
}

export interface KeyWorld {
  readonly files: Files;
  readonly env: Env;
  readonly model: { readonly apiKeyFile: string | null; readonly apiKeyCommand: readonly string[] };
}

const CREDENTIAL = "anthropic-api-key";

/** Of the sources that are there the first; null when there is none. Opens no file and runs nothing. */
export function keySource({ files, env, model }: KeyWorld): KeySource | null {
  for (const variable of ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"] as const)
    if (env[variable]) return { from: "environment", variable };
  const folder = env["CREDENTIALS_DIRECTORY"];
  if (folder?.startsWith("/")) {
    const path = join(folder, CREDENTIAL);
    if (files.stat(path) !== null) return { from: "credential", path };
  }
  if (model.apiKeyFile !== null) return { from: "file", path: model.apiKeyFile };
  return model.apiKeyCommand.length > 0 ? { from: "command", argv: model.apiKeyCommand } : null;
}

/** What a person reads of a source. */
export function sourceText(source: KeySource): string {
  if (source.from === "environment") return `the environment (${source.variable})`;
  if (source.from === "command") return `the command ${source.argv[0]} (model.apiKeyCommand)`;
  return source.from === "file" ? `the file ${source.path} (model.apiKeyFile)` : `the credential ${source.path}`;
}

/**
 * The key, from the first source that is there.
 * @throws MemdError misconfigured: `no-key`, `key-file-open`, `key-file-unreadable`, `key-command-failed`, `key-unusable`; interrupted
 */
export async function findKey(world: KeyWorld, signal: AbortSignal): Promise<ApiKey> {
  const source = keySource(world);
  if (source === null) throw noKey();
  const text = await textOf(world, source, signal);
  const isToken = source.from === "environment" && source.variable === "ANTHROPIC_AUTH_TOKEN";
  return { value: checked(text, source), kind: isToken ? "token" : "key", source };
}

async function textOf({ files, env }: KeyWorld, source: KeySource, signal: AbortSignal): Promise<string> {
  if (source.from === "environment") return env[source.variable] ?? "";
  if (source.from === "command") {
    const { runKeyCommand } = await import("./key-command.ts");
    return runKeyCommand(source.argv, env, signal);
  }
  if (source.from === "file") refuseOpen(files, source.path);
  return readKey(files, source.path);
}

/** Some 200 characters are usual; a file beyond this holds something else. */
const MOST_BYTES = 64 * 1024;

function readKey(files: Files, path: string): string {
  const stat = files.stat(path);
  if (stat?.kind !== "file" || stat.size > MOST_BYTES)
    throw unreadable(path, stat === null ? "it is not there" : "it is no file of that kind");
  try {
    return files.readText(files.realpath(path));
  } catch (error) {
    if (systemCode(error) === null) throw error;
    throw unreadable(path, error instanceof Error ? error.message : String(error));
  }
}

/** Why a key file is not used: others may read it. Null when it is fine, or not there. */
export function openToOthers(files: Files, path: string): string | null {
  const mode = files.stat(path)?.mode ?? 0;
  return (mode & 0o077) === 0 ? null : `mode ${mode.toString(8)}`;
}

function refuseOpen(files: Files, path: string): void {
  const open = openToOthers(files, path);
  if (open === null) return;
  throw new MemdError({
    code: "key-file-open",
    family: "misconfigured",
    message: `the key file ${path} can be read by others (${open}), and is not used`,
    hint: `chmod 600 ${path}; replace the key where others may have seen it.`,
  });
}

function unreadable(path: string, why: string): MemdError {
  return new MemdError({
    code: "key-file-unreadable",
    family: "misconfigured",
    message: `the key file ${path} cannot be read: ${why}`,
    hint: "It must be a file of mode 0600 of this user that holds the key and nothing else.",
  });
}

/** The first line, which must fit into a header of HTTP. */
function checked(text: string, source: KeySource): string {
  const [line = ""] = text.trim().split(/\r?\n/);
  if (/^[\x21-\x7e]{1,4000}$/.test(line)) return line;
  throw new MemdError({
    code: "key-unusable",
    family: "misconfigured",
    message: `${sourceText(source)} holds no key: ${line === "" ? "it is empty" : "its first line has blanks or characters that no key has"}`,
    hint: "The first line must be the key and nothing else.",
  });
}

function noKey(): MemdError {
  return new MemdError({
    code: "no-key",
    family: "misconfigured",
    message: "there is no key for the model",
    hint: "Set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, or name one in the configuration: model.apiKeyFile (mode 0600) or model.apiKeyCommand; a service takes the systemd credential anthropic-api-key. Local servers take any value.",
  });
}
