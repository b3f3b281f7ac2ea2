import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const SRC = join(ROOT, "src");

function walk(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
}

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const sources = walk(SRC).filter((path) => path.endsWith(".ts"));
const IMPORT = /^(?:import|export)\s+(type\s)?(?:[^;]*?\sfrom\s+)?"([^"]+)"|import\("([^"]+)"\)/gm;

function importsOf(path: string): Import[] {
  return [...readFileSync(path, "utf8").matchAll(IMPORT)].map((match) => ({
    from: relative(SRC, path),
    to: match[2] ?? match[3] ?? "",
    typeOnly: match[1] !== undefined,
  }));
}

const all = sources.flatMap(importsOf);
const ours = all
  .filter((item) => item.to.startsWith("."))
  .map((item) => ({ ...item, to: relative(SRC, resolve(SRC, dirname(item.from), item.to)) }));

const FLOORS: Readonly<Record<string, number>> = {
  base: 0,
  gate: 1,
  digest: 1,
  memory: 1,
  "ports.ts": 1,
  config: 2,
  sources: 2,
  lock: 2,
  store: 2,
  distill: 2,
  ledger: 2,
  triggers: 2,
  live: 2,
  publish: 2,
  "dream.ts": 3,
  "daemon.ts": 3,
  daemon: 3,
  steps: 4,
  commands: 4,
  doctor: 4,
  setup: 4,
  service: 4,
  "compose.ts": 4,
  "cli.ts": 4,
};

const room = (path: string) => path.split("/")[0] ?? path;
const floor = (path: string) => FLOORS[room(path)];

/** Why an import is not allowed, or null. */
function fault({ from, to, typeOnly }: Import): string | null {
  const [low, high] = [floor(from), floor(to)];
  if (low === undefined || high === undefined) return "a room without a floor";
  if (room(from) === room(to)) return null;
  if (high > low) return "upward";
  if (low === 0) return "base uses nothing of ours";
  if (low === 2 && high === 2) return "rooms of floor 2 never use each other";
  if (low === 3 && high === 2 && !typeOnly) return "dream and daemon know floor 2 by type only";
  return null;
}

describe("the floors", () => {
  it("are never crossed upward, and rooms with effects never use each other", () => {
    const faults = ours.flatMap((item) => {
      const why = fault(item);
      return why ? [`${item.from} → ${item.to}: ${why}`] : [];
    });
    expect(faults).toEqual([]);
  });

  it("keep the pure rooms away from files, processes, the network and the clock", () => {
    const pure = sources.filter((path) => floor(relative(SRC, path)) === 1);
    const effects =
      /from "node:(fs|child_process|net|http|https|os|process|worker_threads|timers)|Date\.now\(|new Date\(\)|process\.|Math\.random\(/;
    expect(pure.filter((path) => effects.test(readFileSync(path, "utf8"))).map((path) => relative(SRC, path))).toEqual(
      [],
    );
  });

  it("let time, environment and randomness enter at compose.ts alone", () => {
    const door = /Date\.now\(|new Date\(\)|process\.(env|argv|exit|platform|pid)|Math\.random\(|randomBytes|homedir\(/;
    const allowed = new Set(["compose.ts", "cli.ts", "base/clock.ts", "distill/child.ts"]);
    const others = sources.map((path) => relative(SRC, path)).filter((path) => !allowed.has(path));
    expect(others.filter((path) => door.test(readFileSync(join(SRC, path), "utf8")))).toEqual([]);
  });

  it("have no import cycles", () => {
    const graph = new Map<string, string[]>();
    for (const item of ours) if (!item.typeOnly) graph.set(item.from, [...(graph.get(item.from) ?? []), item.to]);
    const state = new Map<string, "open" | "done">();
    const cycles: string[] = [];
    const visit = (node: string, trail: readonly string[]): void => {
      if (state.get(node) === "done") return;
      if (state.get(node) === "open") {
        cycles.push([...trail.slice(trail.indexOf(node)), node].join(" → "));
        return;
      }
      state.set(node, "open");
      for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
      state.set(node, "done");
    };
    for (const node of graph.keys()) visit(node, []);
    expect(cycles).toEqual([]);
  });
});

/** One home per package: a second importer is how a workaround gets forgotten in one of two places. */
const HOMES: Readonly<Record<string, string>> = {
  diff: "memory/diff.ts",
  yaml: "base/yaml.ts",
  "better-sqlite3": "base/sqlite.ts",
  pino: "base/log.ts",
  chokidar: "triggers/watch.ts",
  "node-cron": "triggers/schedule.ts",
  "@anthropic-ai/sdk": "distill/anthropic/client.ts",
  "proper-lockfile": "lock/lease.ts",
  "gray-matter": "memory/front-matter.ts",
  "chrono-node": "digest/dates.ts",
  "@secretlint/core": "digest/redact.ts",
  "@secretlint/profiler": "digest/redact.ts",
  "@secretlint/secretlint-rule-preset-recommend": "digest/redact.ts",
};

/** Part of a bundle in dist/, so that nobody installs their 28 MB: needed to build, not to run. */
const BUNDLED = ["@anthropic-ai/sdk"];

describe("third-party packages", () => {
  const foreign = all.filter((item) => !item.to.startsWith(".") && !item.to.startsWith("node:"));

  it("have one home each", () => {
    expect(foreign.filter((item) => HOMES[item.to] !== item.from).map((item) => `${item.from} → ${item.to}`)).toEqual(
      [],
    );
  });

  it("are all used, and declared", () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const declared = [
      ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
      ...BUNDLED,
    ].sort();
    expect(BUNDLED.filter((name) => !(name in manifest.devDependencies))).toEqual([]);
    expect(declared).toEqual([...new Set(foreign.map((item) => item.to))].sort());
  });
});

describe("the source", () => {
  const text = sources.map((path) => ({ path: relative(SRC, path), body: readFileSync(path, "utf8") }));
  const holding = (pattern: RegExp) => text.filter(({ body }) => pattern.test(body)).map(({ path }) => path);

  it("has no file of more than 300 lines", () => {
    expect(text.filter(({ body }) => body.split("\n").length > 301).map(({ path }) => path)).toEqual([]);
  });

  it("has no any, no empty catch, no default export, no open ends", () => {
    const code = text.map(({ path, body }) => ({ path, body: body.replace(/\/\/.*$/gm, "") }));
    const any = /[\w)\]]\??:\s*any\b|\bas any\b|<any>/;
    expect(code.filter(({ body }) => any.test(body)).map(({ path }) => path)).toEqual([]);
    expect(holding(/catch(\s*\([^)]*\))?\s*\{\s*\}/)).toEqual([]);
    expect(holding(/^export default/m)).toEqual([]);
    expect(holding(/(?:\/\/|\*)[^\n]*\b(?:TODO|FIXME|XXX)\b/)).toEqual([]);
  });

  it("ends the process in cli.ts alone", () => {
    expect(
      holding(/process\.exit\b|process\.exitCode/).filter((path) => path !== "cli.ts" && path !== "distill/child.ts"),
    ).toEqual([]);
  });
});
