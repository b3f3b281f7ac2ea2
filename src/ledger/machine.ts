/** This machine's name for itself: random, made once, never derived from hardware. Journals and leases carry it. */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import type { Random } from "../base/ids.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";

/** 16 hex digits from the state directory; made when missing. */
export function machineId(files: Files, state: string, random: Random): string {
  const path = join(state, "machine.json");
  const read = readJson(files, path);
  const known = read.state === "read" && isRecord(read.value) ? read.value["id"] : null;
  if (typeof known === "string" && /^[0-9a-f]{16}$/.test(known)) return known;
  const id = Buffer.from(random(8)).toString("hex");
  writeJson(files, path, { id }, id);
  return id;
}
