/** Colour for people: only on a terminal, and never where NO_COLOR is set. */
import type { Context } from "./context.ts";

export interface Paint {
  good(text: string): string;
  bad(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
}

const wrap = (code: number) => (text: string) => `\u001B[${code}m${text}\u001B[0m`;
const plain = (text: string) => text;

export function paintFor(context: Context): Paint {
  const on = context.stdout.terminal && !context.env["NO_COLOR"] && context.env["TERM"] !== "dumb";
  if (!on) return { good: plain, bad: plain, dim: plain, strong: plain };
  return { good: wrap(32), bad: wrap(31), dim: wrap(2), strong: wrap(1) };
}
