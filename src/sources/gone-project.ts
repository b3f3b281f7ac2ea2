/** A project that is not there any more, and that no trace leads on from. */
import type { Files } from "../base/files.ts";

/** Null while the folder is there. */
export function goneProject(
  files: Files,
  project: string | null,
): { readonly code: string; readonly message: string; readonly hint: string } | null {
  if (project === null || files.stat(project) !== null) return null;
  return {
    code: "project-gone",
    message: `the folder ${project} is gone, and nothing tells where the project went; its sessions still feed its own memory`,
    hint: "If it was moved, list a store in the configuration with the new folder as its `project` and this memory, or ignore it under sources.ignore.projects.",
  };
}
