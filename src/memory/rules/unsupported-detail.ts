/** Every exact detail, denial and absolute word of a statement stands in its quotes, and stands there the same way round. */
import { swap } from "./binding.ts";
import { unsupportedCue } from "./cues.ts";
import type { Evidence } from "./evidence.ts";
import { reversal } from "./polarity.ts";
import { claimsOf, type Rule, violation } from "./rule.ts";
import { unsaid } from "./said.ts";
import { missingDetails } from "./stands.ts";
import { substitution } from "./substitution.ts";
import { turned } from "./turned.ts";
import { ofSomebodyElse } from "./whose.ts";

function complaint(claim: string, evidence: Evidence, isReason: boolean): string | null {
  const missing = missingDetails(claim, evidence)[0];
  if (missing) return `"${missing.text}" does not stand in the quotes`;
  return (
    unsupportedCue(claim, evidence) ??
    unsaid(claim, evidence) ??
    reversal(claim, evidence, isReason) ??
    swap(claim, evidence) ??
    substitution(claim, evidence) ??
    turned(claim, evidence) ??
    ofSomebodyElse(claim, evidence)
  );
}

export const unsupportedDetail: Rule = (operation, { evidence }) => {
  for (const claim of claimsOf(operation)) {
    const isReason = "why" in operation && claim === operation.why;
    const found = complaint(claim, evidence, isReason);
    if (found !== null) return violation("unsupported-detail", found);
  }
  return null;
};
