/**
 * A world that fails on purpose: wraps the file verbs, counts them, and at the n-th one dies, fails with a system error, or lets
 * someone else write first.
 */
import type { Files } from "../../src/base/files.ts";

export type Verb = keyof Files;

/** The process is gone. Not an Error, has no code: whatever catches and classifies it finds every later verb dead as well. */
export class Death {
  readonly verb: string;
  constructor(verb: string) {
    this.verb = verb;
  }
}

export interface Call {
  /** From 1. */
  readonly number: number;
  readonly verb: Verb;
  readonly path: string;
}

export interface Faults {
  /** The process dies instead of doing this verb (from 1). */
  readonly dieAt?: number;
  /** This verb fails with a system error, once, or with every later verb that writes. */
  readonly failAt?: number;
  readonly code?: string;
  readonly persistent?: boolean;
  /** A verb that writes a text leaves half of it before it dies or fails. */
  readonly torn?: boolean;
  /** Called before each verb is done, with the plain verbs at hand: another writer at work in exactly this moment. */
  readonly before?: (call: Call) => void;
  /** Verbs that fail always, for file systems that lack them. */
  readonly refuse?: Partial<Record<Verb, string>>;
}

export interface FaultyFiles extends Files {
  /** Every call so far, in order. */
  readonly calls: readonly Call[];
  readonly dead: () => boolean;
}

const WRITING: ReadonlySet<Verb> = new Set<Verb>([
  "create",
  "scratch",
  "append",
  "rename",
  "link",
  "unlink",
  "mkdir",
  "rmdir",
  "utimes",
  "syncDir",
  "chmod",
]);

export function systemError(code: string, verb: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${verb} '${path}'`), { code, syscall: verb, path });
}

/** Half a text on the disk: what a full disk or a power cut leaves of a write. */
function tear(inner: Files, verb: Verb, args: readonly unknown[]): void {
  const [path, data, mode] = args;
  if (verb !== "create" && verb !== "append") return;
  if (typeof path !== "string" || typeof mode !== "number") return;
  if (typeof data !== "string" && !(data instanceof Uint8Array)) return;
  const bytes = Buffer.from(data);
  inner[verb](path, bytes.subarray(0, Math.floor(bytes.length / 2)), mode);
}

export function faultyFiles(inner: Files, faults: Faults = {}): FaultyFiles {
  const calls: Call[] = [];
  let dead = false;
  const strike = (verb: Verb, args: readonly unknown[]): void => {
    if (dead) throw new Death(verb);
    const call = { number: calls.length + 1, verb, path: String(args[0]) };
    calls.push(call);
    const refused = faults.refuse?.[verb];
    if (refused) throw systemError(refused, verb, call.path);
    faults.before?.(call);
    if (call.number === faults.dieAt) {
      if (faults.torn) tear(inner, verb, args);
      dead = true;
      throw new Death(verb);
    }
    const late =
      faults.persistent === true && faults.failAt !== undefined && call.number > faults.failAt && WRITING.has(verb);
    if (call.number !== faults.failAt && !late) return;
    if (faults.torn) tear(inner, verb, args);
    throw systemError(faults.code ?? "EIO", verb, call.path);
  };
  const wrapped = Object.fromEntries(
    (Object.keys(inner) as Verb[]).map((verb) => [
      verb,
      (...args: unknown[]) => {
        // The system closes the handles of a dead process.
        if (!(dead && verb === "close")) strike(verb, args);
        return Reflect.apply(inner[verb], inner, args);
      },
    ]),
  ) as unknown as Files;
  return { ...wrapped, calls, dead: () => dead };
}

/**
 * Runs until the work ends or the world dies.
 * @returns what it returned, or `death`, or what it threw
 */
export function untilDeath<T>(
  files: FaultyFiles,
  act: () => T,
): { readonly done: T } | { readonly threw: unknown } | "death" {
  try {
    const done = act();
    return files.dead() ? "death" : { done };
  } catch (error) {
    return files.dead() ? "death" : { threw: error };
  }
}
