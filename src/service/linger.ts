/** Lingering: without it systemd ends a user's services with the last session, and starts none at boot. */
import { join } from "node:path";
import type { FoundManager } from "./find-manager.ts";
import type { ServiceWorld, Warning } from "./world.ts";

/** Where logind keeps who lingers: an empty file per user, readable by all. */
const LINGERING = "/var/lib/systemd/linger";

function lingers({ files, host }: Pick<ServiceWorld, "files" | "host">): boolean {
  return files.stat(join(LINGERING, host.user)) !== null;
}

/** memd calls no sudo by itself; it says the exact line. */
const lingerFix = (user: string): string => `sudo loginctl enable-linger ${user}`;

export function lingerWarnings(world: ServiceWorld, { manager }: FoundManager): Warning[] {
  if (manager.kind !== "systemd" || lingers(world)) return [];
  return [
    {
      code: "no-linger",
      message: "memd stops when you log out, and does not start with the machine: lingering is off",
      hint: `To have it run always: ${lingerFix(world.host.user)}`,
    },
  ];
}
