/** What scripts rely on: every field that a command prints under --json, with its type, and null only where it may be absent. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXIT_WITHOUT_ERROR } from "../../src/base/errors.ts";
import { helpText } from "../../src/commands/command.ts";
import { COMMANDS } from "../../src/commands/list.ts";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");
const SAMPLE = resolve(import.meta.dirname, "../../config/sample");

/**
 * A shape: a type's name (`iso` a UTC time with milliseconds, `id` a run's, `path` an absolute one), `?` behind it where null may stand; a list of one
 * shape; an object; `{ "*": shape }` for names that are data. Further fields may be there, none may be missing.
 */
type Shape = string | readonly [Shape] | { readonly [field: string]: Shape };

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  boolean: (value) => typeof value === "boolean",
  iso: (value) => typeof value === "string" && ISO.test(value),
  id: (value) => typeof value === "string" && /^\d{8}T\d{9}-[0-9a-f]{6}$/.test(value),
  path: (value) => typeof value === "string" && value.startsWith("/"),
  any: (value) => value !== undefined,
};

function faults(value: unknown, shape: Shape, at: string): string[] {
  if (typeof shape === "string") return leafFaults(value, shape, at);
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    return value.flatMap((item, i) => faults(item, shape[0], `${at}[${i}]`));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${at} is no object`];
  const fields: { readonly [field: string]: Shape } = shape as { readonly [field: string]: Shape };
  if (fields["?"] !== undefined) return faults(value, fields["?"], at);
  const any = fields["*"];
  if (any !== undefined) return Object.entries(value).flatMap(([name, item]) => faults(item, any, `${at}.${name}`));
  return Object.entries(fields).flatMap(([name, inner]) => {
    if (!(name in value)) return [`${at}.${name} is missing`];
    const item: unknown = Reflect.get(value, name);
    return item === null && typeof inner === "object" && "?" in inner ? [] : faults(item, inner, `${at}.${name}`);
  });
}

function leafFaults(value: unknown, shape: string, at: string): string[] {
  const nullable = shape.endsWith("?");
  const name = nullable ? shape.slice(0, -1) : shape;
  if (value === null && nullable) return [];
  if (name.includes("|"))
    return name.split("|").includes(String(value)) ? [] : [`${at} is ${JSON.stringify(value)}, not one of ${name}`];
  return TYPES[name]?.(value) ? [] : [`${at} is ${JSON.stringify(value)}, not ${shape}`];
}

const maybe = (shape: Shape): Shape => ({ "?": shape });

const FILES: Shape = { created: ["text"], updated: ["text"], archived: ["text"] };
const USAGE: Shape = {
  requests: "number",
  inputTokens: "number",
  cachedTokens: "number",
  outputTokens: "number",
  costUsd: "number",
};
const CITATION: Shape = {
  session: "text",
  client: "text",
  file: "path",
  line: "number",
  record: "text?",
  speaker: "user|assistant|tool",
  at: "iso?",
  quote: "text",
};
const SESSIONS: Shape = {
  seen: "number",
  counted: "number",
  read: "number",
  left: "number",
  dropped: { "*": "number" },
};
const RUN: Shape = {
  id: "id",
  store: "text",
  memory: "path",
  outcome: "done|unchanged|skipped|failed|dry-run",
  reason: "text?",
  code: "text?",
  hint: "text?",
  distiller: "text",
  startedAt: "iso",
  finishedAt: "iso",
  stampBefore: "number",
  stampAfter: "number",
  sessions: SESSIONS,
  records: { lines: "number", bad: "number", unfinished: "number" },
  utterances: "number",
  evidenceTokens: "number",
  redacted: { "*": "number" },
  operations: { proposed: "number", accepted: "number", rejected: [{ operation: "text", rule: "text", text: "text" }] },
  files: FILES,
  usage: USAGE,
  questions: "number",
  fence: "text?",
};
const STORE: Shape = {
  name: "text",
  layout: "claude-code|workspace|daily-log|custom",
  memory: "path",
  topics: "number",
  entries: "number",
  paused: "boolean",
  index: { lines: "number", bytes: "number", maxLines: "number", maxBytes: "number" },
  lastConsolidatedAt: "iso?",
  lock: { state: "free|held|stale", pid: "number?", since: "iso?" },
  gates: [{ gate: "time|cool-down|budget|throttle|sessions|lock", open: "boolean", reason: "text?", opensAt: "iso?" }],
  sessions: { seen: "number", counted: "number", unread: "number", dropped: { "*": "number" } },
  lastRun: maybe({ id: "id", outcome: "text", at: "iso" }),
  lastSuccessAt: "iso?",
  questions: "number",
};
const STATUS: Shape = {
  version: "text",
  daemon: { running: "boolean", pid: "number?", since: "iso?", watching: "number" },
  scannedAt: "iso?",
  stores: [STORE],
  spend: {
    dayUsd: "number",
    dayTokens: "number",
    dayRequests: "number",
    dayMinutes: "number",
    monthUsd: "number",
    monthTokens: "number",
    monthRequests: "number",
    monthMinutes: "number",
    maxDayUsd: "number",
    maxDayTokens: "number",
    maxDayRequests: "number",
    maxDayMinutes: "number",
    maxMonthUsd: "number",
    maxMonthTokens: "number",
    maxMonthRequests: "number",
    maxMonthMinutes: "number",
  },
  conditions: [{ code: "text", store: "text?", message: "text", hint: "text", since: "iso" }],
};
const HISTORY: Shape = {
  runs: [
    {
      id: "id",
      store: "text",
      cause: "text",
      distiller: "text",
      outcome: "done|unchanged|skipped|failed|undone",
      reason: "text?",
      startedAt: "iso",
      finishedAt: "iso",
      files: FILES,
      operations: { accepted: "number", rejected: "number" },
      usage: USAGE,
    },
  ],
};
const CHANGE: Shape = {
  operation: "text",
  topic: "text",
  before: "text?",
  after: "text?",
  reason: "text",
  citations: [CITATION],
};
const UNDO: Shape = { run: "id", files: FILES, entries: "number", conflicts: ["any"] };
const ERROR: Shape = { error: { code: "text", message: "text", hint: "text" } };
const CHECKS: Shape = {
  checks: [{ code: "text", ok: "boolean", message: "text", hint: "text?", repaired: "boolean" }],
};
const PAUSES: Shape = {
  all: "boolean",
  stores: [{ name: "text", memory: "path", paused: "boolean", by: ["all|store|config"], since: "iso?" }],
};
const CONFIG: Shape = {
  file: "path?",
  paths: [{ name: "config|state|claude", path: "path", from: "environment|default", variable: "text?" }],
  keys: [{ key: "text", value: "any", from: "flag|environment|file|default", default: "any", reason: "text" }],
  stores: [
    {
      name: "text",
      layout: "text",
      memory: "path",
      sessions: ["path"],
      logs: ["path"],
      project: "path?",
      paused: "boolean",
      from: "flag|file|discovery",
    },
  ],
  environment: [{ variable: "text", value: "text?", set: "boolean", ignored: "text?" }],
};

describe.each(COMMANDS)("memd $name", ({ name, load }) => {
  it("has a help with every flag, one example and an exit status", async () => {
    const command = await load();
    const text = helpText(command);
    expect(command.name).toBe(name);
    expect(text).toContain(`Usage: memd ${name}`);
    for (const flag of [...Object.keys(command.options), "json", "help"]) expect(text).toContain(`--${flag}`);
    expect(text.match(/^Example:\n\n? {2}memd /gm)).toHaveLength(1);
    expect(text).toContain("Exit status:");
    expect(command.exits[0]?.[0]).toBe(0);
    // Beyond the codes of all commands, the daemon asks its service manager to start it again.
    const known = [0, 1, 2, 3, 4, 5, 6, 7, 78, 130, ...(name === "daemon" ? [EXIT_WITHOUT_ERROR.restart] : [])];
    expect(command.exits.map(([code]) => code).filter((code) => !known.includes(code))).toEqual([]);
  });
});

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "memd-contract-"));
  cpSync(SAMPLE, join(home, "sessions"), { recursive: true });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const named = () => ["--memory", join(home, "memory"), "--sessions", join(home, "sessions")];

function json(...args: string[]) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, TZ: "UTC" };
  const { status, stdout } = spawnSync(process.execPath, [MEMD, ...args, "--json"], {
    env,
    cwd: home,
    encoding: "utf8",
  });
  return { status, value: JSON.parse(stdout) };
}

/** The document has the shape, and holds something to look at in the list that counts. */
function holds(value: unknown, shape: Shape, list?: readonly unknown[]): void {
  expect(faults(value, shape, "$")).toEqual([]);
  if (list) expect(list.length).toBeGreaterThan(0);
}

describe("what --json prints", () => {
  it("shapes are told apart: a missing field, a wrong type and a null in the wrong place are found", () => {
    expect(faults({ a: 1, b: null }, { a: "text", b: "iso", c: "number" }, "$")).toEqual([
      "$.a is 1, not text",
      "$.b is null, not iso",
      "$.c is missing",
    ]);
    expect(faults({ run: null }, { run: maybe({ id: "id" }) }, "$")).toEqual([]);
  });

  it("status of a store that never dreamt", () => {
    const { status, value } = json("status", ...named());
    expect(status).toBe(0);
    holds(value, STATUS, value.stores);
    expect(value.stores[0]).toMatchObject({ lastRun: null, lastConsolidatedAt: null, lastSuccessAt: null });
    expect(value.scannedAt).toBeNull();
  });

  it("dream: a preview, a run with changes, one without, one that is not due, one that fails", () => {
    const dry = json("dream", "--now", "--dry-run", ...named());
    holds(dry.value, { runs: [RUN] }, dry.value.runs);
    const done = json("dream", "--now", ...named());
    holds(done.value, { runs: [RUN] }, done.value.runs[0].files.created);
    expect(done.value.runs[0]).toMatchObject({ outcome: "done", reason: null, code: null, hint: null });
    expect(done.value.runs[0].fence).toMatch(/^(bubblewrap|systemd|sandbox-exec|node)$/);
    const unchanged = json("dream", "--now", ...named());
    holds(unchanged.value, { runs: [RUN] }, unchanged.value.runs);
    expect(unchanged.value.runs[0].outcome).toBe("unchanged");
    const early = json("dream", ...named());
    holds(early.value, { runs: [RUN] }, early.value.runs);
    expect(early).toMatchObject({ status: 3, value: { runs: [{ outcome: "skipped" }] } });
    const failed = json("dream", "--now", "--memory", join(home, "other"), "--sessions", join(home, "nowhere"));
    holds(failed.value, { runs: [RUN] }, failed.value.runs);
    expect(failed).toMatchObject({ status: 78, value: { runs: [{ outcome: "failed", code: "no-such-folder" }] } });
  });

  it("status of a store that dreamt", () => {
    const { value } = json("status", ...named());
    holds(value, STATUS, value.stores[0].gates);
    expect(value.stores[0].lastRun).not.toBeNull();
    const broken = json("status", "--memory", join(home, "other"), "--sessions", join(home, "nowhere")).value;
    holds(broken, STATUS, broken.conditions);
  });

  it("history and show", () => {
    const history = json("history").value;
    holds(history, HISTORY, history.runs);
    const done = history.runs.find(({ outcome }: { outcome: string }) => outcome === "done");
    const show = json("show", done.id).value;
    holds(show, { ...RUN, cause: "text", changes: [CHANGE] }, show.changes);
    expect(show.changes.some(({ citations }: { citations: unknown[] }) => citations.length > 0)).toBe(true);
  });

  it("why and why-not", () => {
    const why = json("why", "the").value;
    holds(
      why,
      {
        entries: [
          {
            topic: "text",
            text: "text",
            type: "user|feedback|project|reference?",
            created: "text?",
            updated: "text?",
            pinned: "boolean",
            run: "id?",
            citations: [CITATION],
          },
        ],
      },
      why.entries,
    );
    const done = json("history").value.runs.find(({ outcome }: { outcome: string }) => outcome === "done");
    const refused = json("show", done.id).value.operations.rejected[0];
    const whyNot = json("why-not", refused?.text ?? "nothing").value;
    holds(whyNot, {
      refused: [{ run: "id", operation: "text", rule: "text", text: "text", at: "iso" }],
      tombstones: [{ at: "iso", cause: "undo|forget" }],
    });
  });

  it("undo: refused where later edits would be lost, then forced", () => {
    const done = json("history").value.runs.find(({ outcome }: { outcome: string }) => outcome === "done");
    const name = join(
      home,
      "memory",
      done.files.created.find((file: string) => file !== "MEMORY.md"),
    );
    writeFileSync(name, readFileSync(name, "utf8").replace("- ", "- Rather "));
    const refused = json("undo", done.id);
    holds(
      refused.value,
      { ...(UNDO as object), conflicts: [{ file: "text", reason: "text", entries: ["text"] }] },
      refused.value.conflicts,
    );
    expect(refused.status).toBe(6);
    const forced = json("undo", done.id, "--force");
    holds(forced.value, UNDO);
    expect(forced).toMatchObject({ status: 0, value: { run: done.id, conflicts: [] } });
    const statement = "tombstones know what was undone";
    holds(json("why-not", statement).value, { refused: ["any"], tombstones: [{ at: "iso", cause: "undo|forget" }] });
  });

  it("pause, resume, config and doctor", () => {
    const pause = json("pause", ...named()).value;
    holds(pause, PAUSES, pause.stores);
    expect(pause.stores[0]).toMatchObject({ paused: true, by: ["store"] });
    holds(json("resume", ...named()).value, PAUSES);
    const config = json("config", ...named()).value;
    holds(config, CONFIG, config.keys);
    holds(json("config", "check").value, {
      file: "path?",
      valid: "boolean",
      problems: [{ path: "text?", line: "number?", message: "text" }],
    });
    const doctor = json("doctor", ...named()).value;
    holds(doctor, CHECKS, doctor.checks);
  });

  it("errors, whatever the command", () => {
    const unknown = json("show", "zzz");
    holds(unknown.value, ERROR);
    expect(unknown.status).toBe(2);
    const config = join(home, ".config", "memd");
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "config.yaml"), "gates: 5\n");
    for (const command of ["dream", "status", "history", "pause", "config"]) {
      const { status, value } = json(command);
      holds(value, ERROR);
      expect(status).toBe(78);
    }
    const check = json("config", "check");
    holds(
      check.value,
      { file: "path", valid: "boolean", problems: [{ path: "text?", line: "number?", message: "text" }] },
      check.value.problems,
    );
    expect(check.status).toBe(78);
    rmSync(config, { recursive: true });
  });
});
