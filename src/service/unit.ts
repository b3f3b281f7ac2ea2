/** The user unit, rendered from its template for what this systemd can do. */
import { argumentsOf, type Definition } from "./definition.ts";
import type { Features } from "./features.ts";
import { fitPath, quoteArgument, quoteProgram, quoteWord } from "./quote.ts";
import { seal, UNIT_COMMENT } from "./seal.ts";
import { addAfter, directivesOf, dropDirectives, setDirective, withoutPreface } from "./unit-text.ts";

/** What needs a user namespace in a user unit. Without one systemd ignores a part of these and refuses to start on others (218, 226). */
const NEED_NAMESPACE = [
  "PrivateUsers",
  "ProtectSystem",
  "ProtectHome",
  "ReadWritePaths",
  "InaccessiblePaths",
  "PrivateTmp",
  "PrivateDevices",
  "ProtectKernelTunables",
  "ProtectKernelModules",
  "ProtectKernelLogs",
  "ProtectControlGroups",
  "ProtectClock",
  "ProtectHostname",
  "CapabilityBoundingSet",
];

/** @param template the text of systemd/memd.service */
export function renderUnit(template: string, definition: Definition, features: Features): string {
  const { node, script, env, writable, hidden, version } = definition;
  fitPath(node, "the path of node");
  fitPath(script, "the path of memd");
  const command = [quoteProgram(node), ...argumentsOf(definition).map(quoteArgument)].join(" ");
  let text = withoutPreface(template);
  text = setDirective(text, "ExecStart", [command]);
  text = setDirective(
    text,
    "Environment",
    Object.entries(env).map(([name, value]) => quoteWord(`${name}=${value}`)),
  );
  text = setDirective(text, "ReadWritePaths", writable.map(optionalPath));
  text = setDirective(text, "InaccessiblePaths", hidden.map(optionalPath));
  if (definition.nodeChosen) text = `${CHOSEN}\n${text}`;
  return seal(fitted(text, features), version, UNIT_COMMENT);
}

/** The dash lets the unit start where the path is missing; without it that is exit 226. */
function optionalPath(path: string): string {
  return quoteWord(`-${fitPath(path, "a folder of the service")}`);
}

function fitted(text: string, { namespaces, openFile, restartSteps }: Features): string {
  let fit = text;
  if (openFile !== null) {
    fit = setDirective(fit, "NotifyAccess", ["main"]);
    fit = addAfter(fit, "NotifyAccess", [`OpenFile=${openFile}:notify`]);
  }
  if (restartSteps) fit = addAfter(fit, "RestartSec", ["RestartSteps=5", "RestartMaxDelaySec=5min"]);
  return namespaces ? fit : dropDirectives(fit, NEED_NAMESPACE);
}

const CHOSEN = "# node was chosen with --node";

export interface InstalledCommand {
  /** Null where ExecStart cannot be read. */
  readonly node: string | null;
  readonly script: string | null;
  readonly nodeChosen: boolean;
}

/** What an installed unit starts. */
export function readUnit(text: string): InstalledCommand {
  const words = [...(directivesOf(text, "ExecStart")[0] ?? "").matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map((match) =>
    unquoted(match[1] ?? match[2] ?? ""),
  );
  const nodeChosen = text.split("\n").includes(CHOSEN);
  return { node: words[0] ?? null, script: words.slice(1).find((word) => !word.startsWith("-")) ?? null, nodeChosen };
}

function unquoted(word: string): string {
  return word.replace(/%%/g, "%").replace(/\$\$/g, "$").replace(/\\(.)/g, "$1");
}
