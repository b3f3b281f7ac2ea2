/** What goes between parent and child for a look after a batch: checked on both ends. */
import { isRecord } from "../../base/json.ts";
import type { Usage } from "../../ports.ts";
import type { LookOrder, LookReport } from "./batch-look.ts";
import { type AnthropicSettings, readSettings } from "./settings.ts";

/** Plain data for `settings()` of the parent's desk. */
export interface LookSetup {
  readonly settings: AnthropicSettings;
  readonly order: LookOrder;
}

/** @throws TypeError that names the field, never its value */
export function readLookSetup(value: unknown): LookSetup {
  const { settings, order } = isRecord(value) ? value : {};
  const checked = readSettings(settings);
  const { marker, batch, keys } = isRecord(order) ? order : {};
  const isNamed = typeof marker === "string" && (batch === null || typeof batch === "string");
  if (!isNamed || !Array.isArray(keys)) throw new TypeError("the look was set up wrongly");
  return { settings: checked, order: order as unknown as LookOrder };
}

const STATES: readonly LookReport["state"][] = ["waiting", "over", "lost", "never"];

/** What a child sent, checked; null when it is none. */
export function readLookReport(value: unknown): LookReport | null {
  if (!isRecord(value)) return null;
  const state = STATES.find((one) => one === value["state"]);
  const { batch, answered, usage } = value;
  const isNamed = batch === null || (typeof batch === "string" && /^[\w-]{1,100}$/.test(batch));
  if (state === undefined || !isNamed || !isAmount(answered)) return null;
  return { state, batch, answered, usage: usageIn(usage) };
}

function usageIn(value: unknown): Usage | null {
  if (!isRecord(value)) return null;
  const { requests, inputTokens, cachedTokens, outputTokens, costUsd } = value;
  const figures = { requests, inputTokens, cachedTokens, outputTokens, costUsd };
  return Object.values(figures).every(isAmount) ? (figures as Usage) : null;
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
