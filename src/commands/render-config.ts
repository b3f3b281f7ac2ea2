/** The effective configuration, as people read it. */
import type { EffectiveKey, EffectivePath, EffectiveVariable } from "../config/effective.ts";
import type { Store } from "../ports.ts";
import type { Paint } from "./paint.ts";

export interface ConfigView {
  /** The file that was read; null when there is none. */
  readonly file: string | null;
  readonly paths: readonly EffectivePath[];
  readonly keys: readonly EffectiveKey[];
  readonly stores: readonly (Omit<Store, "state"> & { readonly from: "flag" | "file" | "discovery" })[];
  readonly environment: readonly EffectiveVariable[];
}

type Row = readonly [string, string, string];

function table(rows: readonly Row[], paint: Paint): string {
  const widths = [0, 1].map((column) => Math.min(60, Math.max(...rows.map((row) => row[column]?.length ?? 0))));
  return rows
    .map(([name, value, from]) =>
      `  ${name.padEnd(widths[0] ?? 0)}  ${value.padEnd(widths[1] ?? 0)}  ${paint.dim(from)}`.trimEnd(),
    )
    .join("\n");
}

const shown = (value: EffectiveKey["value"]) =>
  value === null ? "-" : typeof value === "string" ? value : JSON.stringify(value);

/** Places, keys, stores and the variables that are set, one table each. */
export function renderConfig(view: ConfigView, paint: Paint): string {
  const places = view.paths.map(
    ({ name, path, from, variable }): Row => [
      name,
      path,
      name === "config" && view.file === null ? "there is no such file" : (variable ?? from),
    ],
  );
  const keys = view.keys.map(({ key, value, from }): Row => [key, shown(value), from]);
  const stores = view.stores.map(
    ({ name, memory, from, paused }): Row => [name, memory, paused ? `${from}, paused` : from],
  );
  const set = view.environment.filter((item) => item.set);
  const variables = set.map(
    ({ variable, value, ignored }): Row => [
      variable,
      value ?? "set, not shown",
      ignored === null ? "" : `ignored: ${ignored}`,
    ],
  );
  const parts: [string, readonly Row[]][] = [
    ["Places", places],
    ["Keys", keys],
    ["Stores", stores],
    ["Environment", variables],
  ];
  return parts
    .flatMap(([title, rows]) => (rows.length === 0 ? [] : [`${paint.strong(title)}\n${table(rows, paint)}`]))
    .join("\n\n")
    .concat("\n");
}
