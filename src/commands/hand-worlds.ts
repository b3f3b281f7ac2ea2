/** The stores that a person's own change is about, opened for it and closed again. */
import { EXIT_WITHOUT_ERROR } from "../base/errors.ts";
import type { DreamWorld } from "../steps/world.ts";
import type { Input } from "./command.ts";
import { type Context, printJson } from "./context.ts";

/** Nothing happened to any file. */
export const NO_FILES = { created: [], updated: [], archived: [] } as const;

/** Says that another run has the lock. @param done what came of it nevertheless, for `--json` */
export function tellHeld(context: Context, input: Input, held: string, done: object = {}): number {
  if (input.flag("json")) printJson(context, { run: null, files: NO_FILES, entries: 0, conflicts: [], ...done, held });
  else context.stderr.write(`${held}\n`);
  return EXIT_WITHOUT_ERROR.held;
}

/** All stores that ever dreamt here, or those that the flags name, whose memory directory exists. */
export async function withWorlds<T>(
  context: Context,
  input: Input,
  act: (worlds: readonly DreamWorld[]) => Promise<T>,
): Promise<T> {
  const { composePastStores, composeDream } = await import("../compose.ts");
  const { config, stores } = await composePastStores(context, input);
  const standing = stores.filter(
    ({ memory, state }) => context.files.stat(memory) !== null || context.files.stat(state) !== null,
  );
  const worlds = await Promise.all(standing.map((store) => composeDream(context, { config, store, headless: false })));
  try {
    return await act(worlds);
  } finally {
    for (const world of worlds) await world.close();
  }
}
