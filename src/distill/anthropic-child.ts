/** The child that talks to a model's endpoint: to distill, or to try what the endpoint can do. */
import { openEndpoint } from "./anthropic/endpoint.ts";
import { anthropic } from "./anthropic/index.ts";
import { probe } from "./anthropic/probe.ts";
import { readSettings } from "./anthropic/settings.ts";
import { type Engine, serve } from "./child.ts";

const distill: Engine = async (brief, home, world) => {
  const settings = readSettings(await home.settings());
  return anthropic(brief, home, openEndpoint(settings, home, world), settings);
};

await serve(
  new Map<string, Engine>([
    ["anthropic", distill],
    ["probe", async (_, home) => probe(readSettings(await home.settings()), home)],
  ]),
);
