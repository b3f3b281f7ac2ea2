/** A small memory on a real disk, a run that changes every kind of file in it, and what must hold at every moment. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import { shortHash } from "../../src/base/ids.ts";
import type { Change, Changeset, EvidenceRecord } from "../../src/memory/changeset.ts";
import { type ApplyJob, apply } from "../../src/store/apply.ts";
import { readArchive } from "../../src/store/archive.ts";
import { readEvidence } from "../../src/store/evidence.ts";
import { readOwnLines } from "../../src/store/own-lines.ts";
import { readMemory } from "../../src/store/read.ts";
import { type Recovered, recover } from "../../src/store/recover.ts";

export const MACHINE = "machine-a";
export const NOW = Date.UTC(2026, 2, 10, 12);
export const AT = "2026-03-10T12:00:00.000Z";
export const RUN = "20260310T120000000-aaaaaa";

/** Mtime of every file before the run, epoch ms: long ago, so that a kept one is told from a new one. */
export const OLD_TIME = Date.UTC(2026, 0, 2);

export const front = (name: string) =>
  `---\nname: ${name}\ndescription: "When ${name} matter"\nmetadata:\n  node_type: memory\n  type: project\n---\n\n# ${name}\n\n`;

export const pointer = (name: string, hook = `about ${name}`) => `- [${name}](${name}.md) — ${hook}\n`;

export const BEFORE: Readonly<Record<string, string>> = {
  "MEMORY.md": `# Memory\n\n${pointer("limits")}${pointer("old")}${pointer("quiet")}`,
  "limits.md": `${front("limits")}- The limit is 100 requests.\n- Retries stop after 3.\n`,
  "old.md": `${front("old")}- The old host is alpha.\n`,
  "quiet.md": `${front("quiet")}- Nothing here changes.\n`,
};

export const AFTER: Readonly<Record<string, string>> = {
  "MEMORY.md": `# Memory\n\n${pointer("fresh")}${pointer("limits")}${pointer("quiet")}`,
  "fresh.md": `${front("fresh")}- Deploys run on Fridays.\n`,
  "limits.md": `${front("limits")}- The limit is 250 requests.\n- Retries stop after 3.\n`,
  "quiet.md": `${front("quiet")}- Nothing here changes.\n`,
};

const cited = {
  session: "s1",
  client: "claude-code",
  file: "/t/s1.jsonl",
  line: 4,
  record: "r4",
  speaker: "user",
  at: AT,
};

const evidenceFor = (topic: string, statement: string): EvidenceRecord => ({
  run: RUN,
  operation: "add",
  topic,
  key: shortHash(statement),
  statement,
  at: AT,
  citations: [{ ...cited, quote: statement }],
});

const change = (parts: Partial<Change>): Change => ({
  operation: "add",
  topic: "limits",
  before: null,
  after: null,
  reason: "",
  citations: [],
  ...parts,
});

/** What compile would hand over for a set of texts before and after. */
export function changesetOf(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Changeset {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const files = names
    .map((file) => ({ file, before: before[file] ?? null, after: after[file] ?? null }))
    .filter((file) => file.before !== file.after);
  const topics = files.filter(({ file }) => file !== "MEMORY.md");
  return {
    files: [...topics, ...files.filter(({ file }) => file === "MEMORY.md")],
    changes: [change({ operation: "create-topic", topic: "fresh", after: "- Deploys run on Fridays." })],
    retired: topics.flatMap(({ file, before: text, after: next }) =>
      text !== null && next === null ? [{ topic: file.replace(".md", ""), text, reason: "host is gone" }] : [],
    ),
    evidence: [evidenceFor("fresh", "Deploys run on Fridays."), evidenceFor("limits", "The limit is 250 requests.")],
    ownLines: [shortHash(pointer("fresh").trimEnd())],
    conditions: [],
  };
}

export interface World {
  readonly root: string;
  readonly memory: string;
  /** Outside the memory, as in a git work tree: in the state directory. */
  readonly evidence: string;
}

/** Memory-backed where there is such a thing: crash tests sync thousands of times, and no power fails here. */
const SCRATCH = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

const made: string[] = [];

export function makeWorld(texts: Readonly<Record<string, string>> = BEFORE): World {
  const root = mkdtempSync(join(SCRATCH, "memd-store-"));
  made.push(root);
  const memory = join(root, "memory");
  mkdirSync(memory);
  mkdirSync(join(root, "state"));
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(join(memory, name), text, { mode: 0o640 });
    utimesSync(join(memory, name), OLD_TIME / 1000, OLD_TIME / 1000);
  }
  return { root, memory, evidence: join(root, "state", "evidence.jsonl") };
}

