/** Paths that a later upgrade moves: those with a version in them. A service that names one dies when that version is removed. */
import { basename, dirname, join } from "node:path";
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";

/** Whose path it is, by what only that manager's paths hold; the first that fits. */
const MANAGERS: readonly (readonly [string, RegExp])[] = [
  ["nvm", /\/\.?nvm\/versions\//],
  ["fnm", /\/\.?fnm(?:_multishells)?\//],
  ["volta", /\/\.?volta\//],
  ["asdf", /\/\.?asdf\//],
  ["mise", /\/mise\/(?:installs|shims)\//],
  ["nodenv", /\/\.?nodenv\//],
  ["Homebrew", /\/Cellar\//],
  ["Nix", /^\/nix\/store\//],
  ["snap", /^\/snap\/[^/]+\/\d+\//],
  ["pnpm", /\/\.pnpm\//],
];

/** A path part like v20.20.2, node-v20.20.2-linux-x64 or node@20.20.2. Not `node@22`, a name that stays. */
const VERSION_PART = /(?:^|[@-])v?\d+\.\d+(?:\.\d+)?(?:[-+_][\w.]+)*$/;

/** The version or package manager whose path it is, or null. Its links (mise's `installs/node/22`) are its own too. */
export function managerOf(path: string): string | null {
  return MANAGERS.find(([, pattern]) => pattern.test(path))?.[0] ?? null;
}

/** Who takes this path away at an upgrade, or null for a path that stays. */
export function moverOf(path: string): string | null {
  return managerOf(path) ?? (hasVersion(path) ? "one version alone" : null);
}

const hasVersion = (path: string) => path.split("/").some((part) => VERSION_PART.test(part));

/** A path without a version that leads to the same file, or null. Made by a package manager, which keeps it right. */
export function stableLink(files: Files, path: string): string | null {
  const candidates = [
    path.replace(/\/Cellar\/([^/]+)\/[^/]+\//, "/opt/$1/"),
    path.replace(/^(\/snap\/[^/]+)\/\d+\//, "$1/current/"),
    ...(path.startsWith("/nix/store/") ? NIX_LINKS.map((folder) => join(folder, basename(path))) : []),
  ];
  return candidates.find((candidate) => candidate !== path && leadsTo(files, candidate, path)) ?? null;
}

const NIX_LINKS = ["/run/current-system/sw/bin", "/nix/var/nix/profiles/default/bin"];

/**
 * A version manager's own link to the same file: beside the folder of the version (mise's `22`, `lts`), or fnm's aliases. The one that names
 * a major version first: it never jumps to one for which native parts were not built.
 */
export function aliasOf(files: Files, path: string): string | null {
  const parts = path.split("/");
  const at = parts.findIndex((part) => VERSION_PART.test(part));
  if (at < 0) return null;
  const version = parts.slice(0, at + 1).join("/");
  const rest = parts.slice(at + 1).join("/");
  const beside = linksIn(files, dirname(version)).map((link) => join(link, rest));
  const fnm = linksIn(files, join(dirname(version), "..", "aliases")).map((link) =>
    join(link, rest.replace(/^installation\//, "")),
  );
  const found = [...beside, ...fnm].filter((candidate) => !hasVersion(candidate) && leadsTo(files, candidate, path));
  return found.find((candidate) => /\/v?\d+\//.test(candidate)) ?? found[0] ?? null;
}

function linksIn(files: Files, folder: string): string[] {
  if (files.stat(folder)?.kind !== "dir") return [];
  return files.list(folder).flatMap(({ name, kind }) => (kind === "link" ? [join(folder, name)] : []));
}

function leadsTo(files: Files, path: string, target: string): boolean {
  return realOf(files, path) === realOf(files, target) && realOf(files, path) !== null;
}

/** Null where nothing is, or where it may not be looked at. */
export function realOf(files: Files, path: string): string | null {
  try {
    return files.realpath(path);
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}

/** Places that are emptied without asking: what npx, pnpm dlx and bunx unpack, and temporary folders. */
const PASSING =
  /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/|\/_npx\/|\/_cacache\/|\/dlx-[^/]*\/|\/bunx-|\/fnm_multishells\/|\/xfs-[^/]*\//;

/** @param temporary the folder of temporary files, as TMPDIR names it */
export function isPassing(path: string, temporary: string | null): boolean {
  return PASSING.test(path) || (temporary !== null && path.startsWith(join(temporary, "/")));
}
