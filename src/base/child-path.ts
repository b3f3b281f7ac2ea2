/**
 * `join` of a folder whose path is clean and a name that is one or more plain parts, without the normalizing, which costs ten times
 * as much: a scan asks for twenty thousand such paths, `memd status` for some hundred before anything is compiled.
 */
export function childPath(folder: string, name: string): string {
  return folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}

/** `dirname` of a clean absolute path. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** `basename` of a clean absolute path. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** True for an absolute path that `resolve` would leave as it is. */
export function isCleanPath(path: string): boolean {
  if (!path.startsWith("/") || path.includes("//")) return false;
  return !["/./", "/../"].some((part) => `${path}/`.includes(part)) && (path === "/" || !path.endsWith("/"));
}
