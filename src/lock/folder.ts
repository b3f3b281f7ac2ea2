/** memd's own folder in a memory directory, made and tried before a lock is taken. */
import { join } from "node:path";
import { TEMP_PREFIX, writeAtomic } from "../base/atomic.ts";
import { MemdError } from "../base/errors.ts";
import { type LeaseWorld, leasePaths } from "./occupancy.ts";

/** Finds out that a directory cannot be written before anything is read, asked or paid for. */
export function prepareFolder(world: LeaseWorld, memoryDir: string): void {
  const { files } = world;
  const { folder } = leasePaths(memoryDir);
  for (const path of [memoryDir, folder]) {
    const kind = (path === folder ? files.lstat(path) : files.stat(path))?.kind ?? null;
    if (kind !== null && kind !== "dir") throw notAFolder(path);
    if (kind === null) files.mkdir(path, 0o700);
  }
  const token = `${world.machineId}-${Buffer.from(world.random(8)).toString("hex")}`;
  const ignore = join(folder, ".gitignore");
  if (files.lstat(ignore) === null) writeAtomic(files, ignore, "*\n", { mode: 0o600, token });
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