export function removeWorlds(): void {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
}

/** One world less, for loops over thousands. */
export function removeWorld(world: World): void {
  rmSync(world.root, { recursive: true, force: true });
}

export function applyRun(world: World, files: Files = nodeFiles, parts: Partial<ApplyJob> = {}) {
  const snapshot = parts.snapshot ?? readMemory(nodeFiles, world.memory);
  return apply({
    files,
    directory: snapshot.directory,
    changeset: changesetOf(BEFORE, AFTER),
    run: { id: RUN, at: AT },
    machine: MACHINE,
    snapshot,
    evidence: world.evidence,
    recompile: () => changesetOf(BEFORE, AFTER),
    ...parts,
  });
}

export function recoverWorld(world: World, files: Files = nodeFiles): Recovered {
  return recover({ files, directory: world.memory, machine: MACHINE, evidence: world.evidence, now: NOW });
}

export const placeOf = (world: World) => ({
  files: nodeFiles,
  directory: world.memory,
  machine: MACHINE,
  evidence: world.evidence,
});

/** Every Markdown file that an agent would list. */
export function textsOf(world: World): Record<string, string> {
  const names = readdirSync(world.memory).filter((name) => name.endsWith(".md") && !name.startsWith("."));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(world.memory, name), "utf8")]));
}

/** All paths below the world, relative to it. */
export function pathsOf(folder: string, under = ""): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(under, entry.name);
      return entry.isDirectory() ? pathsOf(folder, path) : [path];
    })
    .sort();
}

export const tempsOf = (world: World) => pathsOf(world.root).filter((path) => path.includes(".memd-tmp-"));

export const mtimeOf = (world: World, name: string) => statSync(join(world.memory, name)).mtime.getTime();

/** Why the memory is not fit to be read right now: a cut file, or a pointer that leads nowhere. */
export function faultsOf(world: World, known: readonly Readonly<Record<string, string>>[]): string[] {
  const texts = textsOf(world);
  const cut = Object.entries(texts).filter(([name, text]) => !known.some((one) => one[name] === text));
  const dead = [...(texts["MEMORY.md"] ?? "").matchAll(/\]\(([^)]+)\)/g)]
    .map((match) => match[1] ?? "")
    .filter((name) => !existsSync(join(world.memory, name)));
  return [...cut.map(([name]) => `${name} is not whole`), ...dead.map((name) => `${name} is named and missing`)];
}

/** What belongs to a run beside the memory files. */
export function traceOf(world: World) {
  return {
    archived: readArchive(placeOf(world)).map(({ topic, reason, text }) => ({ topic, reason, text })),
    evidence: readEvidence(nodeFiles, world.evidence).records.map(({ statement }) => statement),
    ownLines: readOwnLines(nodeFiles, world.memory),
    journal: existsSync(join(world.memory, ".memd", "journal", MACHINE)),
    temps: tempsOf(world),
  };
}

export const TRACE_BEFORE = { archived: [], evidence: [], ownLines: [], journal: false, temps: [] };
export const TRACE_AFTER = {
  archived: [{ topic: "old", reason: "host is gone", text: BEFORE["old.md"] ?? "" }],
  evidence: ["Deploys run on Fridays.", "The limit is 250 requests."],
  ownLines: changesetOf(BEFORE, AFTER).ownLines,
  journal: false,
  temps: [],
};
