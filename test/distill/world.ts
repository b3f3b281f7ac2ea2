/** A world for one child: a home with a secret, a folder for the brief, and a distiller that starts a test child in it. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { MemdError, systemCode } from "../../src/base/errors.ts";
import { nodeFiles } from "../../src/base/files.ts";
import { type ForkSetup, forkedDistiller, NO_REQUESTS } from "../../src/distill/fork.ts";
import type { Brief, Distiller, DistillJob } from "../../src/ports.ts";

const CHILDREN = join(import.meta.dirname, "children");

export const RUNTIME = { node: process.execPath, flags: process.allowedNodeEnvironmentFlags };

export function emptyBrief(store: string): Brief {
  return {
    schema: 1,
    store,
    now: "2026-03-10T09:00:00.000Z",
    digest: { sessions: [], tokens: 0, redacted: {}, taken: [] },
    memory: { topics: [], index: null, others: [] },
    context: [],
  };
}

type TestSetup = ForkSetup & { readonly name: Distiller["name"] };

export interface World {
  readonly root: string;
  /** Not made yet. */
  readonly folder: string;
  /** Runs a child to its end. */
  run(child: string, word: unknown, more?: Partial<TestSetup> & { job?: Partial<DistillJob> }): Promise<Told>;
  /** Every file below the root, with what tells a change. */
  snapshot(): Record<string, string>;
  remove(): void;
}

export interface Told {
  readonly pid: number;
  readonly progress: readonly string[];
  readonly error: Pick<MemdError, "code" | "family" | "message" | "cause"> | null;
  readonly distilled: Awaited<ReturnType<ReturnType<typeof forkedDistiller>["distill"]>> | null;
}

export function makeWorld(): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "memd-distill-")));
  const folder = join(root, "brief");
  mkdirSync(join(root, "brief-of-another"));
  writeFileSync(join(root, "brief-of-another", "brief.json"), "private");
  writeFileSync(join(root, "secret.txt"), "private");
  const setup: TestSetup = {
    name: "extractive",
    childPath: "",
    readable: [join(CHILDREN, "speak.mjs")],
    env: {},
    files: nodeFiles,
    clock: systemClock,
    runtime: RUNTIME,
    desk: () => NO_REQUESTS,
  };
  return {
    root,
    folder,
    async run(child, word, { job, ...more } = {}) {
      const progress: string[] = [];
      let pid = 0;
      const childPath = child.startsWith("/") ? child : join(CHILDREN, `${child}.mjs`);
      const distiller = forkedDistiller({
        ...setup,
        childPath,
        ...more,
        started: (own) => {
          pid = own;
          more.started?.(own);
        },
      });
      const distilled = await distiller
        .distill({
          run: "run",
          judge: () => ({ accepted: true, rule: null, detail: "" }),
          brief: emptyBrief(JSON.stringify(word)),
          folder,
          signal: new AbortController().signal,
          progress: (text) => void progress.push(text),
          ...job,
        })
        .catch((error: unknown) => {
          if (error instanceof MemdError) return error;
          throw error;
        });
      const failed = distilled instanceof MemdError;
      return { pid, progress, error: failed ? distilled : null, distilled: failed ? null : distilled };
    },
    snapshot: () =>
      Object.fromEntries(
        readdirSync(root, { recursive: true })
          .sort()
          .map((name) => [name, stateOf(join(root, String(name)))]),
      ),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function stateOf(path: string): string {
  const stat = statSync(path);
  return `${stat.mode.toString(8)} ${stat.mtimeMs} ${stat.isFile() ? readFileSync(path, "utf8") : ""}`;
}

/** True when neither the process nor anyone of its group is left. */
export function isGone(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return false;
  } catch (error) {
    return systemCode(error) === "ESRCH";
  }
}
