/** Several things at once, but never more than a few. */

/**
 * Works on all items, at most `width` at the same time; results in the order of the items. After a failure nothing new is begun, what
 * runs is waited for (its answer may be paid for already), and the first failure is thrown.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = Array(items.length);
  const failures: unknown[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(width, items.length)) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
