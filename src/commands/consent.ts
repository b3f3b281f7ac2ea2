/** Tells a person what a dream is expected to cost, and asks. */
import type { DreamRequest } from "../dream.ts";
import type { Estimate, Range } from "../ports.ts";
import type { Input } from "./command.ts";
import type { Context } from "./context.ts";

/**
 * Only who asks for a dream by hand is asked. Where there is no terminal a dry run stops at the estimate; `--now` goes on, since whoever
 * wrote that line has named the distiller, there or in the configuration, and the caps hold.
 * @param about.before clears the line of the progress
 */
export function consentFor(
  context: Context,
  input: Input,
  about: { readonly store: string; before(): void },
): DreamRequest["consent"] {
  const dryRun = input.flag("dry-run");
  if (!dryRun && !input.flag("now")) return undefined;
  return async (estimate, signal) => {
    about.before();
    context.stderr.write(`${about.store}: ${estimateText(estimate)}\n`);
    if (input.flag("yes")) return true;
    if (context.ask === null) return !dryRun;
    const answer = await context.ask("Spend this? [y/N] ", signal);
    return /^\s*y(es)?\s*$/i.test(answer);
  };
}

/** `anthropic would read 3 sessions (2 more were paid for before): 4 to 18 requests, 12,000 to 90,000 tokens, 0.01 to 0.21 USD` */
function estimateText(estimate: Estimate): string {
  const { distiller, sessions, cached, requests, tokens, usd, unpriced, prices } = estimate;
  const before = cached === 0 ? "" : ` (${cached} more were paid for before)`;
  const money = usd === null ? "" : `, ${rangeText(usd, dollars)} USD`;
  const what = `${distiller} would read ${sessions - cached} session${sessions - cached === 1 ? "" : "s"}${before}`;
  const names = unpriced.join(" and ");
  const unknown =
    unpriced.length === 0 ? [] : [`The price of ${names} is not known: only tokens, requests and time are capped.`];
  const needs = `${rangeText(requests, whole)} requests, ${rangeText(tokens, whole)} tokens${money}`;
  return [`${what}: ${needs}.`, ...leftText(estimate), prices, ...unknown].join("\n  ");
}

function leftText({ left }: Estimate): string[] {
  if (!left) return [];
  return [
    `The caps leave ${dollars(left.usd)} USD, ${whole(left.tokens)} tokens and ${whole(left.requests)} requests.`,
  ];
}

const whole = (value: number) => Math.round(value).toLocaleString("en-US");
/** Two significant digits: more would claim to know. */
const dollars = (value: number) => (value < 0.0001 ? "0" : String(Number(value.toPrecision(2))));

function rangeText({ low, high }: Range, text: (value: number) => string): string {
  return text(low) === text(high) ? text(low) : `${text(low)} to ${text(high)}`;
}
