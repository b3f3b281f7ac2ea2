/** This machine's name for itself: random, made once, never derived from hardware. Journals and leases carry it. */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import type { Random } from "../base/ids.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";

const pathOf = (state: string) => join(state, "machine.json");

/** Null when this machine has no name yet, or the file is damaged. */
export function knownMachineId(files: Files, state: string): string | null {
  const read = readJson(files, pathOf(state));
  const known = read.state === "read" && isRecord(read.value) ? read.value["id"] : null;
  return typeof known === "string" && /^[0-9a-f]{16}$/.test(known) ? known : null;
}

/** 16 hex digits from the state directory; made when missing. */
export function machineId(files: Files, state: string, random: Random): string {
  const known = knownMachineId(files, state);
  if (known !== null) return known;
  const path = pathOf(state);
  const id = Buffer.from(random(8)).toString("hex");
  writeJson(files, path, { id }, id);
  return id;
}
