/** Step `validate`: the rules judge each operation; a refused one sinks no other, a broken store limit sinks the proposal. */
import { makeBreath } from "../base/breath.ts";
import { MemdError } from "../base/errors.ts";
import type { Digest } from "../digest/digest.ts";
import type { Run } from "../dream.ts";
import type { Changeset } from "../memory/changeset.ts";
import { type Judgement, judgeWithBreath } from "../memory/judge.ts";
import type { Operation, Proposal, Refusal } from "../memory/operation.ts";
import { wordsOf } from "../memory/rules/rule.ts";
import type { Distilled } from "../ports.ts";
import type { Collection } from "./collect.ts";
import { compileInTurns } from "./compile.ts";
import { filesOf } from "./files-of.ts";
import { retireForgotten } from "./forgotten.ts";
import { judgeContext } from "./judging.ts";
import type { DreamWorld } from "./world.ts";

export interface Judged {
  readonly judgement: Judgement;
  readonly changeset: Changeset;
}

/** @throws MemdError rejected, with the broken limit as its code, when the proposal as a whole is refused */
export function validateStep(world: DreamWorld) {
  return async (run: Run, gathered: Collection, digest: Digest, { proposal, refused }: Distilled): Promise<Judged> => {
    run.request.progress("validate", `${proposal.operations.length} operations`);
    const { clean, secrets } = await withoutSecrets(world, proposal);
    const { snapshot } = gathered;
    const judged = await judgeWithBreath(
      clean,
      judgeContext(world, run, { ...gathered, digest }),
      makeBreath(world.clock),
    );
    // No distiller's: what a person had their client forget needs no words that withdraw it.
    const forgotten = retireForgotten(world, gathered, judged.accepted);
    const judgement = { ...judged, accepted: [...judged.accepted, ...forgotten] };
    const rejected = [...(refused ?? []), ...secrets, ...judgement.refused];
    const accepted = judgement.accepted.length;
    // Where a topic is full the rules make the next one: more may be accepted than was proposed.
    const proposed = Math.max(proposal.operations.length + forgotten.length + (refused?.length ?? 0), accepted);
    run.facts.operations = { proposed, accepted, rejected };
    if (judgement.sunk) throw sunk(judgement.sunk);
    const changeset = await compileInTurns(world, run, { snapshot, accepted: judgement.accepted });
    run.facts.changes = changeset.changes;
    run.facts.files = filesOf(changeset.files);
    return { judgement, changeset };
  };
}

/** The scanner that redacted the words looks at what would be written as well: a distiller could put a secret together again. */
async function withoutSecrets(
  world: DreamWorld,
  { operations }: Proposal,
): Promise<{ clean: Proposal; secrets: Refusal[] }> {
  if (operations.length === 0) return { clean: { operations }, secrets: [] };
  const redactor = await world.redactor();
  const secret = await Promise.all(operations.map((operation) => redactor.hasSecret(wordsOf(operation).join("\n"))));
  const refuse = ({ op }: Operation): Refusal => ({
    operation: op,
    rule: "secret",
    detail: "it holds a secret",
    text: "[redacted]",
  });
  return {
    clean: { operations: operations.filter((_, index) => !secret[index]) },
    secrets: operations.filter((_, index) => secret[index]).map(refuse),
  };
}

function sunk({ rule, detail }: { rule: string; detail: string }): MemdError {
  return new MemdError({
    code: rule,
    family: "rejected",
    message: `the proposal breaks a limit of the whole store: ${detail}`,
    hint: "Nothing was changed. The brief is kept for inspection; memd why-not shows what was refused.",
  });
}
