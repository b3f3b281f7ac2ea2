/** What a distiller that spends needs: a key that nobody else can read, an endpoint, a price. Sends nothing. */
import { isMemdError } from "../base/errors.ts";
import { keySource, openToOthers, sourceText } from "../config/api-key.ts";
import { priceOf } from "../distill/anthropic/prices.ts";
import { damagedNotices } from "../ledger/spend.ts";
import { baseUrlOf } from "../steps/base-url.ts";
import { openMoney } from "../steps/money.ts";
import { caFile, proxyFor } from "../steps/network.ts";
import { leftBatches } from "./batches.ts";
import { checkClaude } from "./claude.ts";
import { type Finding, fine, quoted, remark, wrong, wrongNotice } from "./finding.ts";
import type { DoctorWorld } from "./world.ts";

/** Codes `distiller`, `key`, `no-key`, `key-file-open`, `key-file-unreadable`, `key-in-shell`, `endpoint`, `bad-base-url`, `endpoint-not-encrypted`, `proxy`, `bad-proxy`, `ca-file`, `ca-file-unreadable`, `price-unknown`, `spend-damaged`; and what stands against asking. */
export function checkDistiller(world: DoctorWorld): readonly Finding[] {
  const { dream } = world.config;
  const files = [...keyFile(world)];
  if (dream.distiller === "extractive")
    return [
      fine("distiller", "dreams are distilled by rules; nothing is spent"),
      ...unused(world),
      ...files,
      ...leftBatches(world),
    ];
  if (dream.distiller === "claude") return [...checkClaude(world), ...files, ...refused(world)];
  const sending = [...endpoint(world), ...network(world), ...prices(world), ...refused(world), ...leftBatches(world)];
  return [...keys(world), ...files, ...sending];
}

/** A key in the environment alone never makes memd spend. */
function unused({ env }: DoctorWorld): Finding[] {
  const variable = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"].find((name) => env[name]);
  if (variable === undefined) return [];
  const hint = "Set dream.distiller to anthropic to have a model understand what the rules cannot.";
  return [remark("key-not-used", `${variable} is set, and not used`, hint)];
}

function keys({ files, env, config }: DoctorWorld): Finding[] {
  const source = keySource({ files, env, model: config.model });
  if (source === null)
    return [
      wrong(
        "no-key",
        "there is no key for the model",
        "Set model.apiKeyFile (mode 0600) or model.apiKeyCommand, or ANTHROPIC_API_KEY in the environment.",
      ),
    ];
  const found = fine("key", `the key would come from ${sourceText(source)}`);
  if (source.from !== "environment") return [found];
  return [
    remark(
      "key-in-shell",
      found.message,
      "A service does not see the shell's environment: give it model.apiKeyFile, model.apiKeyCommand or a systemd credential.",
    ),
  ];
}

/** Looked at whether or not it is used: a key in it is worth money to others. */
function keyFile({ files, config }: DoctorWorld): Finding[] {
  const path = config.model.apiKeyFile;
  if (path === null) return [];
  const stat = files.stat(path);
  if (stat?.kind !== "file")
    return [
      wrong(
        "key-file-unreadable",
        `model.apiKeyFile ${path} ${stat === null ? "is not there" : "is no file"}`,
        `Write the key into it: (umask 077; cat > ${quoted(path)})`,
      ),
    ];
  const open = openToOthers(files, path);
  if (open === null) return [];
  return [
    wrong(
      "key-file-open",
      `the key file ${path} can be read by others (${open}), and is not used`,
      `chmod 600 ${quoted(path)}`,
    ),
  ];
}

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.*\.localhost)$/;

function endpoint(world: DoctorWorld): Finding[] {
  const url = URL.parse(baseUrlOf(world, world.config));
  if (url === null || !/^https?:$/.test(url.protocol))
    return [
      wrong(
        "bad-base-url",
        "the model's endpoint is not an http or https address",
        "Mend model.baseUrl, or ANTHROPIC_BASE_URL; for example https://api.anthropic.com or http://127.0.0.1:11434.",
      ),
    ];
  if (url.protocol === "http:" && !LOCAL.test(url.hostname))
    return [
      wrong(
        "endpoint-not-encrypted",
        `the key and your words would go to ${url.host} without encryption`,
        "Use https, or a server on this machine.",
      ),
    ];
  const models = [...new Set([world.config.model.extract, world.config.model.consolidate])].join(" and ");
  return [
    remark(
      "endpoint",
      `${models} would be asked at ${url.host}`,
      "memd doctor --probe tries it, with at most six small requests that are paid for.",
    ),
  ];
}

/** A service does not see what the shell sets. */
function network({ env, files, config }: DoctorWorld): Finding[] {
  return [...proxy(env, baseUrlOf({ env }, config)), ...authorities(env, files)];
}

function proxy(env: DoctorWorld["env"], url: string): Finding[] {
  if (!URL.canParse(url)) return [];
  try {
    const found = proxyFor(env, url);
    if (found === null) return [];
    const hint = `${found.variable} says so, and NO_PROXY what is asked directly. A service needs them in its own environment.`;
    return [remark("proxy", `requests would go through the proxy ${found.url.host}`, hint)];
  } catch (error) {
    if (!isMemdError(error)) throw error;
    return [wrong(error.code, error.message, error.hint)];
  }
}

function authorities(env: DoctorWorld["env"], files: DoctorWorld["files"]): Finding[] {
  const named = env["NODE_EXTRA_CA_CERTS"];
  if (!named) return [];
  if (caFile(env, files) === null)
    return [
      wrong(
        "ca-file-unreadable",
        `NODE_EXTRA_CA_CERTS names no file that can be used: ${named}`,
        "Give the absolute path of a file of certificates.",
      ),
    ];
  return [
    remark(
      "ca-file",
      `the authorities in ${named} are trusted too`,
      "NODE_EXTRA_CA_CERTS says so; a service needs it in its own environment.",
    ),
  ];
}

function prices({ config: { model } }: DoctorWorld): Finding[] {
  const unknown = [model.extract, model.consolidate].filter((name) => priceOf(name, model, "short") === null);
  if (unknown.length === 0) return [];
  return [
    remark(
      "price-unknown",
      `the price of ${[...new Set(unknown)].join(" and ")} is not known: only tokens, requests and time are capped`,
      "Set model.inputUsd and model.outputUsd; 0 for a model of your own machine.",
    ),
  ];
}

function refused({ files, clock, env, config, paths }: DoctorWorld): Finding[] {
  const nobody = () => "";
  const timeZone = () => config.dream.timeZone ?? "UTC";
  const { breaker, book } = openMoney({ files, clock, env, config, state: paths.state, token: nobody, timeZone });
  const damaged = damagedNotices(book, paths.state).map(wrongNotice);
  const tripped = breaker.tripped();
  if (tripped === null) return damaged;
  const { code, message, hint } = tripped;
  return [...damaged, wrong(code, message, `${hint} memd dream --now tries it with one request.`)];
}
