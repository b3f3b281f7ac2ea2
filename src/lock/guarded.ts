import { classify } from "../base/errors.ts";

/** Runs `act`; whatever it throws leaves as a MemdError. @param doing as in "take the lock in /home/a/memory" */
export async function guarded<T>(doing: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw classify(error, doing);
  }
}
