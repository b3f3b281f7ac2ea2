/** What a configuration key is: its kind, bounds, default and reason; and the makers that keep the tables short. */
export type KeyKind =
  | { readonly kind: "number"; readonly min: number; readonly max: number }
  | { readonly kind: "boolean" }
  | { readonly kind: "text" }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "texts" }
  /** Absolute, or below the home folder by `~/`; never relative, which would depend on where memd was started. */
  | { readonly kind: "path" }
  | { readonly kind: "paths" };

export type KeyValue = number | boolean | string | null | readonly string[];

export type Key = KeyKind & {
  /** Dotted path, `gates.minHours`. */
  readonly path: string;
  /** Null: absent, decided at run time as the reason says. */
  readonly default: KeyValue;
  /** Why this default; one sentence, also the comment in the example file. */
  readonly reason: string;
};

export const number = (path: string, value: number | null, bounds: readonly [number, number], reason: string): Key => ({
  kind: "number",
  path,
  default: value,
  min: bounds[0],
  max: bounds[1],
  reason,
});
export const choice = (path: string, choices: readonly string[], reason: string): Key => ({
  kind: "choice",
  path,
  choices,
  default: choices[0] ?? null,
  reason,
});
export const texts = (path: string, reason: string): Key => ({ kind: "texts", path, default: [], reason });
export const paths = (path: string, reason: string): Key => ({ kind: "paths", path, default: [], reason });
export const place = (path: string, reason: string): Key => ({ kind: "path", path, default: null, reason });
export const text = (path: string, value: string | null, reason: string): Key => ({
  kind: "text",
  path,
  default: value,
  reason,
});
export const flag = (path: string, value: boolean, reason: string): Key => ({
  kind: "boolean",
  path,
  default: value,
  reason,
});
