/** What pauses which store now: the answer of both pause and resume. */
import { pauseIn } from "../ledger/pause.ts";
import type { Store } from "../ports.ts";
import { type Paused, pausesOf } from "../steps/pause.ts";
import type { Input } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { paintFor } from "./paint.ts";

/** True when the command names stores instead of meaning all. */
export function isNamed(input: Input): boolean {
  return input.texts("store").length > 0 || input.text("memory") !== null;
}

/** `{"all", "stores": [{"name", "memory", "paused", "by", "since"}]}`, or a line per store. */
export function printPauses(context: Context, input: Input, stores: readonly Store[]): void {
  const { files, paths } = context;
  const found = stores.map((store) => ({ store, pauses: pausesOf(files, paths.state, store) }));
  const all = pauseIn(files, paths.state);
  if (input.flag("json")) {
    printJson(context, {
      all: all !== null,
      stores: found.map(({ store: { name, memory }, pauses }) => ({
        name,
        memory,
        paused: pauses.length > 0,
        by: pauses.map(({ by }) => by),
        since: pauses.find(({ since }) => since !== null)?.since ?? null,
      })),
    });
    return;
  }
  const paint = paintFor(context);
  const lines = found.map(
    ({ store, pauses }) =>
      `${paint.strong(store.name)}: ${pauses.length === 0 ? paint.good("dreams when its gates open") : paint.bad(`paused ${pauses.map(pauseText).join("; ")}`)}`,
  );
  const general = all === null ? "Nothing is paused." : "All stores are paused. memd resume ends it.";
  context.stdout.write(`${lines.length === 0 ? general : lines.join("\n")}\n`);
}

const BY: Readonly<Record<Paused["by"], string>> = {
  all: "with all stores",
  store: "by itself",
  config: "by the configuration",
};

function pauseText({ by, hint }: Paused): string {
  return `${BY[by]} (${hint})`;
}
