/** Where something stands in the file: keys and list positions from the top. */
export type At = readonly (string | number)[];

export interface Problem {
  readonly at: At;
  /** `stores[0].memory`; empty for the file itself. */
  readonly path: string;
  readonly message: string;
}

const MAX_PATH = 200;

/** A problem at a place; the place in words is derived. */
export function problem(at: At, message: string): Problem {
  const path = at.map((part, i) => (typeof part === "number" ? `[${part}]` : i === 0 ? part : `.${part}`)).join("");
  return { at, path: path.length <= MAX_PATH ? path : `${path.slice(0, MAX_PATH - 1)}…`, message };
}
