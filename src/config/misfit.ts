/** What is wrong with one value, in words that say how to write it right. A text's own words are never repeated: it may be a secret. */
import type { Key } from "./keys.ts";

/** Longer than any path or pattern that a person writes. */
const MAX_TEXT = 4_096;
const MAX_ITEMS = 1_000;

const CONTROL = /[\u0000-\u001F\u007F]/;

/** Null when the value fits its key. */
export function misfit(key: Key, value: unknown): string | null {
  if (value === null)
    return key.default === null ? null : `has no value; remove the line for the default (${shown(key.default)})`;
  switch (key.kind) {
    case "number":
      return misfitNumber(key, value);
    case "boolean":
      return typeof value === "boolean" ? null : `must be true or false, not ${kindOf(value)}`;
    case "choice":
      return typeof value === "string" && key.choices.includes(value)
        ? null
        : `must be one of ${key.choices.join(", ")}`;
    case "text":
      return misfitText(value) ?? misfitZone(key, value);
    case "path":
      return misfitText(value) ?? misfitPath(value);
    case "texts":
    case "paths":
      return Array.isArray(value)
        ? tooMany(value)
        : `must be a list, not ${kindOf(value)}: write [${kindOf(value) === "a text" ? "it" : "…"}]`;
  }
}

/** What is wrong with one item of a `texts` or `paths` list. */
export function misfitItem(kind: "texts" | "paths", value: unknown): string | null {
  return misfitText(value) ?? (kind === "paths" ? misfitPath(value) : null);
}

function misfitNumber(key: Key & { readonly kind: "number" }, value: unknown): string | null {
  const range = `a number from ${key.min} to ${key.max}`;
  if (typeof value === "string")
    return /^[\s\d.,_+-]{1,20}$/.test(value) ? `must be ${range}, without quotes` : `must be ${range}, not a text`;
  if (typeof value !== "number") return `must be ${range}, not ${kindOf(value)}`;
  return Number.isFinite(value) && value >= key.min && value <= key.max ? null : `must be ${range}, not ${value}`;
}

function misfitText(value: unknown): string | null {
  if (typeof value !== "string")
    return `must be a text, not ${kindOf(value)}${value === null || typeof value === "object" ? "" : ": put it in quotes"}`;
  if (value.trim() === "") return "must not be empty";
  if (value.length > MAX_TEXT) return `must not be longer than ${MAX_TEXT} characters`;
  return CONTROL.test(value) ? "must not hold line ends or other control characters" : null;
}

/** Watchers and the distiller's fence take no patterns, and a pattern that matches nothing raises nothing. */
function misfitPath(value: unknown): string | null {
  const path = String(value);
  if (path.includes("*")) return "is a pattern; name the folder above it, memd looks below it by itself";
  if (path === "~" || path.startsWith("~/") || path.startsWith("/")) return null;
  if (path.startsWith("~")) return "names another user's home; write the absolute path";
  return "must be absolute or start with ~/ (a relative path would depend on where memd is started)";
}

function misfitZone(key: Key, value: unknown): string | null {
  if (key.path !== "dream.timeZone") return null;
  try {
    new Intl.DateTimeFormat("en", { timeZone: String(value) });
    return null;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return "must be an IANA time zone, for example Europe/Zurich";
  }
}

function tooMany(items: readonly unknown[]): string | null {
  return items.length > MAX_ITEMS ? `must not have more than ${MAX_ITEMS} items` : null;
}

/** What a value is, in words for a message. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return (
    { string: "a text", number: "a number", boolean: "true or false", object: "a group of keys" }[
      typeof value as string
    ] ?? "that"
  );
}

/** A default as a message shows it. */
function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
