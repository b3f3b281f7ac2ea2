/** Transcript folders in which sessions of several projects lie: folder names are lossy, `/a-b` and `/a/b` share one. */
import { dirname } from "node:path";
import type { TranscriptFile } from "../ports.ts";
import type { Notice, ReadPlan } from "./plan.ts";
import { isInside } from "./project.ts";

/** Codex sorts by date, whatever the project: its folders are shared by design. */
const BY_DATE = /\/(?:\d{4}\/\d\d\/\d\d|archived_sessions)$/;

export interface Lying {
  readonly file: TranscriptFile;
  /** Where its first words were said; absent while unknown. */
  readonly cwd: string | null | undefined;
}

/**
 * One notice per folder, with all paths: which of them feeds the store is no matter to guess. A store without a project takes all
 * sessions, and says so by itself.
 */
export function sharedFolders(
  plan: ReadPlan,
  transcripts: readonly Lying[],
  rootOf: (cwd: string) => string,
): Notice[] {
  const { project } = plan;
  if (project === null) return [];
  const folders = new Map<string, Set<string>>();
  for (const { file, cwd } of transcripts) {
    if (!cwd || file.drop !== null || file.container !== undefined) continue;
    const folder = dirname(file.path);
    const cwds = folders.get(folder);
    if (cwds) cwds.add(cwd);
    else folders.set(folder, new Set([cwd]));
  }
  return [...folders]
    .filter(([folder, cwds]) => cwds.size > 1 && !BY_DATE.test(folder))
    .flatMap(([folder, cwds]) => {
      const roots = [...new Set([...cwds].map(rootOf))];
      const apart = roots.filter((root) => !roots.some((other) => other !== root && isInside(root, other)));
      return apart.length < 2 ? [] : [sharedFolder(folder, apart, project)];
    });
}

function sharedFolder(folder: string, roots: readonly string[], project: string): Notice {
  return {
    code: "shared-folder",
    message: `${folder} holds sessions of more than one project: ${[...roots].sort().join(", ")}`,
    hint: `Only those of ${project} feed this memory; each of the others has one of its own: memd sources.`,
  };
}
