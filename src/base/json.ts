/** Small JSON state files: written atomically, read leniently. */
import { dirname } from "node:path";
import { writeAtomic } from "./atomic.ts";
import { systemCode } from "./errors.ts";
import type { Files } from "./files.ts";

export type JsonRead =
  | { readonly state: "missing" }
  | { readonly state: "damaged"; readonly why: string }
  | { readonly state: "read"; readonly value: unknown };

/** Reads one JSON file; a missing or damaged one is a value, since state files may be lost without losing a memory. */
export function readJson(files: Files, path: string): JsonRead {
  let text: string;
  try {
    text = files.readText(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { state: "missing" };
    // Something else stands in its place: a folder, or a link, which is not followed.
    if (code === "EISDIR" || code === "ELOOP") return { state: "damaged", why: "it is not a file" };
    throw error;
  }
  try {
    return { state: "read", value: JSON.parse(text) };
  } catch (error) {
    return { state: "damaged", why: error instanceof Error ? error.message : String(error) };
  }
}

/** Writes one JSON file atomically, readable by its owner only; makes its folder. */
export function writeJson(files: Files, path: string, value: unknown, token: string): void {
  files.mkdir(dirname(path), 0o700);
  writeAtomic(files, path, `${JSON.stringify(value)}\n`, { mode: 0o600, token });
}

/** The value of one JSON text, as a line of a JSONL file; undefined, which JSON cannot say, for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
