import type { ResolvedDate } from "./digest.ts";

export function resolveDates(_text: string, _at: number | null, _timeZone: string): ResolvedDate[] {
  return [];
}
