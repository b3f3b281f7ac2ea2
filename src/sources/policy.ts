/** Which words may feed a store: its project's, not memd's own, not ignored, not a one-shot run's. */
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { isOwnSession } from "../base/ids.ts";
import type { TranscriptFile } from "../ports.ts";
import type { ReadPlan } from "./plan.ts";
import { isInside, projectRoots } from "./project.ts";

export type PolicyReason = "own-run" | "ignored" | "other-project" | "no-project" | "headless";

/** A headless session below this many turns was one shot of a script; editors that drive the SDK say more. */
const TALK_TURNS = 2;

/** Where memd works on any machine and for any user: transcripts travel, and a run of another home's memd is no session. */
const OWN_FOLDER = /\/(?:\.local\/state|Library\/Application Support)\/memd(?:\/|$)/;

export interface Policy {
  /** Canonical project root of a working directory. */
  readonly rootOf: (cwd: string) => string;
  /** Why these words do not count, or null. `said` is the number of turns in the whole session. */
  judge(file: TranscriptFile, words: { cwd: string | null; headless: boolean }, said: number): PolicyReason | null;
}

export function policyOf(plan: ReadPlan): Policy {
  const { project, formerly = [], found = [] } = plan;
  const rootOf = projectRoots(plan.files, project === null ? [] : formerly.map((from) => ({ from, to: project })));
  const own = withRealPaths(plan.files, plan.ownFolders);
  const ignored = withRealPaths(plan.files, plan.ignore.paths);
  const projects = new Set(plan.ignore.projects.map(rootOf));
  // Resolving costs some stats per directory; a store of everything needs none.
  const needsRoot = plan.project !== null || projects.size > 0;
  const sessions = new Set(plan.ignore.sessions);
  const lies = (folders: readonly string[], cwd: string | null, path: string) =>
    folders.length > 0 && folders.some((folder) => isInside(path, folder) || (cwd !== null && isInside(cwd, folder)));
  return {
    rootOf,
    judge(file, { cwd, headless }, said) {
      if (plan.ownSessions.has(file.session) || lies(own, cwd, file.path)) return "own-run";
      if (isOwnSession(file.session) || (cwd !== null && OWN_FOLDER.test(cwd))) return "own-run";
      if (sessions.has(file.session) || lies(ignored, cwd, file.path)) return "ignored";
      // Words without a working directory belong to the folder they lie in, which is the store's; unless others' lie there too.
      if (cwd === null && found.some((root) => isInside(file.container ?? file.path, root))) return "no-project";
      const root = cwd === null || !needsRoot ? null : rootOf(cwd);
      if (root !== null && projects.has(root)) return "ignored";
      if (root !== null && plan.project !== null && root !== plan.project) return "other-project";
      if (!headless || plan.headless === "include") return null;
      return plan.headless === "auto" && said >= TALK_TURNS ? null : "headless";
    },
  };
}

/** Each folder as given and as it really is: records hold real paths, configurations need not. */
function withRealPaths(files: Files, folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    const real = realOrNull(files, folder);
    return real === null || real === folder ? [folder] : [folder, real];
  });
}

function realOrNull(files: Files, path: string): string | null {
  try {
    return files.realpath(path);
  } catch (error) {
    if (systemCode(error) !== null) return null;
    throw error;
  }
}
