/** What memd proposes for the part of a memory that a team shares: one file, always the whole proposal. */
import { dirname, join } from "node:path";
import { writeAtomic } from "../base/atomic.ts";
import { iso } from "../base/clock.ts";
import { classify } from "../base/errors.ts";
import { namesIn } from "../base/folders.ts";
import { shortHash } from "../base/ids.ts";
import { addQuestions, type Question } from "../ledger/questions.ts";
import type { Notice } from "../memory/changeset.ts";
import { PROPOSAL_HEAD, proposalText, type Shareable, shareableIn } from "../memory/shared.ts";
import { readMemory } from "../store/read.ts";
import type { DreamWorld } from "./world.ts";

export interface Sharing {
  readonly shareable: readonly Shareable[];
  /** Where memd may add it by itself; null: it proposes. */
  readonly target: string | null;
}

/** Null where the memory has no shared part, or the store shares nothing. */
export function sharingOf({ files, store }: DreamWorld): Sharing | null {
  const { shared = "propose", memory } = store;
  const team = join(memory, "team");
  if (shared === "off" || files.lstat(team)?.kind !== "dir") return null;
  const mounts = namesIn(files, team)
    .filter((name) => !name.startsWith("."))
    .map((name) => join(team, name))
    .filter((path) => files.lstat(path)?.kind === "dir");
  const trees = [team, ...mounts].map((folder) => readMemory(files, folder).tree);
  const shareable = shareableIn(readMemory(files, memory).tree, trees);
  // Where several teams have a folder each, nobody has said whose it is.
  const target = shared !== "write" || mounts.length > 1 ? null : (mounts[0] ?? team);
  return { shareable, target };
}

/**
 * Brings the proposal up to the memory; it goes when there is nothing to propose. A file that is not memd's stays.
 * @returns what kept it from being written
 */
export function refreshProposal(world: DreamWorld): Notice[] {
  try {
    refresh(world);
    return [];
  } catch (error) {
    const { message, hint } = classify(error, `write the proposal in ${world.store.memory}/proposals`);
    return [{ code: "proposal-failed", message, hint }];
  }
}

function refresh(world: DreamWorld): void {
  const { files, store } = world;
  const sharing = sharingOf(world);
  const path = join(store.memory, "proposals", "team.md");
  const stat = files.lstat(path);
  const before = stat?.kind === "file" ? files.readText(path) : null;
  const text = sharing === null || sharing.target !== null ? null : proposalText(sharing.shareable);
  if (text === before || (stat !== null && !before?.startsWith(PROPOSAL_HEAD))) return;
  if (text === null) {
    files.unlink(path);
    return;
  }
  files.mkdir(dirname(path), 0o700);
  writeAtomic(files, path, text, { mode: 0o600, token: "proposal" });
  world.state.save({ questions: addQuestions(files, store.state, [questionFor(world)]).length });
}

/** Asked once per store, whatever the proposal then holds. */
function questionFor({ store, clock }: DreamWorld): Question {
  const file = join("proposals", "team.md");
  return {
    id: shortHash(`team\n${store.memory}`).slice(0, 8),
    text: `${file} lists memories that hold for the whole team. Answer keep to leave them private; to share them, set \`shared: write\` for this store, or copy what fits into team/.`,
    entries: [],
    citations: [],
    since: iso(clock.now()),
    instead: null,
  };
}
