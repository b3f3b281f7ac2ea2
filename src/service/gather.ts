/** Gathers what the definition of the service is made of. */
import { dirname, join } from "node:path";
import { expandHome } from "../config/paths.ts";
import { type ChosenNode, chooseNode } from "./choose-node.ts";
import type { Definition } from "./definition.ts";
import { isPassing, moverOf, realOf } from "./versioned-path.ts";
import type { ServiceWorld, Settings, Warning } from "./world.ts";

export interface Gathered {
  readonly definition: Definition;
  readonly node: ChosenNode;
  readonly warnings: readonly Warning[];
  /** Why this must not be installed, though it can be shown; null when it may. */
  readonly refusal: Warning | null;
}

/** Settings of memd that are paths and lie in the environment: the service must see the same ones. Keys and proxies never go along. */
const PASSED = [
  "MEMD_CONFIG",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
  "XDG_DATA_HOME",
  "CLAUDE_CONFIG_DIR",
  "CODEX_HOME",
  "PI_CODING_AGENT_DIR",
];

/** Below the home. What a password manager reads goes free where the key comes from one. */
const SECRETS = [
  ".ssh",
  ".kube",
  ".docker",
  ".netrc",
  ".git-credentials",
  ".npmrc",
  ".pypirc",
  ".config/gh",
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
];
const KEY_STORES = [
  ".gnupg",
  ".aws",
  ".azure",
  ".config/gcloud",
  ".password-store",
  ".local/share/keyrings",
  ".config/op",
];

/** @param named the node that `--node` names, or that was chosen at the last installation */
export async function gather(world: ServiceWorld, settings: Settings, named: string | null): Promise<Gathered> {
  const { files, host, programs, paths, version } = world;
  const node = await chooseNode({ ...host, files, programs }, named);
  const script = scriptOf(world);
  const definition: Definition = {
    version,
    node: node.path,
    nodeChosen: node.chosen,
    script,
    home: paths.home,
    state: paths.state,
    env: environment(world, settings, node.path),
    writable: writable(world, settings),
    hidden: hidden(world, settings),
  };
  const warnings = [...nodeWarnings(node), ...scriptWarnings(script)];
  return { definition, node, warnings, refusal: refusalOf(world, node, script) };
}

/** The real path, unless an upgrade moves it and memd was called by a link that stays. */
function scriptOf({ host }: ServiceWorld): string {
  const { script, called } = host;
  return moverOf(script) !== null && called !== null && moverOf(called) === null ? called : script;
}

function environment({ env, paths, host, platform }: ServiceWorld, { config }: Settings, node: string) {
  const mac = platform === "darwin";
  const set = PASSED.flatMap((name) => {
    const value = name === "MEMD_CONFIG" && paths.configNamed ? paths.configFile : env[name];
    return value?.startsWith("/") && !/\p{Cc}/u.test(value) ? [[name, value] as const] : [];
  });
  const folders = [
    dirname(node),
    "/usr/local/bin",
    ...(mac ? ["/opt/homebrew/bin"] : []),
    "/usr/bin",
    "/bin",
    ...(mac ? ["/usr/sbin", "/sbin"] : []),
    // Where Claude Code installs itself.
    ...(config.dream.distiller === "claude" ? [join(paths.home, ".local", "bin")] : []),
  ];
  return {
    MEMD_SERVICE: mac ? "launchd" : "systemd",
    PATH: [...new Set(folders)].join(":"),
    ...(paths.home === host.home ? {} : { HOME: paths.home }),
    ...Object.fromEntries(set),
  };
}

/** Real paths, without those that lie below another one. */
function writable({ files, paths }: ServiceWorld, { config, stores }: Settings): readonly string[] {
  const wanted = [
    // Of a project that is not there yet, no pattern could name the memory.
    ...(config.discover ? [join(paths.claude, "projects"), paths.data] : []),
    paths.state,
    ...(config.dream.distiller === "claude" ? [paths.claude] : []),
    ...stores.map(({ memory }) => memory),
  ].map((path) => realOf(files, path) ?? path);
  const unique = [...new Set(wanted)];
  return unique.filter((path) => !unique.some((other) => other !== path && isBelow(path, other)));
}

const isBelow = (path: string, folder: string) => path.startsWith(`${folder}/`);

function hidden(world: ServiceWorld, settings: Settings): readonly string[] {
  const { paths, host } = world;
  const { config, stores } = settings;
  const names = [...SECRETS, ...(config.model.apiKeyCommand.length > 0 ? [] : KEY_STORES)];
  const needed = [
    host.script,
    paths.configFile,
    ...(config.model.apiKeyFile === null ? [] : [expandHome(config.model.apiKeyFile, paths.home)]),
    ...writable(world, settings),
    ...stores.flatMap(({ memory, sessions, logs }) => [memory, ...sessions, ...logs]),
  ];
  return names
    .map((name) => join(paths.home, name))
    .filter((path) => !needed.some((item) => item === path || isBelow(item, path)));
}

function nodeWarnings({ path, mover }: ChosenNode): Warning[] {
  if (mover === null) return [];
  const hint =
    "Install a node of the system and run memd service install again, or name one that stays: memd service install --node PATH. " +
    "After an upgrade of node, run memd service install.";
  return [
    { code: "versioned-node", message: `the service starts ${path}, which belongs to ${mover}: it dies with it`, hint },
  ];
}

function scriptWarnings(script: string): Warning[] {
  const mover = moverOf(script);
  if (mover === null) return [];
  const hint = "After an upgrade, run memd service install again; or install memd with a node of the system.";
  return [{ code: "versioned-script", message: `the service starts ${script}, which belongs to ${mover}`, hint }];
}

function refusalOf({ host }: ServiceWorld, node: ChosenNode, script: string): Warning | null {
  const passing = [script, node.path].find((path) => isPassing(path, host.temporary));
  if (passing === undefined) return null;
  return {
    code: "passing-path",
    message: `${passing} lies in a folder that is emptied without asking`,
    hint: "Install memd for good: npm install --global memd-daemon. Then run memd service install.",
  };
}
