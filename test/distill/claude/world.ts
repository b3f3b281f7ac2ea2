/** A home with a stub in the place of Claude Code, which writes down how it was started. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isMemdError, MemdError } from "../../../src/base/errors.ts";
import { nodeFiles } from "../../../src/base/files.ts";
import { priceOf } from "../../../src/distill/anthropic/prices.ts";
import { claudeDistiller } from "../../../src/distill/claude/index.ts";
import type { ClaudeSettings } from "../../../src/distill/claude/settings.ts";
import type { Reservation } from "../../../src/distill/protocol.ts";
import type { Brief, Distilled, DistillJob, Usage } from "../../../src/ports.ts";
import { emptyBrief } from "../world.ts";

const STUB = resolve(import.meta.dirname, "../../support/claude-stub.mjs");

export function briefOf(...said: readonly string[]): Brief {
  const utterances = said.map((text, index) => ({
    label: `S1:${index + 1}`,
    speaker: "user" as const,
    trust: "user" as const,
    text,
    at: Date.parse("2026-11-29T08:00:00Z"),
    dates: [],
    line: index + 1,
    record: null,
  }));
  const session = {
    label: "S1",
    session: "one",
    client: "claude-code",
    file: "/s",
    cwd: "/p",
    headless: false,
    utterances,
  };
  return { ...emptyBrief("app"), digest: { sessions: [session], tokens: 10, redacted: {}, taken: [] } };
}

export interface Seen {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: string;
  readonly pid: number;
}

export interface Told {
  readonly error: MemdError | null;
  readonly distilled: Distilled | null;
  /** Of the process group; 0 when nothing was started. */
  readonly pid: number;
  readonly reserved: readonly Reservation[];
  readonly spent: readonly Usage[];
  readonly progress: readonly string[];
}

export interface RunOptions {
  readonly settings?: Partial<ClaudeSettings>;
  readonly job?: Partial<DistillJob>;
  /** Reservations that are granted. */
  readonly grants?: number;
  readonly wallMs?: number;
  readonly started?: (pid: number) => void;
}

export interface ClaudeWorld {
  readonly root: string;
  /** The brief's. */
  readonly folder: string;
  /** A program that is the stub in that mode. */
  program(mode: string): string;
  /** What the stub answers. */
  answer(value: unknown): void;
  run(mode: string, options?: RunOptions): Promise<Told>;
  seen(): Seen;
  remove(): void;
}

export function makeClaudeWorld(): ClaudeWorld {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "memd-claude-")));
  const folder = join(root, "state", "memd", "briefs", "run");
  mkdirSync(dirname(folder), { recursive: true });
  const program = (mode: string): string => {
    const path = join(root, "claude");
    writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${STUB}" "${root}" "${mode}" "$@"\n`);
    chmodSync(path, 0o755);
    return path;
  };
  return {
    root,
    folder,
    program,
    answer: (value) => writeFileSync(join(root, "answer.json"), JSON.stringify(value)),
    run: (mode, options) => run({ folder, program: program(mode), home: root }, options),
    seen: () => JSON.parse(readFileSync(join(root, "seen.json"), "utf8")),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

async function run(
  place: { readonly folder: string; readonly program: string; readonly home: string },
  { settings, job, grants = Number.POSITIVE_INFINITY, wallMs = 60_000, started }: RunOptions = {},
): Promise<Told> {
  const told = { pid: 0, reserved: [] as Reservation[], spent: [] as Usage[], progress: [] as string[] };
  const distiller = claudeDistiller({
    files: nodeFiles,
    estimate: () => Promise.reject(new Error("not asked for")),
    prepare: async () => ({
      settings: { ...settingsFor(place), ...settings },
      held: null,
      till: {
        reserve: (need) => {
          const granted = told.reserved.length < grants;
          if (granted) told.reserved.push(need);
          return { granted, reason: granted ? null : "the cap of the test" };
        },
        spent: (usage) => void told.spent.push(usage),
      },
      wallMs,
      late: () => new MemdError({ code: "day-budget-spent", family: "over-budget", message: "late", hint: "" }),
      explain: (error) => error,
      close: () => undefined,
    }),
    started: (pid) => {
      told.pid = pid;
      started?.(pid);
    },
  });
  const ended = await distiller
    .distill({
      run: "20261130T080000000-abcdef",
      brief: briefOf("Remember that we deploy on Fridays only."),
      folder: place.folder,
      judge: () => ({ accepted: true, rule: null, detail: "" }),
      signal: new AbortController().signal,
      progress: (text) => void told.progress.push(text),
      ...job,
    })
    .catch((error: unknown) => {
      if (isMemdError(error)) return error;
      throw error;
    });
  return isMemdError(ended) ? { ...told, error: ended, distilled: null } : { ...told, error: null, distilled: ended };
}

export function settingsFor({ program, home }: { program: string; home: string }): ClaudeSettings {
  return {
    program,
    model: null,
    priceOf: (name) => priceOf(name, { inputUsd: null, outputUsd: null }, "long"),
    maxTurns: 30,
    maxTokens: 8_000,
    left: { usd: 0.5, requests: 200 },
    silentMs: 30_000,
    keepRatePercent: 10,
    tone: null,
    env: { HOME: home, PATH: "/usr/bin:/bin" },
    secret: null,
    payer: "it spends on the plan",
  };
}
