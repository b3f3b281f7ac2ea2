/** How the installed service is: what the manager says, and what the definition on the disk says. */
import { MemdError } from "../base/errors.ts";
import { type FoundManager, findManager, requireReachable } from "./find-manager.ts";
import { commandOf, readDefinition } from "./install.ts";
import { lingerWarnings } from "./linger.ts";
import type { Manager, ServiceState } from "./manager.ts";
import { readSeal } from "./seal.ts";
import { readStarts } from "./starts.ts";
import type { ServiceWorld, Warning } from "./world.ts";

export interface ServiceReport {
  readonly manager: Manager["kind"];
  readonly path: string;
  readonly installed: boolean;
  /** The memd that wrote the definition; null for one that is not there, or not memd's. */
  readonly version: string | null;
  /** Bytes of the definition were changed since. */
  readonly edited: boolean;
  readonly node: string | null;
  readonly script: string | null;
  /** Null where the manager cannot be reached from here. */
  readonly state: ServiceState | null;
  readonly logCommand: string;
  readonly warnings: readonly Warning[];
}

/** Looks; changes nothing. */
export async function serviceReport(world: ServiceWorld, found?: FoundManager): Promise<ServiceReport> {
  const there = found ?? (await findManager(world));
  const { manager, reachable } = there;
  const text = readDefinition(world, manager.path);
  const mark = text === null ? null : readSeal(text);
  const { node, script } = text === null ? { node: null, script: null } : commandOf(manager, text);
  return {
    manager: manager.kind,
    path: manager.path,
    installed: text !== null,
    version: mark?.version ?? null,
    edited: text !== null && mark?.intact !== true,
    node,
    script,
    state: reachable ? await manager.state() : null,
    logCommand: manager.logCommand,
    warnings: [...(text === null ? [] : lingerWarnings(world, there)), ...gaveUp(world)],
  };
}

function gaveUp({ files, paths }: ServiceWorld): Warning[] {
  const starts = readStarts(files, paths.state);
  if (starts.gaveUp === null) return [];
  return [
    {
      code: "gave-up-starting",
      message: `memd failed to start ${starts.at.length} times and stays down: ${starts.gaveUp}`,
      hint: "Mend that (memd doctor helps), then: memd service start.",
    },
  ];
}

/** The manager of an installed service. @throws MemdError misconfigured `no-service-manager`, `not-installed` */
export async function installedManager(world: ServiceWorld): Promise<Manager> {
  const found = await findManager(world);
  requireReachable(found, { node: world.host.node.path, script: world.host.script });
  if (readDefinition(world, found.manager.path) !== null) return found.manager;
  throw new MemdError({
    code: "not-installed",
    family: "misconfigured",
    message: `there is no service yet: ${found.manager.path} is missing`,
    hint: "memd service install makes it.",
  });
}
