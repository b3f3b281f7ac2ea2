/**
 * Stops scheduled dreams from asking an endpoint that refused the key or the account: until the key, the endpoint or the configuration
 * changes, or a day has passed. One small file in the state directory.
 */
import { childPath } from "../base/child-path.ts";
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";

export interface Tripped {
  /** The error's code: `bad-key`, `no-credit`, ... */
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Epoch ms. */
  readonly since: number;
  /** When it is tried again whatever stays the same, epoch ms. */
  readonly until: number;
}

export interface Breaker {
  /** What stands against asking now, or null. */
  tripped(): Tripped | null;
  trip(error: { readonly code: string; readonly message: string; readonly hint: string }): void;
  /** The endpoint answered with the key of now. */
  mend(): void;
}

export interface BreakerWorld {
  readonly files: Files;
  readonly clock: { now(): number };
  readonly token: () => string;
  /** Hash of everything whose change is worth another try; salted, so that the file says nothing about a key. */
  readonly fingerprint: (salt: string) => string;
}

const FILE = "breaker.json";
const PAUSE = 86_400_000;

/** @param state the state directory */
export function openBreaker({ files, clock, token, fingerprint }: BreakerWorld, state: string): Breaker {
  const path = childPath(state, FILE);
  return {
    tripped: () => {
      if (files.lstat(path) === null) return null;
      const read = readJson(files, path);
      const { known, salt, print } = partsOf(read.state === "read" ? read.value : null);
      if (known === null || salt === null || print !== fingerprint(salt)) return null;
      const now = clock.now();
      // A time ahead of the clock is none: a clock that was set back must not stretch the pause.
      return known.since <= now && now < known.until ? known : null;
    },
    trip: ({ code, message, hint }) => {
      const salt = token();
      const since = clock.now();
      const known: Tripped = { code, message, hint, since, until: since + PAUSE };
      writeJson(files, path, { ...known, salt, fingerprint: fingerprint(salt) }, token());
    },
    mend: () => {
      if (files.lstat(path) === null) return;
      const read = readJson(files, path);
      const { salt, print } = partsOf(read.state === "read" ? read.value : null);
      // A shell and a service may have keys of their own: that one of them works says nothing about the other.
      if (salt === null || print === fingerprint(salt)) files.unlink(path);
    },
  };
}

function partsOf(value: unknown): { known: Tripped | null; salt: string | null; print: unknown } {
  if (!isRecord(value)) return { known: null, salt: null, print: null };
  const { code, message, hint, since, until, salt, fingerprint } = value;
  const whole = [code, message, hint].every((text) => typeof text === "string");
  const timed = typeof since === "number" && typeof until === "number";
  const known =
    whole && timed ? { code: String(code), message: String(message), hint: String(hint), since, until } : null;
  return { known, salt: typeof salt === "string" ? salt : null, print: fingerprint };
}
