import { EXIT } from "../base/errors.ts";
import type { AnswerDone } from "../steps/answer.ts";
import { type Command, type Input, STORE_OPTIONS, usage } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { tellHeld, withWorlds } from "./hand-worlds.ts";
import { paintFor } from "./paint.ts";

export const answerCommand: Command = {
  name: "answer",
  summary:
    "settle a question: keep what stands, replace it by the newer words, drop it, or say what should stand instead",
  operands: "ID TEXT...",
  options: STORE_OPTIONS,
  example: "memd answer 3fa9c1d2 replace",
  exits: [
    [0, "settled; the same question is not asked again"],
    [2, "usage, or no such question"],
    [4, "held: another run has the lock"],
    [5, "unavailable: disk full, I/O error; nothing was changed"],
    [6, "refused by a rule, which is named; the question stays open"],
    [78, "misconfigured"],
  ],
  run: runAnswer,
};

async function runAnswer(context: Context, input: Input): Promise<number> {
  const [id, ...rest] = input.words;
  const words = rest.join(" ").trim();
  if (id === undefined || words === "")
    throw usage(
      "answer wants an ID and a TEXT",
      "memd answer ID keep, replace, drop, or what should stand instead; memd questions lists the ids.",
    );
  const { answerQuestion, chooseQuestion } = await import("../steps/answer.ts");
  return withWorlds(context, input, async (worlds) => {
    const asked = chooseQuestion(worlds, id);
    const done = await answerQuestion(asked, words);
    if ("held" in done) return tellHeld(context, input, done.held);
    if (input.flag("json")) printJson(context, done);
    else context.stdout.write(render(context, done));
    return done.refused.length > 0 ? EXIT.rejected : 0;
  });
}

function render(context: Context, done: AnswerDone): string {
  const paint = paintFor(context);
  if (done.refused.length > 0) {
    const why = done.refused.map(({ rule, detail }) => `  ${paint.strong(rule)}: ${detail}\n`).join("");
    return `${paint.bad("Not taken")}; the question stays open.\n${why}`;
  }
  const names = [
    ...done.files.created.map((name) => `  + ${name}\n`),
    ...done.files.updated.map((name) => `  ~ ${name}\n`),
    ...done.files.archived.map((name) => `  - ${name}\n`),
  ];
  const undo = done.run === null ? "" : paint.dim(`  take it back with: memd undo ${done.run}\n`);
  return `${paint.good("Settled")}: ${done.answer}.${done.run === null ? " Nothing in memory changed." : ""}\n${names.join("")}${undo}`;
}
