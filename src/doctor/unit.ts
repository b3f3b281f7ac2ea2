/** The installed service: whether it is the one that this memd would install, alone, and up. */
import { join } from "node:path";
import { namesIn } from "../base/folders.ts";
import { type FoundManager, findManager } from "../service/find-manager.ts";
import { chosenBefore, planOf, readDefinition } from "../service/install.ts";
import type { ServiceState } from "../service/manager.ts";
import { type ServiceReport, serviceReport } from "../service/service.ts";
import { unseenWarnings } from "../service/unseen.ts";
import { moverOf } from "../service/versioned-path.ts";
import type { ServiceWorld, Settings } from "../service/world.ts";
import { type Finding, fine, orFine, quoted, remark, wrong } from "./finding.ts";

/** Codes: see each check. Without an installed service one remark is all. */
export async function checkService(world: ServiceWorld, settings: Settings): Promise<readonly Finding[]> {
  const found = await findManager(world);
  const report = await serviceReport(world, found);
  const duplicates = checkDuplicates(world, report.path);
  if (!report.installed)
    return [
      remark(
        "service-absent",
        "memd does not run by itself: no service is installed",
        "memd service install makes one.",
      ),
      ...duplicates,
    ];
  const all = [
    ...(await checkProgram(world, report)),
    ...checkKeys(world, report.path),
    ...checkUnseen(world, settings, found),
    ...(await checkDrift(world, settings, { found, report })),
    ...duplicates,
    ...checkState(report),
    ...report.warnings.map(({ code, message, hint }) =>
      code === "gave-up-starting" ? wrong(code, message, hint) : remark(code, message, hint),
    ),
  ];
  return orFine(all, fine("service", `the service is installed as ${report.path}, and starts ${report.node}`));
}

/** `service-node-missing`, `service-node-too-old`, `service-node-versioned`, `service-script-missing`. */
async function checkProgram(
  { files, programs }: ServiceWorld,
  { node, script, path }: ServiceReport,
): Promise<Finding[]> {
  const again = "Run memd service install again; it finds a node that is there.";
  if (node === null || script === null)
    return [wrong("service-unreadable", `${path} does not say what it starts`, again)];
  const { status, stdout } = await programs.run(node, ["--version"]);
  if (status !== 0) return [wrong("service-node-missing", `the service starts ${node}, which does not run`, again)];
  const [major = 0, minor = 0] = stdout.replace("v", "").split(".").map(Number);
  const mover = moverOf(node);
  return [
    ...(major < 20 || (major === 20 && minor < 19)
      ? [wrong("service-node-too-old", `the service starts ${node}, which is ${stdout.trim()}`, again)]
      : []),
    ...(files.stat(script)?.kind === "file"
      ? []
      : [wrong("service-script-missing", `the service starts ${script}, which is not there`, again)]),
    ...(mover === null
      ? [fine("service-node", `the service starts ${node}, ${stdout.trim()}`)]
      : [
          remark(
            "service-node-versioned",
            `the service starts ${node}, which belongs to ${mover}`,
            "After an upgrade of node run memd service install again; or name one that stays with --node PATH.",
          ),
        ]),
  ];
}

/** Without key or sign-in every dream of the service fails; the way to the endpoint it may have by other means. */
const BY_CHANCE: ReadonlySet<string> = new Set(["network-not-in-service"]);

function checkUnseen(world: ServiceWorld, settings: Settings, { manager }: FoundManager): Finding[] {
  return unseenWarnings(world, settings, manager).map(({ code, message, hint }) =>
    (BY_CHANCE.has(code) ? remark : wrong)(code, message, hint),
  );
}

