/**
 * Tries what an endpoint can do: one small request for each ability, with the model that needs it, six at most, none of them repeated.
 * Each is reserved and reported like any other. Runs in the child.
 */
import { systemClock } from "../../base/clock.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { ABILITIES, type Ability, type Probed } from "./ability.ts";
import { type Attempt, attempt } from "./attempt.ts";
import { openWire, troubleOf, type Wire } from "./client.ts";
import { verdictOn } from "./failure.ts";
import { openGathering } from "./gather.ts";
import { type Purse, paid } from "./paid.ts";
import { type AnthropicSettings, priceOf } from "./settings.ts";
import { inputAtMost } from "./spend.ts";

/** Enough for a tool call, also where a model thinks aloud first. */
const MAX_TOKENS = 256;

interface Lab {
  readonly settings: AnthropicSettings;
  readonly purse: Purse;
  readonly wire: Wire;
}

type Finding = Omit<Probed, "ability">;
type Findings = Partial<Record<Ability, Finding>>;

const yes = (detail = "yes"): Finding => ({ able: true, detail });
const no = (detail: string): Finding => ({ able: false, detail });

/** @throws MemdError over-budget */
export async function probe(
  settings: AnthropicSettings,
  purse: Purse,
): Promise<{ readonly abilities: readonly Probed[] }> {
  const lab: Lab = { settings, purse, wire: openWire(settings) };
  const first = await greeting(lab);
  const found = first.streaming ? { ...first, ...(await others(lab)) } : first;
  const abilities = ABILITIES.map((ability) => ({
    ability,
    ...(found[ability] ?? { able: null, detail: "not tried" }),
  }));
  return { abilities };
}

/** Which ability the error of the first request speaks against; the ones before it are there. */
const SPEAKS_AGAINST: Readonly<Record<string, Ability>> = {
  "bad-key": "key",
  "no-key": "key",
  "no-credit": "key",
  "unknown-model": "models",
  overloaded: "streaming",
  "rate-limited": "streaming",
};

async function greeting(lab: Lab): Promise<Findings> {
  const tried = await ask(lab, lab.settings.extract.name, "Say ok.");
  const error = errorOf(lab, tried, lab.settings.extract.name);
  if (error) {
    const missing = SPEAKS_AGAINST[error.code] ?? "reachable";
    const before = ABILITIES.slice(0, ABILITIES.indexOf(missing));
    return { ...Object.fromEntries(before.map((ability) => [ability, yes()])), [missing]: no(error.message) };
  }
  const streams = !/json/i.test(tried.headers?.get("content-type") ?? "");
  const streaming = streams ? yes() : no("it answers in one piece: memd waits longer for the first word");
  return { reachable: yes(), key: yes(), models: yes(), streaming };
}

async function others(lab: Lab): Promise<Findings> {
  const models = lab.settings.consolidate.name;
  const tools = await callsTools(lab);
  return {
    ...(tools.unknown ? { models: no(tools.unknown) } : {}),
    tools: tools.finding,
    "structured-output": await keepsToSchema(lab),
    caching: await takesMarks(lab),
    "count-tokens": await answers(lab, "/v1/messages/count_tokens", {
      model: models,
      messages: [{ role: "user", content: "Say ok." }],
    }),
    batches: await answers(lab, "/v1/messages/batches?limit=1"),
  };
}

/** With the model of the consolidation, which works by tools alone. */
async function callsTools(lab: Lab): Promise<{ finding: Finding; unknown: string | null }> {
  const model = lab.settings.consolidate.name;
  const schema = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };
  const tools = [{ name: "note", description: "Notes one word.", input_schema: schema }];
  const tried = await ask(lab, model, "Call the tool note with the word ok.", { tools });
  const error = errorOf(lab, tried, model);
  if (error) return { finding: no(error.message), unknown: error.code === "unknown-model" ? error.message : null };
  const called = tried.gathering.reply()?.stop === "tools";
  return { finding: called ? yes() : no("the model did not call the tool that it was told to call"), unknown: null };
}

/** The question does not ask for JSON: only an endpoint that keeps to the schema answers with it. */
async function keepsToSchema(lab: Lab): Promise<Finding> {
  const model = lab.settings.extract.name;
  const properties = { sum: { type: "integer" } };
  const schema = { type: "object", properties, required: ["sum"], additionalProperties: false };
  const format = { type: "json_schema", schema };
  const tried = await ask(lab, model, "How much is two and three?", { output_config: { format } });
  const error = errorOf(lab, tried, model);
  if (error) return no(error.message);
  const text = tried.gathering.reply()?.parts.map((part) => (part.type === "text" ? part.text : "")) ?? [];
  const answer = parseJson(text.join(""));
  return isRecord(answer) && "sum" in answer ? yes() : no("it takes the schema and does not keep to it");
}

async function takesMarks(lab: Lab): Promise<Finding> {
  const model = lab.settings.extract.name;
  const system = [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }];
  const error = errorOf(lab, await ask(lab, model, "Say ok.", { system }), model);
  return error ? no(error.message) : yes("it takes the marks");
}

function ask({ settings, purse, wire }: Lab, model: string, words: string, more: object = {}): Promise<Attempt> {
  const messages = [{ role: "user", content: [{ type: "text", text: words }] }];
  const body = { model, max_tokens: MAX_TOKENS, stream: true, ...more, messages };
  const need = { inputTokens: inputAtMost(body), outputTokens: MAX_TOKENS, price: priceOf(settings, model) };
  return paid(purse, need, () => attempt(wire, { method: "post", path: "/v1/messages", body }, settings));
}

/** A route that costs nothing; still a request. */
async function answers({ purse, wire }: Lab, path: string, body?: object): Promise<Finding> {
  let finding = yes();
  const run = async (): Promise<Attempt> => {
    const tried: Attempt = { headers: null, gathering: openGathering(), trouble: null };
    const signal = AbortSignal.timeout(30_000);
    try {
      const call = body === undefined ? { method: "get", path, signal } : { method: "post", path, body, signal };
      const response = await wire.send(call as Parameters<Wire["send"]>[0]);
      const told = parseJson(await response.text());
      if (!isRecord(told)) finding = no("it answers, but not in the form of the Messages API");
      return tried;
    } catch (error) {
      const trouble = troubleOf(error);
      finding = no("message" in trouble ? trouble.message : trouble.kind);
      return tried;
    }
  };
  await paid(purse, { inputTokens: 0, outputTokens: 0, price: null }, run);
  return finding;
}

function errorOf({ settings }: Lab, { trouble }: Attempt, model: string) {
  return trouble === null ? null : verdictOn(trouble, { settings, model, now: systemClock.now() }).error;
}
