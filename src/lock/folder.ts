/** memd's own folder in a memory directory, made and tried before a lock is taken. */
import { join } from "node:path";
import { TEMP_PREFIX } from "../base/atomic.ts";
import { MemdError } from "../base/errors.ts";
import { ensureFolder, ensureIgnored } from "../base/folders.ts";
import { type LeaseWorld, leasePaths } from "./occupancy.ts";

/** Finds out that a directory cannot be written before anything is read, asked or paid for. */
export function prepareFolder(world: LeaseWorld, memoryDir: string): void {
  const { files } = world;
  const { folder } = leasePaths(memoryDir);
  // The memory directory may be a link that a person made; what is memd's own may not.
  const kind = files.stat(memoryDir)?.kind ?? null;
  if (kind !== null && kind !== "dir") throw notAFolder(memoryDir);
  if (kind === null) files.mkdir(memoryDir, 0o700);
  ensureFolder(files, folder);
  const token = `${world.machineId}-${Buffer.from(world.random(8)).toString("hex")}`;
  ensureIgnored(files, folder, token);
  const probe = join(memoryDir, `${TEMP_PREFIX}${token}-probe`);
  files.create(probe, "", 0o600);
  files.unlink(probe);
}

function notAFolder(path: string): MemdError {
  return new MemdError({
    code: "not-a-folder",
    family: "misconfigured",
    message: `${path} is not a folder`,
    hint: "Move it away, or name another memory directory in the configuration.",
  });
}