const KEY = /sk-ant-|(?:API_KEY|AUTH_TOKEN)["']?[=<]/;

/** `key-in-unit`: others may read it, and the manager shows it. */
function checkKeys({ files }: ServiceWorld, path: string): Finding[] {
  const dropIns = namesIn(files, `${path}.d`).map((name) => join(`${path}.d`, name));
  return [path, ...dropIns]
    .filter((file) => KEY.test(textOf(files, file)))
    .map((file) =>
      wrong(
        "key-in-unit",
        `${file} seems to hold a key, which others can read there`,
        "Take it out, make a new key, and keep that in a file of mode 0600 that model.apiKeyFile names.",
      ),
    );
}

/** Empty where it cannot be read. */
function textOf(files: ServiceWorld["files"], path: string): string {
  return files.lstat(path)?.kind === "file" ? files.readText(path) : "";
}

interface Drift {
  readonly found: FoundManager;
  readonly report: ServiceReport;
}

/** `unit-foreign`, `unit-edited`, `unit-outdated`. */
async function checkDrift(world: ServiceWorld, settings: Settings, { found, report }: Drift): Promise<Finding[]> {
  const { path, version, edited } = report;
  if (version === null)
    return [
      wrong(
        "unit-foreign",
        `${path} was not made by memd`,
        `Move it away, then: memd service install. Or keep it, and mend it yourself.`,
      ),
    ];
  if (edited)
    return [
      remark(
        "unit-edited",
        `${path} was edited since memd made it`,
        "memd service install shows the difference. Changes that are to stay belong into a drop-in.",
      ),
    ];
  // What an unreachable manager could do is not known, so neither is what would be installed.
  if (!found.reachable) return [];
  const before = readDefinition(world, path);
  const { text } = await planOf(world, settings, { found, named: chosenBefore(found.manager, before) });
  if (text === before) return [];
  const why =
    version === world.version ? "node, the configuration or the system changed since" : `it is of memd ${version}`;
  return [
    wrong(
      "unit-outdated",
      `${path} is not what memd would install now: ${why}`,
      "memd service install brings it up to date.",
    ),
  ];
}

/** `service-duplicate`: two daemons fight for one lock, and each is started again for ever. */
function checkDuplicates({ files, paths, host, platform }: ServiceWorld, own: string): Finding[] {
  const folders =
    platform === "darwin"
      ? [join(paths.home, "Library/LaunchAgents"), "/Library/LaunchAgents", "/Library/LaunchDaemons"]
      : [
          join(paths.home, ".config/systemd/user"),
          "/etc/systemd/user",
          "/usr/lib/systemd/user",
          "/usr/local/lib/systemd/user",
          "/etc/systemd/system",
        ];
  const enabledHere = `/etc/systemd/system/multi-user.target.wants/memd@${host.user}.service`;
  const others = folders.flatMap((folder) =>
    namesIn(files, folder)
      .filter((name) => /\.(?:service|plist)$/.test(name) && !name.includes("@"))
      .map((name) => join(folder, name))
      .filter((path) => path !== own && startsMemd(textOf(files, path))),
  );
  return [...others, ...(files.lstat(enabledHere) === null ? [] : [enabledHere])].map((path) =>
    wrong(
      "service-duplicate",
      `${path} starts memd too`,
      `Keep one: memd service uninstall, or disable and remove ${quoted(path)}.`,
    ),
  );
}

const startsMemd = (text: string) =>
  /^(?:ExecStart=|\s*<string>).*\bmemd(?:\.js)?\b/m.test(text) && /\bdaemon\b/.test(text);

/** `service-failed`, `service-stopped`, `service-disabled`, `service-restarts`, `manager-unreachable`. */
function checkState({ state, logCommand }: ServiceReport): Finding[] {
  if (state === null)
    return [
      remark(
        "manager-unreachable",
        "the service manager cannot be reached from here, so whether memd is up is not known",
        "Ask again from a login session of this user (or: export XDG_RUNTIME_DIR=/run/user/$(id -u)).",
      ),
    ];
  return [...downFindings(state, logCommand), ...upFindings(state, logCommand)];
}

function downFindings({ state, result, exitStatus, restarts }: ServiceState, logCommand: string): Finding[] {
  if (state === "failed") {
    const why = [result, exitStatus ? `exit status ${exitStatus}` : null, restarts ? `${restarts} restarts` : null];
    const known = why.filter((part) => part !== null).join(", ");
    const limit = result === "start-limit-hit" || (restarts ?? 0) >= 4 ? " It is not started again by itself." : "";
    return [
      wrong(
        "service-failed",
        `the service has failed: ${known}.${limit}`,
        `${logCommand} says why. Mend that, then: memd service start.`,
      ),
    ];
  }
  if (state === "stopped" || state === "absent")
    return [remark("service-stopped", "the service is installed and does not run", "memd service start starts it.")];
  return [];
}

/** So many restarts are no accident. */
const MANY = 3;

function upFindings({ enabled, restarts, state }: ServiceState, logCommand: string): Finding[] {
  return [
    ...(enabled
      ? []
      : [wrong("service-disabled", "the service is not started at login", "memd service install enables it.")]),
    ...(state === "running" && (restarts ?? 0) >= MANY
      ? [remark("service-restarts", `the service was started again ${restarts} times`, `${logCommand} says why.`)]
      : []),
  ];
}
