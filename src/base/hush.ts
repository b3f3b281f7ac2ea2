/** Keeps a secret's own characters out of whatever is printed or recorded: an endpoint may send back what it was sent. */

/** Shorter ones are no secrets (`x`, `local`), and would cut holes into ordinary words. */
const SHORTEST = 8;
const INSTEAD = "[redacted:key]";

export type Hush = <T>(value: T) => T;

/** A copy of plain data (texts, lists, objects) without the secret, in keys and values. */
export function hushing(secret: string | null): Hush {
  if (secret === null || secret.length < SHORTEST) return (value) => value;
  const clean = (value: unknown): unknown => {
    if (typeof value === "string") return value.includes(secret) ? value.replaceAll(secret, INSTEAD) : value;
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), clean(inner)]));
  };
  // The shape stays: only texts change, to texts.
  return <T>(value: T) => clean(value) as T;
}
