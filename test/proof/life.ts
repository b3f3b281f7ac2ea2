/** What happens to a store between two dreams, by chance: people state, correct and withdraw facts, agents write into topics. */
import { appendFileSync, existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { talk } from "../support/home.ts";
import type { Chance } from "./chance.ts";
import type { Stage } from "./stage.ts";

const SERVICES = [
  "parcel",
  "invoice",
  "search",
  "mailer",
  "export",
  "login",
  "charts",
  "audit",
  "backup",
  "calendar",
  "webhook",
  "billing",
] as const;
const RULES = [
  "Always write commit subjects in the imperative.",
  "Never push to the main branch of the payments repository.",
  "Always write release notes in British English.",
  "Never merge without two reviews.",
  "Always run the tests with `make check` before a commit.",
] as const;
const TALK = [
  "please have a look at the failing test",
  "thanks, that works",
  "what do you think of this structure?",
  "run the tests again",
] as const;

/** A fact that can be corrected: a service and what was said of it last. */
export interface Known {
  readonly port: Map<string, number>;
  readonly tracker: Map<string, string>;
}

export const nothingKnown = (): Known => ({ port: new Map(), tracker: new Map() });

/** One thing that somebody says, and what follows from it. */
function utterance(chance: Chance, known: Known): string {
  const service = chance.pick(SERVICES);
  const port = known.port.get(service);
  const roll = chance.below(10);
  if (roll < 3) return chance.pick(TALK);
  if (roll < 4) return chance.pick(RULES);
  if (roll < 6) {
    const project = `${service.slice(0, 3).toUpperCase()}${String.fromCharCode(65 + chance.below(26))}X`;
    if (known.tracker.has(service)) return chance.pick(TALK);
    known.tracker.set(service, project);
    return `Bugs of the ${service} service are tracked in the Linear project ${project}.`;
  }
  const fresh = 1_024 + chance.below(60_000);
  known.port.set(service, fresh);
  return port === undefined
    ? `Remember: the ${service} service listens on port ${fresh}.`
    : `Correction: the ${service} service listens on port ${fresh}, not ${port}.`;
}

/** What is said in one session; no sentence twice. */
export function saying(chance: Chance, known: Known): readonly string[] {
  return [...new Set(Array.from({ length: 1 + chance.below(6) }, () => utterance(chance, known)))];
}

/** A session that began some minutes ago. @returns what was said */
export function speak(
  stages: readonly Stage[],
  talker: { chance: Chance; known: Known },
  session: { name: string; minutesAgo: number },
): readonly string[] {
  const said = saying(talker.chance, talker.known);
  for (const stage of stages) stage.session(session.name, talk(said, stage.clock.now() - session.minutesAgo * 60_000));
  return said;
}

/** An agent appends a note of its own to some topic. @returns false when there is no topic yet */
export function scribble(stages: readonly Stage[], chance: Chance, serial: number): boolean {
  const [first] = stages;
  const names = first && existsSync(first.memory) ? readdirSync(first.memory) : [];
  const topics = names.filter((name) => name.endsWith(".md") && name !== "MEMORY.md").sort();
  if (topics.length === 0) return false;
  const topic = chance.pick(topics);
  for (const stage of stages) {
    const path = join(stage.memory, topic);
    appendFileSync(path, `- A note of an agent, number ${serial}.\n`);
    const now = new Date(stage.clock.now() - 1_800_000);
    utimesSync(path, now, now);
  }
  return true;
}
