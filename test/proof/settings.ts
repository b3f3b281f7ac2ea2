/**
 * How much is tried. The ordinary test run takes a sample; `npm run proof` and these settings take all, or more:
 * MEMD_PROOF_EVERY=1 every point of every enumeration, MEMD_PROOF_RUNS=N the generated inputs, N times 100,000 in all.
 */
export const EVERY = process.env.MEMD_PROOF_EVERY === "1";

const TIMES = Number(process.env.MEMD_PROOF_RUNS ?? 1);

/** @param share inputs of one property in the ordinary run */
export const runs = (share: number): number => Math.max(1, Math.round(share * TIMES));

/** Every n-th item, or all of them where everything is to be tried. */
export function sample<T>(items: readonly T[], step: number): readonly T[] {
  return EVERY ? items : items.filter((_, i) => i % step === 0);
}

/** Enumerations of everything take their time. */
export const PATIENCE = EVERY || TIMES > 1 ? 14_400_000 : 300_000;
