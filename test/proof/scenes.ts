/** A store with a past, a session that changes three of its topics and makes a fourth, and a distiller that hears exactly that. */
import { utimesSync } from "node:fs";
import { entryId } from "../../src/memory/entry.ts";
import type { Cite, Operation } from "../../src/memory/operation.ts";
import { type Brief, type Distiller, NO_USAGE } from "../../src/ports.ts";
import { START, talk } from "../support/home.ts";
import { DAY, type Stage } from "./stage.ts";

export const front = (slug: string, description: string, type = "project") =>
  `---\nname: ${slug}\ndescription: "${description}"\nmetadata:\n  node_type: memory\n  type: ${type}\n---\n\n`;

const TOPICS: Readonly<Record<string, string>> = {
  "limits.md": `${front("limits", "Read when a size limit matters")}# Limits\n\n- The queue limit is 300 jobs.\n- The worker limit is 12.\n`,
  "deploys.md": `${front("deploys", "Read before a deploy")}- Deploys run on Tuesdays.\n- The staging host is alpha.example.test.\n- The deploy window opens at 14:30.\n`,
  "commits.md": `${front("commits", "Read before a commit", "feedback")}- Commit subjects stay below 60 characters.\n`,
  "quiet.md": `${front("quiet", "Read about the garden")}- Nothing changes here.\n`,
  "MEMORY.md":
    "# Memory\n\nWritten by hand.\n\n- [Limits](limits.md) — size limits\n- [Deploys](deploys.md) — when and where\n\n## Style\n\n- [Commits](commits.md) — how to commit\n- [Quiet](quiet.md) — the garden\n",
};

/** What one utterance asks for, by words that stand in it. */
export interface Hearing {
  readonly words: string;
  readonly operations: (cites: readonly Cite[]) => readonly Operation[];
}

/** Proposes what it hears each time that it hears it, whatever stands in memory already: the rules are what keeps it from twice. */
export function hearing(hearings: readonly Hearing[]): Distiller {
  return {
    name: "extractive",
    distill: async ({ brief }) => ({
      proposal: { operations: hear(brief, hearings) },
      refused: [],
      usage: NO_USAGE,
      fence: "none",
    }),
  };
}

function hear({ digest }: Brief, hearings: readonly Hearing[]): Operation[] {
  const said = digest.sessions.flatMap(({ utterances }) => utterances);
  return said.flatMap(({ label, text }) =>
    hearings
      .filter(({ words }) => text.includes(words))
      .flatMap(({ operations }) => operations([{ utterance: label, quote: text }])),
  );
}

const EARLIER: readonly Hearing[] = [
  {
    words: "on port 8443",
    operations: (cites) => [
      {
        op: "create-topic",
        topic: "gateway",
        type: "project",
        title: "Gateway",
        description: "Read when the gateway or its port matters",
      },
      { op: "add", topic: "gateway", text: "The gateway listens on port 8443.", cites },
    ],
  },
];

export const HEARINGS: readonly Hearing[] = [
  {
    words: "500 jobs",
    operations: (cites) => [
      {
        op: "revise",
        topic: "limits",
        entry: entryId("limits", "The queue limit is 300 jobs."),
        text: "The queue limit is 500 jobs.",
        cites,
      },
    ],
  },
  {
    words: "staging host alpha",
    operations: (cites) => [
      {
        op: "retire",
        topic: "deploys",
        entry: entryId("deploys", "The staging host is alpha.example.test."),
        reason: "the host is gone",
        cites,
      },
    ],
  },
  {
    words: "imperative",
    operations: (cites) => [
      { op: "add", topic: "commits", text: "Always write commit subjects in the imperative.", cites },
    ],
  },
  {
    words: "ORBIT",
    operations: (cites) => [
      {
        op: "create-topic",
        topic: "tracker",
        type: "reference",
        title: "Tracker",
        description: "Read when a bug is to be filed or found",
      },
      { op: "add", topic: "tracker", text: "Bugs are tracked in the Linear project ORBIT.", cites },
    ],
  },
];

const SAID = [
  "The queue limit is 500 jobs now, not 300 jobs.",
  "Forget the staging host alpha.example.test, that host is gone.",
  "Always write commit subjects in the imperative.",
  "Bugs are tracked in the Linear project ORBIT.",
];

/** The distiller of the run that is cut short. */
export const listener = hearing([...EARLIER, ...HEARINGS]);

/** Five topics, one of them memd's own from a first run; a session waits that changes four files and the index. */
export async function prepareStore(stage: Stage): Promise<void> {
  const old = new Date("2026-01-02T00:00:00.000Z");
  for (const [name, text] of Object.entries(TOPICS)) utimesSync(stage.topic(name, text), old, old);
  stage.session("earlier", talk(["The gateway listens on port 8443."], START - 9 * DAY));
  stage.clock.move(-3 * DAY);
  await stage.act({ distiller: listener });
  stage.clock.move(3 * DAY);
  stage.session("later", talk(SAID, START - DAY));
  stage.keep();
}

/** What a tool printed, as Claude Code 2.1 records it. */
export function toolLine(session: string, text: string, at: number): string {
  const uuid = `00000000-0000-4000-8000-${String(at).padStart(12, "0").slice(-12)}`;
  const common = {
    parentUuid: null,
    isSidechain: false,
    uuid,
    timestamp: new Date(at).toISOString(),
    sessionId: session,
    cwd: "/home/ana/code/app",
    version: "2.1.332",
    userType: "external",
    entrypoint: "cli",
  };
  const message = { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: text }] };
  return `${JSON.stringify({ ...common, type: "user", message, toolUseResult: { stdout: text } })}\n`;
}
