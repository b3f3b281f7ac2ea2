/** Installs the service: shows, writes, or leaves alone, and never does what a second run would do again. */
import { dirname, join } from "node:path";
import { writeAtomic } from "../base/atomic.ts";
import { MemdError } from "../base/errors.ts";
import { renderDiff } from "../memory/diff.ts";
import type { ChosenNode } from "./choose-node.ts";
import type { Definition } from "./definition.ts";
import { featuresOf, notifySocketOf, probeNamespaces } from "./features.ts";
import { type FoundManager, findManager, OLDEST_SYSTEMD, requireReachable, runtimeOf } from "./find-manager.ts";
import { gather } from "./gather.ts";
import { lingerWarnings } from "./linger.ts";
import type { Manager, ServiceState } from "./manager.ts";
import { LABEL, readPlist, renderPlist } from "./plist.ts";
import { readSeal } from "./seal.ts";
import { UNIT } from "./systemd.ts";
import { readUnit, renderUnit } from "./unit.ts";
import { unseenWarnings } from "./unseen.ts";
import type { ServiceWorld, Settings, Warning } from "./world.ts";

export interface InstallRequest {
  /** `--node`; null lets memd choose. */
  readonly node: string | null;
  readonly dryRun: boolean;
  /** Writes over a definition that was edited, or that memd did not make. */
  readonly force: boolean;
}

export interface Installed {
  readonly action: "installed" | "updated" | "unchanged" | "dry-run";
  readonly manager: Manager["kind"];
  readonly path: string;
  /** The definition. */
  readonly text: string;
  readonly node: ChosenNode;
  /** Null on a dry run. */
  readonly state: ServiceState | null;
  readonly logCommand: string;
  readonly warnings: readonly Warning[];
}

/**
 * @throws MemdError misconfigured: `no-service-manager`, `passing-path`, `unfit-path`, `bad-node`, `edited-definition`; and what the manager
 * answers: unavailable `service-failed`, misconfigured `service-misconfigured`
 */
export async function install(world: ServiceWorld, settings: Settings, request: InstallRequest): Promise<Installed> {
  const found = await findManager(world);
  const { manager } = found;
  const before = readDefinition(world, manager.path);
  const plan = await planOf(world, settings, { found, named: request.node ?? chosenBefore(manager, before) });
  const report = { manager: manager.kind, path: manager.path, logCommand: manager.logCommand, ...plan };
  if (request.dryRun) return { ...report, action: "dry-run", state: null };
  if (plan.refusal !== null) throw new MemdError({ ...plan.refusal, family: "misconfigured" });
  requireReachable(found, plan.definition);
  makeFolders(world, plan.definition);
  const isSame = before === plan.text;
  if (before !== null && !isSame) refuseEdited(before, plan.text, { path: manager.path, force: request.force });
  const action = isSame ? "unchanged" : before === null ? "installed" : "updated";
  if (!isSame) write(world, manager.path, plan.text);
  if (!isSame || !isUp(await manager.state())) await manager.adopt(before !== null);
  return { ...report, action, state: await manager.state() };
}

const isUp = ({ state, enabled }: ServiceState) => enabled && (state === "running" || state === "starting");

interface Plan {
  readonly definition: Definition;
  readonly text: string;
  readonly node: ChosenNode;
  readonly warnings: readonly Warning[];
  readonly refusal: Warning | null;
}

interface PlanSetup {
  readonly found: FoundManager;
  readonly named: string | null;
}

/** What would be installed now; writes nothing. */
export async function planOf(world: ServiceWorld, settings: Settings, { found, named }: PlanSetup): Promise<Plan> {
  const gathered = await gather(world, settings, named);
  const { definition, node, refusal } = gathered;
  const namespaces = found.manager.kind === "launchd" || !found.reachable || (await probeNamespaces(found.programs));
  const warnings = [
    ...gathered.warnings,
    ...(namespaces ? [] : [NO_NAMESPACES]),
    ...lingerWarnings(world, found),
    ...rivalWarnings(world, found.manager),
    ...unseenWarnings(world, settings, found.manager),
    ...(refusal === null ? [] : [refusal]),
  ];
  return { definition, text: textOf(world, found, { definition, namespaces }), node, warnings, refusal };
}

function textOf(
  world: ServiceWorld,
  found: FoundManager,
  plan: { definition: Definition; namespaces: boolean },
): string {
  const { definition, namespaces } = plan;
  if (found.manager.kind === "launchd")
    return renderPlist(template(world, join("launchd", `${LABEL}.plist`)), definition);
  const notifySocket = found.reachable ? notifySocketOf(world.files, runtimeOf(world)) : null;
  const features = featuresOf({ version: found.version ?? OLDEST_SYSTEMD, namespaces, notifySocket });
  return renderUnit(template(world, join("systemd", UNIT)), definition, features);
}

const NO_NAMESPACES: Warning = {
  code: "no-user-namespaces",
  message:
    "this system lets no user unit have a namespace of its own: the unit is written without what rests on one (read-only home, hidden secrets)",
  hint: "On Ubuntu see kernel.apparmor_restrict_unprivileged_userns; then run memd service install --force.",
};

function rivalWarnings({ files }: ServiceWorld, { rivals, path }: Manager): Warning[] {
  return rivals
    .filter((rival) => files.lstat(rival) !== null)
    .map((rival) => ({
      code: "rival-definition",
      message: `${rival} defines the same service as ${path}`,
      hint: `Keep one of them: memd service uninstall, or remove ${rival}.`,
    }));
}

const template = ({ files, host }: ServiceWorld, name: string) => files.readText(join(host.base, name));

/** Null: there is none. */
export function readDefinition({ files }: Pick<ServiceWorld, "files">, path: string): string | null {
  return files.stat(path)?.kind === "file" ? files.readText(files.realpath(path)) : null;
}

/** What an installed definition starts. */
export function commandOf(manager: Pick<Manager, "kind">, text: string) {
  return manager.kind === "launchd" ? readPlist(text) : readUnit(text);
}

/** A node that was chosen stays so until another is. */
export function chosenBefore(manager: Pick<Manager, "kind">, text: string | null): string | null {
  if (text === null || readSeal(text) === null) return null;
  const { node, nodeChosen } = commandOf(manager, text);
  return nodeChosen ? node : null;
}

function refuseEdited(before: string, after: string, { path, force }: { path: string; force: boolean }): void {
  const found = readSeal(before);
  if (force || found?.intact) return;
  const whose = found === null ? "was not made by memd" : "was edited since memd made it";
  const diff = renderDiff({ files: [{ file: path.slice(1), before, after }] });
  throw new MemdError({
    code: "edited-definition",
    family: "misconfigured",
    message: `${path} ${whose}; memd would change it so:\n${diff}`,
    hint: "Move your changes into a drop-in (systemctl --user edit memd.service), then: memd service install --force.",
  });
}

function write({ files, token }: ServiceWorld, path: string, text: string): void {
  files.mkdir(dirname(path), 0o755);
  // launchd takes no plist that others may write; neither file holds a secret, and both are read by others.
  writeAtomic(files, path, text, { mode: 0o644, token });
}

/** A folder that is missing when the service starts stays read-only for it. */
function makeFolders({ files, paths }: ServiceWorld, { writable }: Definition): void {
  for (const folder of [...writable, join(paths.state, "logs")]) files.mkdir(folder, 0o700);
}
