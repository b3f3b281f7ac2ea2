/** The child that talks to a model's endpoint: to distill, to look after what was sent off, or to try what the endpoint can do. */
import { sendBatch } from "./anthropic/batch.ts";
import { lookAfter } from "./anthropic/batch-look.ts";
import { openEndpoint } from "./anthropic/endpoint.ts";
import { anthropic } from "./anthropic/index.ts";
import { readLookSetup } from "./anthropic/look-setup.ts";
import { probe } from "./anthropic/probe.ts";
import { readSettings } from "./anthropic/settings.ts";
import { type Engine, serve } from "./child.ts";

const distill: Engine = async (brief, home, world) => {
  const settings = readSettings(await home.settings());
  const waiting = settings.batch ? await sendBatch(brief, { settings, home, world }) : 0;
  if (waiting > 0) return { waiting };
  return anthropic(brief, home, openEndpoint(settings, home, world), settings);
};

const look: Engine = async (_, home, world) => {
  const { settings, order } = readLookSetup(await home.settings());
  return lookAfter(order, { settings, home, world });
};

await serve(
  new Map<string, Engine>([
    ["anthropic", distill],
    ["look", look],
    ["probe", async (_, home) => probe(readSettings(await home.settings()), home)],
  ]),
);
