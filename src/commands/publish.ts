import { EXIT } from "../base/errors.ts";
import { projectRoots } from "../sources/project.ts";
import type { FileOutcome, PublishAsk, PublishDone } from "../steps/publish.ts";
import type { DreamWorld } from "../steps/world.ts";
import { type Command, type Input, STORE_OPTIONS, usage } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { tellHeld, withWorlds } from "./hand-worlds.ts";
import { type Paint, paintFor } from "./paint.ts";

export const publishCommand: Command = {
  name: "publish",
  summary: "keep a marked block of an agent's instruction file equal to the memory; each file only once you named it",
  operands: "",
  options: {
    ...STORE_OPTIONS,
    file: {
      type: "string",
      value: "NAME",
      multiple: true,
      help: "AGENTS.md, GEMINI.md, CLAUDE.md or another file of the project (repeatable); remembered from then on",
    },
    create: { type: "boolean", help: "make the file where there is none" },
    remove: { type: "boolean", help: "take the block out and stop; without --file from every file of the store" },
    force: { type: "boolean", help: "also over a block that somebody edited" },
    "dry-run": { type: "boolean", help: "print what would change as a diff; touch nothing" },
  },
  example: "memd publish --file AGENTS.md",
  exits: [
    [0, "done or unchanged"],
    [2, "usage, or no file was ever named"],
    [4, "held: another run has the lock"],
    [5, "unavailable: disk full, I/O error"],
    [6, "refused: a file whose block cannot be written safely is named"],
    [78, "misconfigured"],
  ],
  run: runPublish,
};

async function runPublish(context: Context, input: Input): Promise<number> {
  const ask: PublishAsk = {
    named: input.texts("file"),
    from: context.cwd,
    create: input.flag("create"),
    remove: input.flag("remove"),
    force: input.flag("force"),
  };
  const { hasTargets, previewPublish, publish } = await import("../steps/publish.ts");
  return withWorlds(context, input, async (worlds) => {
    const chosen = chosenFor(context, worlds, ask).filter((world) => hasTargets(world, ask));
    if (chosen.length === 0) throw nothingNamed(ask);
    const results: PublishDone[] = [];
    const diffs: string[] = [];
    for (const world of chosen) {
      if (input.flag("dry-run")) {
        const { renderDiff } = await import("../memory/diff.ts");
        const { done, changes } = await previewPublish(world, ask);
        results.push(done);
        diffs.push(renderDiff({ files: changes }));
        continue;
      }
      const done = await publish(world, ask);
      if ("held" in done) return tellHeld(context, input, done.held, { published: results });
      results.push(done);
    }
    return print(context, input, { results, diff: input.flag("dry-run") ? diffs.join("") : null });
  });
}

/** With a file named, one store: the one whose project the folder of the call lies in, where the flags do not say. */
function chosenFor(
  { cwd, files }: Context,
  worlds: readonly DreamWorld[],
  { named }: PublishAsk,
): readonly DreamWorld[] {
  if (named.length === 0 || worlds.length === 1) return worlds;
  // From a linked work tree this leads to the main checkout, whose file it is.
  const here = projectRoots(files)(cwd);
  const inside = worlds
    .filter(({ store: { project } }) => project !== null && `${here}/`.startsWith(`${project}/`))
    .sort((a, b) => (b.store.project?.length ?? 0) - (a.store.project?.length ?? 0));
  const [nearest] = inside;
  if (nearest) return [nearest];
  const names = worlds.map(({ store }) => store.name).join(", ");
  const message = names === "" ? "no store has a memory yet" : "more than one store could be meant";
  throw usage(
    message,
    names === ""
      ? "memd dream --now makes one."
      : `Call it in the project's folder, or name one with --store: ${names}.`,
  );
}

function nothingNamed({ remove }: PublishAsk) {
  const hint = "Name one: memd publish --file AGENTS.md.";
  return usage(remove ? "no file carries a block" : "no file was named yet that should carry the memory", hint);
}

function print(
  context: Context,
  input: Input,
  { results, diff }: { results: readonly PublishDone[]; diff: string | null },
): number {
  if (input.flag("json")) printJson(context, { published: results, ...(diff === null ? {} : { diff }) });
  else {
    const paint = paintFor(context);
    const lines = results.flatMap((done) => rowsOf(done, paint, diff !== null));
    context.stdout.write(`${lines.join("")}${diff ?? ""}`);
  }
  return results.some(({ files }) => files.some(({ outcome }) => outcome === "refused")) ? EXIT.rejected : 0;
}

const DONE = { created: "made", updated: "written", unchanged: "as it was", removed: "block taken out" } as const;
const PLANNED = { ...DONE, created: "would be made", updated: "would be written", removed: "block would go" } as const;

function rowsOf({ run, files, block }: PublishDone, paint: Paint, planned: boolean): string[] {
  const words = planned ? PLANNED : DONE;
  const row = ({ file, outcome, reason, message, hint }: FileOutcome) => {
    if (outcome === "refused") return `${paint.bad(reason ?? "refused")} ${message ?? file}\n  ${hint ?? ""}\n`;
    const holds = `${block.entries} ${block.entries === 1 ? "entry" : "entries"}, ${block.bytes} bytes`;
    const left = block.left > 0 ? `, ${block.left} did not fit` : "";
    return `${paint.good(words[outcome])} ${file}${outcome === "removed" ? "" : `: ${holds}${left}`}\n`;
  };
  return [...files.map(row), ...(run === null ? [] : [paint.dim(`  take it back with: memd undo ${run}\n`)])];
}
