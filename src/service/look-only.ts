/** Files that are only looked at: what a dry run is given, so that nothing on its way writes a cache. */
import type { Files } from "../ports.ts";

export function lookOnly(files: Files): Files {
  const nothing = () => undefined;
  return {
    ...files,
    create: nothing,
    scratch: nothing,
    append: nothing,
    rename: nothing,
    link: nothing,
    unlink: () => false,
    mkdir: nothing,
    rmdir: () => false,
    utimes: nothing,
    syncDir: nothing,
    chmod: nothing,
  };
}
