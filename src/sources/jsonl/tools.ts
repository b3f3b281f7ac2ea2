/** A tool's call and output as a label with the first words: context that supports no memory. */
import { isRecord } from "../../base/json.ts";

const TARGET_CHARS = 80;
const OUTPUT_CHARS = 600;

/** Where tools keep the one argument that tells a person what the call was about. */
const TARGET_KEYS = ["command", "cmd", "file_path", "filePath", "path", "pattern", "url", "query", "description"];

/** `bash(ls -la)`. @param args the call's arguments: an object, or JSON text of one */
export function toolLabel(name: unknown, args: unknown): string {
  const label = typeof name === "string" && name !== "" ? name : "tool";
  const fields = isRecord(args) ? args : {};
  const target = TARGET_KEYS.map((key) => fields[key]).find(
    (value) => typeof value === "string" || Array.isArray(value),
  );
  if (target === undefined) return label;
  const text = Array.isArray(target) ? target.filter((item) => typeof item === "string").join(" ") : String(target);
  return `${label}(${text.slice(0, TARGET_CHARS).replace(/\s+/g, " ")})`;
}

export function toolText(label: string, output: unknown): string {
  const text = typeof output === "string" ? output.slice(0, OUTPUT_CHARS).replace(/\s+/g, " ").trim() : "";
  return text === "" ? label : `${label}: ${text}`;
}
