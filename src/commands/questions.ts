import { type Command, type Input, STORE_OPTIONS } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { withWorlds } from "./hand-worlds.ts";
import { paintFor } from "./paint.ts";
import { renderCitation } from "./render-change.ts";
import { ago } from "./when.ts";

export const questionsCommand: Command = {
  name: "questions",
  summary: "what only you can settle: instructions that contradict each other, your own text against newer words",
  operands: "",
  options: STORE_OPTIONS,
  example: "memd questions",
  exits: [
    [0, "printed; there may be none"],
    [2, "usage"],
    [78, "the configuration is not valid"],
  ],
  run: runQuestions,
};

async function runQuestions(context: Context, input: Input): Promise<number> {
  const { openQuestions } = await import("../steps/answer.ts");
  return withWorlds(context, input, async (worlds) => {
    const asked = openQuestions(worlds);
    if (input.flag("json")) {
      printJson(context, {
        questions: asked.map(({ world, question: { id, text, entries, citations, since, instead } }) => ({
          id,
          store: world.store.name,
          text,
          entries,
          citations,
          since,
          instead,
        })),
      });
      return 0;
    }
    const paint = paintFor(context);
    const lines = asked.map(({ world, question }) => {
      const cites = question.citations.map(
        (citation) => `  ${renderCitation(citation)}\n    ${paint.dim(`${citation.file}:${citation.line}`)}\n`,
      );
      return `${paint.strong(question.id)}  ${question.text}\n${cites.join("")}  ${paint.dim(`${world.store.name}, asked ${ago(Date.parse(question.since), context.clock.now())}`)}\n`;
    });
    const how = `${paint.dim('Answer with: memd answer ID keep | replace | drop | "what should stand instead"')}\n`;
    context.stdout.write(asked.length === 0 ? "No open question.\n" : `${lines.join("\n")}\n${how}`);
    return 0;
  });
}
