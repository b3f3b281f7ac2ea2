import type { Citation } from "../memory/operation.ts";
import type { Store } from "../ports.ts";
import { type Command, type Input, STORE_OPTIONS, usage } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { paintFor } from "./paint.ts";
import { entryText, renderCitation } from "./render-change.ts";

export const whyCommand: Command = {
  name: "why",
  summary: "the evidence of the entries that match: quote, speaker, session, line, date, run",
  operands: "TEXT...",
  options: STORE_OPTIONS,
  example: 'memd why "release notes"',
  exits: [
    [0, "printed; nothing may have matched"],
    [2, "usage"],
    [78, "the configuration is not valid, or a memory cannot be read"],
  ],
  run: runWhy,
};

interface WhyEntry {
  readonly topic: string;
  readonly text: string;
  readonly type: string | null;
  readonly created: string | null;
  readonly updated: string | null;
  readonly pinned: boolean;
  /** The run that wrote it last; null when memd did not. */
  readonly run: string | null;
  readonly citations: readonly Citation[];
}

async function runWhy(context: Context, input: Input): Promise<number> {
  const words = input.words.join(" ").trim();
  if (words === "") throw usage("why wants a TEXT", 'Words of the entry: memd why "release notes".');
  const { composePastStores, composePlace } = await import("../compose.ts");
  const { stores } = await composePastStores(context, input);
  const entries: WhyEntry[] = [];
  for (const store of stores)
    entries.push(...(await entriesOf(context, store, { words, place: await composePlace(context, store) })));
  if (input.flag("json")) printJson(context, { entries });
  else
    context.stdout.write(
      entries.length === 0
        ? `No entry matches ${JSON.stringify(words)}. memd why-not tells what was refused.\n`
        : render(context, entries),
    );
  return 0;
}

async function entriesOf(
  context: Context,
  store: Store,
  search: { words: string; place: { evidence: string } },
): Promise<WhyEntry[]> {
  const { readMemory } = await import("../store/read.ts");
  const { laidOut } = await import("../store/layout.ts");
  const { readEvidence } = await import("../store/evidence.ts");
  const { statementKey } = await import("../memory/entry.ts");
  const terms = search.words.toLowerCase().split(/\s+/);
  const { tree } = readMemory(laidOut(context.files, store), store.memory);
  const { records } = readEvidence(context.files, search.place.evidence);
  return tree.topics.flatMap((topic) =>
    topic.entries
      .filter(({ raw }) => terms.every((term) => raw.toLowerCase().includes(term)))
      .map(({ statement, created, updated, pinned, raw }): WhyEntry => {
        const key = statementKey(statement);
        const record =
          records.findLast((item) => item.key === key && item.topic === topic.slug) ??
          records.findLast((item) => item.key === key);
        const { slug, type } = topic;
        return {
          topic: slug,
          text: raw,
          type,
          created,
          updated,
          pinned,
          run: record?.run ?? null,
          citations: record?.citations ?? [],
        };
      }),
  );
}

function render(context: Context, entries: readonly WhyEntry[]): string {
  const paint = paintFor(context);
  return entries
    .map(({ topic, text, type, created, updated, run, citations }) => {
      const dates = [created && `created ${created}`, updated && updated !== created && `updated ${updated}`];
      const from = run === null ? "not written by memd: an agent or a person wrote it" : `run ${run}`;
      const cites = citations.map(
        (citation) => `  ${renderCitation(citation)}\n    ${paint.dim(`${citation.file}:${citation.line}`)}`,
      );
      return [
        `${paint.strong(topic)} ${paint.dim(type ?? "no type")}  ${entryText(text)}`,
        ...cites,
        `  ${[from, ...dates.filter(Boolean)].join(", ")}`,
      ].join("\n");
    })
    .join("\n\n")
    .concat("\n");
}
