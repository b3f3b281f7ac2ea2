/** Every command with its line in the overview; loaded only when called, so that `status`, which alone is here at once, pays for nothing else. */
import type { Command } from "./command.ts";
import { statusCommand } from "./status.ts";

export interface Listed {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

export const COMMANDS: readonly Listed[] = [
  {
    name: "init",
    summary: "look what agents there are, show a first dream, write a commented configuration",
    load: async () => (await import("./init.ts")).initCommand,
  },
  {
    name: "dream",
    summary: "consolidate the stores whose gates are open",
    load: async () => (await import("./dream.ts")).dreamCommand,
  },
  { name: "status", summary: "gates, last run, backlog, and what is wrong now", load: async () => statusCommand },
  {
    name: "sources",
    summary: "which clients' sessions feed which store, and what is wrong with them",
    load: async () => (await import("./sources.ts")).sourcesCommand,
  },
  {
    name: "events",
    summary: "what happened, as JSON lines for programs; --follow goes on",
    load: async () => (await import("./events.ts")).eventsCommand,
  },
  { name: "history", summary: "past runs", load: async () => (await import("./history.ts")).historyCommand },
  {
    name: "show",
    summary: "what one run changed, with reasons and citations",
    load: async () => (await import("./show.ts")).showCommand,
  },
  { name: "undo", summary: "take a run's changes back", load: async () => (await import("./undo.ts")).undoCommand },
  {
    name: "why",
    summary: "the evidence of the entries that match",
    load: async () => (await import("./why.ts")).whyCommand,
  },
  {
    name: "why-not",
    summary: "what was refused, and by which rule",
    load: async () => (await import("./why-not.ts")).whyNotCommand,
  },
  {
    name: "forget",
    summary: "remove entries everywhere, for good",
    load: async () => (await import("./forget.ts")).forgetCommand,
  },
  {
    name: "pin",
    summary: "mark entries that no dream may change",
    load: async () => (await import("./pin.ts")).pinning(true),
  },
  {
    name: "unpin",
    summary: "let dreams change pinned entries again",
    load: async () => (await import("./pin.ts")).pinning(false),
  },
  {
    name: "questions",
    summary: "what only you can settle",
    load: async () => (await import("./questions.ts")).questionsCommand,
  },
  {
    name: "answer",
    summary: "settle a question: keep, replace, drop, or your own words",
    load: async () => (await import("./answer.ts")).answerCommand,
  },
  {
    name: "pause",
    summary: "no dreams until memd resume",
    load: async () => (await import("./pause.ts")).pauseCommand,
  },
  {
    name: "resume",
    summary: "end what memd pause began",
    load: async () => (await import("./resume.ts")).resumeCommand,
  },
  {
    name: "publish",
    summary: "keep a block of AGENTS.md and its like equal to the memory",
    load: async () => (await import("./publish.ts")).publishCommand,
  },
  {
    name: "config",
    summary: "the values in effect and where each came from; config check",
    load: async () => (await import("./config.ts")).configCommand,
  },
  {
    name: "daemon",
    summary: "keep watch, and dream when a store is due; what the service starts",
    load: async () => (await import("./daemon.ts")).daemonCommand,
  },
  {
    name: "doctor",
    summary: "check everything a broken installation can have; --repair",
    load: async () => (await import("./doctor.ts")).doctorCommand,
  },
  {
    name: "service",
    summary: "install, start, stop, or look at the resident service",
    load: async () => (await import("./service.ts")).serviceCommand,
  },
];
