/** The JSON schema of the configuration file, made from the key table. Draft 7: what editors' YAML servers read. */
import { FORMAT_KEYS } from "./formats.ts";
import { KEYS, type Key, STORE_KEYS } from "./keys.ts";

export type Schema = { readonly [name: string]: unknown };

/** Absolute or below the home folder, and no pattern. */
const PATH = "^(?:~|~/[^*]*|/[^*]*)$";

const TEXT: Schema = { type: "string", pattern: "\\S", maxLength: 4_096 };

function leaf(key: Key): Schema {
  switch (key.kind) {
    case "number":
      return { type: "number", minimum: key.min, maximum: key.max };
    case "boolean":
      return { type: "boolean" };
    case "choice":
      return { enum: [...key.choices] };
    case "text":
      return TEXT;
    case "path":
      return { ...TEXT, pattern: PATH };
    case "texts":
      return { type: "array", items: TEXT, maxItems: 1_000 };
    case "paths":
      return { type: "array", items: { ...TEXT, pattern: PATH }, maxItems: 1_000 };
  }
}

/** Keys whose default is null may be left without a value. */
function keySchema(key: Key): Schema {
  const described = { description: key.reason, default: key.default };
  const { type, ...rest } = leaf(key);
  return {
    ...described,
    ...(type === undefined ? {} : { type: key.default === null ? [type, "null"] : type }),
    ...rest,
  };
}

interface Group {
  readonly [name: string]: Group | Key;
}

function groupsOf(keys: readonly Key[], prefix = ""): Group {
  const names = [...new Set(keys.map(({ path }) => path.slice(prefix.length).split(".")[0] ?? ""))];
  return Object.fromEntries(
    names.map((name): [string, Group | Key] => {
      const key = keys.find(({ path }) => path === prefix + name);
      const inner = keys.filter(({ path }) => path.startsWith(`${prefix}${name}.`));
      return [name, key ?? groupsOf(inner, `${prefix}${name}.`)];
    }),
  );
}

const isKey = (item: Group | Key): item is Key => typeof item["kind"] === "string";

function propertiesOf(group: Group): Schema {
  const inner = (item: Group | Key) => (isKey(item) ? keySchema(item) : objectOf(item, ["object", "null"]));
  return Object.fromEntries(Object.entries(group).map(([name, item]) => [name, inner(item)]));
}

function objectOf(group: Group, type: string | readonly string[]): Schema {
  return { type, additionalProperties: false, properties: propertiesOf(group) };
}

/** The content of config/memd.schema.json. */
export function configSchema(): Schema {
  const root = objectOf(groupsOf(KEYS), ["object", "null"]);
  const store = { ...objectOf(groupsOf(STORE_KEYS), "object"), required: ["memory"] };
  const stores = {
    description: "Stores besides those that are found by themselves.",
    type: ["array", "null"],
    default: [],
    maxItems: 1_000,
    items: store,
  };
  const formats = {
    description: "Formats of transcripts that memd does not know by itself.",
    type: ["array", "null"],
    default: [],
    maxItems: 1_000,
    items: { ...objectOf(groupsOf(FORMAT_KEYS), "object"), required: ["name"] },
  };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Configuration of memd",
    ...root,
    properties: { ...(root["properties"] as Schema), stores, formats },
  };
}
