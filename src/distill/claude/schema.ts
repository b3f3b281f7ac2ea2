/** The proposal as the JSON schema of Claude Code's answer. What comes is read as strictly as every other proposal. */
import { shown } from "../anthropic/fits.ts";
import { OPERATION_TOOLS } from "../anthropic/operation-tools.ts";

const OPERATIONS = Object.entries(OPERATION_TOOLS).map(([name, { description, schema }]) => {
  const op = { type: "string", enum: [name] } as const;
  const named = { ...schema, properties: { op, ...schema.properties }, required: ["op", ...schema.required] };
  return { ...shown(named), description };
});

export const PROPOSAL_SCHEMA = {
  type: "object",
  properties: { operations: { type: "array", items: { anyOf: OPERATIONS } } },
  required: ["operations"],
} as const;
