/** The end of a distiller that somebody called off. */
import { MemdError } from "../base/errors.ts";

/** @param signal one that was aborted; its reason becomes the cause */
export function interrupted(signal: AbortSignal): MemdError {
  return new MemdError({
    code: "interrupted",
    family: "interrupted",
    message: "interrupted: distill",
    hint: "Run it again.",
    cause: signal.reason,
  });
}
