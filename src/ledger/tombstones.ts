/**
 * Tombstones: what a person undid or forgot is never proposed again. Only a keyed hash of the statement is kept, so that
 * the file does not tell what was forgotten; the key never leaves the state directory.
 */
import { createHmac } from "node:crypto";
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import type { Random } from "../base/ids.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import { statementKey } from "../memory/entry.ts";

export interface Tombstone {
  /** HMAC-SHA-256 of the statement's key, hex. */
  readonly hash: string;
  /** ISO time. */
  readonly at: string;
  readonly cause: "undo" | "forget";
}

export interface Tombstones {
  readonly all: readonly Tombstone[];
  has(statement: string): boolean;
  matching(statement: string): readonly Tombstone[];
  /** Adds what is not there yet and saves. */
  add(statements: readonly string[], mark: { readonly at: string; readonly cause: Tombstone["cause"] }): void;
  /** Takes tombstones away again: what undoing an undo asks for. */
  remove(statements: readonly string[]): void;
}

const FILE = "tombstones.json";

interface Saved {
  readonly key: string;
  readonly tombstones: readonly Tombstone[];
}

function isTombstone(value: unknown): value is Tombstone {
  return isRecord(value) && typeof value["hash"] === "string" && typeof value["at"] === "string";
}

function load(files: Files, folder: string): Saved | null {
  const read = readJson(files, join(folder, FILE));
  if (read.state !== "read" || !isRecord(read.value)) return null;
  const { key, tombstones } = read.value;
  if (typeof key !== "string" || !Array.isArray(tombstones)) return null;
  return { key, tombstones: tombstones.filter(isTombstone) };
}

/**
 * What the file says now: a person may forget something while a daemon has it open. Each write makes a new file, so its identity tells
 * whether it must be read again.
 */
function latest(files: Files, folder: string, random: Random): () => Saved {
  let saved: Saved | null = null;
  let seen = "";
  return () => {
    const stat = files.lstat(join(folder, FILE));
    const now = stat ? `${stat.ino} ${stat.mtime} ${stat.size}` : "";
    if (saved === null || now !== seen)
      saved = load(files, folder) ?? saved ?? { key: Buffer.from(random(32)).toString("hex"), tombstones: [] };
    seen = now;
    return saved;
  };
}

/** @param folder the store's folder in the state directory */
export function openTombstones(files: Files, folder: string, random: Random): Tombstones {
  const current = latest(files, folder, random);
  const hashOf = (statement: string) =>
    createHmac("sha256", current().key).update(statementKey(statement)).digest("hex");
  const save = (tombstones: readonly Tombstone[]) =>
    writeJson(files, join(folder, FILE), { ...current(), tombstones }, Buffer.from(random(8)).toString("hex"));
  const matching = (statement: string) => {
    if (current().tombstones.length === 0) return [];
    const hash = hashOf(statement);
    return current().tombstones.filter((tombstone) => tombstone.hash === hash);
  };
  return {
    get all() {
      return current().tombstones;
    },
    has: (statement) => matching(statement).length > 0,
    matching,
    add: (statements, mark) => {
      const known = new Set(current().tombstones.map((tombstone) => tombstone.hash));
      const fresh = [...new Set(statements.map(hashOf))].filter((hash) => !known.has(hash));
      if (fresh.length === 0) return;
      save([...current().tombstones, ...fresh.map((hash) => ({ hash, ...mark }))]);
    },
    remove: (statements) => {
      const gone = new Set(statements.map(hashOf));
      const kept = current().tombstones.filter(({ hash }) => !gone.has(hash));
      if (kept.length < current().tombstones.length) save(kept);
    },
  };
}

/** True for a statement, or the words that supported one, that a person forgot: the text may stand in no record again. */
export function wasForgotten(tombstones: Pick<Tombstones, "matching">, text: string): boolean {
  return tombstones.matching(text).some(({ cause }) => cause === "forget");
}

/** What holds in other folders as well: a project that was moved has a new one, and its sessions still say what was forgotten. */
export function withInherited(own: Tombstones, others: () => readonly Tombstones[]): Tombstones {
  let inherited: readonly Tombstones[] | null = null;
  const all = () => {
    inherited ??= others();
    return [own, ...inherited];
  };
  return {
    get all() {
      return all().flatMap((tombstones) => tombstones.all);
    },
    has: (statement) => all().some((tombstones) => tombstones.has(statement)),
    matching: (statement) => all().flatMap((tombstones) => tombstones.matching(statement)),
    add: own.add,
    remove: (statements) => {
      for (const tombstones of all()) tombstones.remove(statements);
    },
  };
}
