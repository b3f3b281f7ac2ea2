/**
 * Every error has a stable code, a hint that says what to do, and a cause. Families are named by what to do next;
 * one table maps them to exit codes. Refusals and skips are values, never errors.
 */
export type Family = "unavailable" | "rejected" | "over-budget" | "misconfigured" | "interrupted" | "bug" | "usage";

/** Exit codes of the command line contract. */
export const EXIT: Readonly<Record<Family, number>> = {
  bug: 1,
  usage: 2,
  unavailable: 5,
  rejected: 6,
  "over-budget": 7,
  misconfigured: 78,
  interrupted: 130,
};

/** Exit codes of what is no error; `restart` asks the service manager for a start of the program that is on the disk now. */
export const EXIT_WITHOUT_ERROR = { notDue: 3, held: 4, restart: 75 } as const;

export interface ErrorParts {
  /** Stable kebab-case word, for example `disk-full`. */
  code: string;
  family: Family;
  message: string;
  /** What the reader should do now, as one sentence. */
  hint: string;
  cause?: unknown;
  /** Epoch ms before which another try is pointless, where the other side named it (`retry-after`). */
  retryAt?: number | null;
}

/** The same in every copy of this file: the program is bundled twice, as what starts at once and as the rooms loaded later. */
const BRAND = Symbol.for("memd.error");

export class MemdError extends Error {
  readonly [BRAND] = true;
  readonly code: string;
  readonly family: Family;
  readonly hint: string;
  readonly retryAt: number | null;

  constructor(parts: ErrorParts) {
    super(parts.message, { cause: parts.cause });
    this.name = "MemdError";
    this.code = parts.code;
    this.family = parts.family;
    this.hint = parts.hint;
    this.retryAt = parts.retryAt ?? null;
  }
}

/** `instanceof` would not know an error that was made by the other bundle's class. */
export function isMemdError(error: unknown): error is MemdError {
  return typeof error === "object" && error !== null && BRAND in error;
}

const SYSTEM: Readonly<Record<string, Omit<ErrorParts, "message" | "cause">>> = {
  ENOSPC: { code: "disk-full", family: "unavailable", hint: "Free some disk space; memd tries again by itself." },
  EDQUOT: { code: "disk-full", family: "unavailable", hint: "Free some of your quota; memd tries again by itself." },
  EFBIG: { code: "disk-full", family: "unavailable", hint: "Raise the file size limit of this process (ulimit -f)." },
  EIO: { code: "io-error", family: "unavailable", hint: "Check the disk; memd tries again by itself." },
  // What network file systems and overloaded machines answer now and then.
  EBUSY: { code: "io-error", family: "unavailable", hint: "Something else holds it; memd tries again by itself." },
  ESTALE: {
    code: "io-error",
    family: "unavailable",
    hint: "Check the network file system; memd tries again by itself.",
  },
  ETIMEDOUT: {
    code: "io-error",
    family: "unavailable",
    hint: "Check the network file system; memd tries again by itself.",
  },
  ENOLCK: {
    code: "io-error",
    family: "unavailable",
    hint: "Check the network file system; memd tries again by itself.",
  },
  ENOMEM: {
    code: "out-of-memory",
    family: "unavailable",
    hint: "The machine is out of memory; memd tries again by itself.",
  },
  // The user's folders change while memd works: a checkout, a sync, an agent that cleans up.
  ENOENT: {
    code: "vanished",
    family: "unavailable",
    hint: "Something was moved or removed while memd worked; run it again.",
  },
  ENOTDIR: {
    code: "vanished",
    family: "unavailable",
    hint: "A folder became a file while memd worked, or is one where a folder should be; run it again.",
  },
  EMFILE: { code: "too-many-files", family: "unavailable", hint: "Raise the open file limit (ulimit -n)." },
  ENFILE: {
    code: "too-many-files",
    family: "unavailable",
    hint: "The machine is out of file handles; close programs.",
  },
  EACCES: { code: "no-permission", family: "misconfigured", hint: "Give this user read and write permission there." },
  EPERM: { code: "no-permission", family: "misconfigured", hint: "Give this user read and write permission there." },
  EROFS: { code: "read-only", family: "misconfigured", hint: "The file system is mounted read-only; remount it." },
};

/** The system error code (`ENOENT`, ...) of anything thrown, or null. */
export function systemCode(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/**
 * Turns anything thrown into a MemdError. Errors that memd cannot name are bugs: they keep their stack as `cause`.
 * @param doing what was being done, as in "write /home/a/memory/x.md"
 */
export function classify(error: unknown, doing: string): MemdError {
  if (isMemdError(error)) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && error.name === "AbortError") {
    return new MemdError({
      code: "interrupted",
      family: "interrupted",
      message: `interrupted: ${doing}`,
      hint: "Run it again.",
      cause: error,
    });
  }
  const known = SYSTEM[systemCode(error) ?? ""];
  if (known) return new MemdError({ ...known, message: `cannot ${doing}: ${text}`, cause: error });
  return new MemdError({
    code: "bug",
    family: "bug",
    message: `unexpected failure, could not ${doing}: ${text}`,
    hint: "This is a bug in memd: please report it with the stack from the log.",
    cause: error,
  });
}
