/** Whether the system lets the daemon watch as many folders as it would like to. */
import { join } from "node:path";
import { placesOf } from "../triggers/places.ts";
import { type Finding, fine, wrong } from "./finding.ts";
import type { DoctorWorld } from "./world.ts";

/** What many distributions set, and room for editors beside memd. */
const PLENTY = 524_288;

/** Codes `watches`, `watch-limit`. @param watching folders that a running daemon watches already */
export function checkWatches({ files, host, paths, config, stores }: DoctorWorld, watching: number): Finding[] {
  if (!config.daemon.watch)
    return [fine("watches", "nothing is watched (daemon.watch: false); the timed scan finds all")];
  const roots = config.discover ? [join(paths.claude, "projects"), ...(config.discoverOthers ? paths.others : [])] : [];
  const need = placesOf(files, { stores, roots }).size + roots.filter((root) => files.stat(root) !== null).length;
  const told = host.watches();
  if (told === null) return [fine("watches", `${need} folders to watch`)];
  const left = told.limit - told.used + watching;
  const message = `${need} folders to watch; ${told.used} of ${told.limit} watches of this user are in use`;
  if (need <= left) return [fine("watches", message)];
  return [
    wrong(
      "watch-limit",
      `${message}, so memd can only scan`,
      `echo fs.inotify.max_user_watches=${Math.max(PLENTY, told.limit * 2)} | sudo tee /etc/sysctl.d/60-memd.conf && sudo sysctl --system`,
    ),
  ];
}
