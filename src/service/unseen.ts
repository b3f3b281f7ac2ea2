/**
 * What the distiller of the configuration needs and the service does not see: it is started by its manager, not by a shell. Nothing of it is
 * copied: a definition is read by others. Told here with the exact way to give it, by a person.
 */
import { dirname, join } from "node:path";
import { namesIn } from "../base/folders.ts";
import { NETWORK } from "../steps/network.ts";
import type { Manager } from "./manager.ts";
import type { ServiceWorld, Settings, Warning } from "./world.ts";

type Of = Pick<Manager, "kind" | "path">;

/** Codes `key-not-in-service`, `no-key-for-service`, `token-not-in-service`, `endpoint-not-in-service`, `network-not-in-service`. */
export function unseenWarnings(world: ServiceWorld, settings: Settings, manager: Of): readonly Warning[] {
  const { dream, claude } = settings.config;
  if (dream.distiller === "extractive") return [];
  const given = givenBy(world, manager);
  const spendsKey = dream.distiller === "anthropic" || claude.useKey;
  return [
    ...(spendsKey ? keyWarnings(world, settings, { given, manager }) : tokenWarnings(world, { given, manager })),
    ...(spendsKey ? endpointWarnings(world, settings, given) : []),
    ...networkWarnings(world, { given, manager }),
  ];
}

interface At {
  /** True for a variable or credential that the user's own part of the unit gives, or may give by a file of variables. */
  readonly given: (name: string) => boolean;
  readonly manager: Of;
}

/** A drop-in beside the unit is where a person puts what memd must not. */
function givenBy({ files }: ServiceWorld, { path }: Of): At["given"] {
  const folder = `${path}.d`;
  const texts = namesIn(files, folder)
    .filter((name) => name.endsWith(".conf"))
    .map((name) => join(folder, name))
    .map((file) => (files.stat(file)?.kind === "file" ? files.readText(files.realpath(file)) : ""));
  return (name) => texts.some((text) => /^\s*EnvironmentFile=./m.test(text) || text.includes(name));
}

const KEYS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"] as const;
const CREDENTIAL = "anthropic-api-key";

function keyWarnings({ env, paths }: ServiceWorld, { config }: Settings, { given, manager }: At): Warning[] {
  const { apiKeyFile, apiKeyCommand } = config.model;
  if (apiKeyFile !== null || apiKeyCommand.length > 0 || [CREDENTIAL, ...KEYS].some(given)) return [];
  const name = KEYS.find((candidate) => env[candidate]);
  const file = join(dirname(paths.configFile), CREDENTIAL);
  const write = name === undefined ? `(umask 077; cat > '${file}')` : `(umask 077; printf %s "$${name}" > '${file}')`;
  const other =
    manager.kind === "systemd"
      ? ` Or give it as a credential: systemctl --user edit memd.service, and there [Service] and LoadCredential=${CREDENTIAL}:${file}.`
      : "";
  const hint = `Put it into a file of your own: ${write}, and set model.apiKeyFile to it.${other}`;
  return name === undefined
    ? [
        {
          code: "no-key-for-service",
          message: `the service has no key for dream.distiller: ${config.dream.distiller}`,
          hint,
        },
      ]
    : [
        {
          code: "key-not-in-service",
          message: `the service does not see ${name} of this shell, and the key is written into no unit`,
          hint,
        },
      ];
}

const TOKEN = "CLAUDE_CODE_OAUTH_TOKEN";

/** A sign-in in a file is seen by the service too, and one in the keychain of macOS. */
function tokenWarnings({ files, env, paths }: ServiceWorld, { given, manager }: At): Warning[] {
  if (!env[TOKEN] || given(TOKEN) || files.stat(join(paths.claude, ".credentials.json")) !== null) return [];
  return [
    {
      code: "token-not-in-service",
      message: `the service does not see ${TOKEN} of this shell, and Claude Code is not signed in by a file`,
      hint: `Run claude and sign in (/login). Or: ${byHand([TOKEN], { paths, manager })}`,
    },
  ];
}

function endpointWarnings({ env }: ServiceWorld, { config }: Settings, given: At["given"]): Warning[] {
  const name = "ANTHROPIC_BASE_URL";
  if (!env[name] || config.model.baseUrl !== null || given(name)) return [];
  return [
    {
      code: "endpoint-not-in-service",
      message: `the service does not see ${name} of this shell, and would ask another endpoint`,
      hint: "Set model.baseUrl to it.",
    },
  ];
}

function networkWarnings({ env, paths }: ServiceWorld, { given, manager }: At): Warning[] {
  const names = NETWORK.filter((name) => env[name] && !given(name));
  if (names.length === 0) return [];
  return [
    {
      code: "network-not-in-service",
      message: `the service does not see ${names.join(", ")} of this shell`,
      hint: `If it needs them to reach the endpoint: ${byHand(names, { paths, manager })}`,
    },
  ];
}

/** Values may hold passwords: none is printed, or written by memd. */
function byHand(
  names: readonly string[],
  { paths, manager }: Pick<ServiceWorld, "paths"> & Pick<At, "manager">,
): string {
  if (manager.kind === "launchd")
    return `${names.map((name) => `launchctl setenv ${name} "$${name}"`).join("; ")}, at each login, then memd service restart.`;
  const file = join(dirname(paths.configFile), "service.env");
  const pattern = `^(${names.join("|")})=`;
  return `(umask 077; env | grep -E '${pattern}' > '${file}'); then systemctl --user edit memd.service, and there [Service] and EnvironmentFile=${file}; then memd service restart.`;
}
