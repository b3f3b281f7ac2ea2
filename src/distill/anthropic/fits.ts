/** The part of JSON schema that memd's tools use, and the check of a model's input against it: no endpoint can be trusted to have done it. */
import { isRecord } from "../../base/json.ts";
import { clip, wellFormed } from "../../base/text.ts";

interface Described {
  readonly description?: string;
}

export interface ObjectSchema extends Described {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

export type Schema =
  | ObjectSchema
  | ({ readonly type: "array"; readonly items: Schema; readonly maxItems?: number } & Described)
  | ({ readonly type: "string"; readonly enum?: readonly string[]; readonly maxLength?: number } & Described)
  | ({ readonly type: "integer"; readonly minimum?: number; readonly maximum?: number } & Described)
  | ({ readonly type: "boolean" } & Described);

export function object(properties: ObjectSchema["properties"], required = Object.keys(properties)): ObjectSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

/** What does not fit, in words for the model (`cites.0.quote must be a text`), or null. An optional field may also be null. */
export function misfit(value: unknown, schema: Schema, at = "the input"): string | null {
  switch (schema.type) {
    case "object":
      return isRecord(value) ? misfitField(value, schema, at) : `${at} must be an object`;
    case "array": {
      if (!Array.isArray(value)) return `${at} must be a list`;
      if (value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY))
        return `${at} has at most ${schema.maxItems} items`;
      return first(Array.from(value.entries()), ([index, item]) => misfit(item, schema.items, `${at}.${index}`));
    }
    case "string": {
      if (typeof value !== "string") return `${at} must be a text`;
      if (schema.enum && !schema.enum.includes(value)) return `${at} must be one of ${schema.enum.join(", ")}`;
      return value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY)
        ? `${at} has at most ${schema.maxLength} characters`
        : null;
    }
    case "integer": {
      const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
      return Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum
        ? null
        : `${at} must be a whole number from ${minimum} to ${maximum}`;
    }
    case "boolean":
      return typeof value === "boolean" ? null : `${at} must be true or false`;
  }
}

function misfitField(value: Record<string, unknown>, schema: ObjectSchema, at: string): string | null {
  const path = (key: string) => (at === "the input" ? key : `${at}.${key}`);
  const strange = Object.keys(value).find((key) => !Object.hasOwn(schema.properties, key));
  if (strange !== undefined) return `${at} has no field \`${clip(wellFormed(strange), 40)}\``;
  return first(Object.entries(schema.properties), ([key, field]) => {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (!schema.required.includes(key) && (given === undefined || given === null)) return null;
    return given === undefined ? `${path(key)} is missing` : misfit(given, field, path(key));
  });
}

function first<T>(items: readonly T[], wrong: (item: T) => string | null): string | null {
  for (const item of items) {
    const found = wrong(item);
    if (found !== null) return found;
  }
  return null;
}

/**
 * The schema as a model reads it: names, types and words. Limits are for the check; sent with every field of every tool, in every request,
 * they take a quarter of the tools' tokens, and some endpoints refuse them.
 */
export function shown(schema: Schema): Record<string, unknown> {
  const { type, description } = schema;
  const plain = { type, ...(description === undefined ? {} : { description }) };
  if (schema.type === "array") return { ...plain, items: shown(schema.items) };
  if (schema.type === "string" && schema.enum) return { ...plain, enum: schema.enum };
  if (schema.type !== "object") return plain;
  const properties = Object.fromEntries(Object.entries(schema.properties).map(([key, field]) => [key, shown(field)]));
  return { ...plain, properties, required: schema.required };
}
