/** What the rules know of one run, and their word on single operations while the distiller still works. */
import { iso } from "../base/clock.ts";
import type { Digest } from "../digest/digest.ts";
import type { Run } from "../dream.ts";
import { HOUR } from "../gate/verdict.ts";
import { type JudgeContext, judgeOne, startJudging } from "../memory/judge.ts";
import { fold } from "../memory/language/words.ts";
import type { Operation, Refusal } from "../memory/operation.ts";
import { parseOperation } from "../memory/schema.ts";
import type { Brief, DistillJob, Ruling } from "../ports.ts";
import type { Collection } from "./collect.ts";
import { originsOf } from "./origins.ts";
import type { DreamWorld } from "./world.ts";

export function judgeContext(
  world: DreamWorld,
  run: Run,
  { snapshot, context, doings, digest }: Pick<Collection, "snapshot" | "context" | "doings"> & { digest: Digest },
): JudgeContext {
  return {
    now: iso(run.startedAt),
    digest,
    context,
    tree: snapshot.tree,
    timeZone: world.timeZone,
    isTombstone: (key) => world.tombstones.has(key),
    originOf: originsOf(world, snapshot, doings),
    foreignRest: world.config.gates.minHours * HOUR,
  };
}

/**
 * Judges operations one by one, each after those accepted before it: the very rules that validate asks, so that a distiller is
 * told now what it would be told then. Validate judges the whole proposal again; nothing said here is taken for granted.
 * @param brief all that the distiller was shown. The rules judge against the memory as it stands on disk, where a secret may stand that
 * the brief has not: what they quote must not carry it to a model.
 */
export function rulings(context: JudgeContext, brief: Brief): Rulings {
  const { judge, refused } = judging(context);
  let shown: string | null = null;
  return {
    refused,
    judge: (value) => {
      const ruling = judge(value);
      if (ruling.accepted || !QUOTED.test(ruling.detail)) return ruling;
      shown ??= fold(JSON.stringify(brief));
      return { ...ruling, detail: withoutUnseen(ruling.detail, shown + fold(JSON.stringify(value) ?? "")) };
    },
  };
}

export interface Rulings {
  readonly judge: DistillJob["judge"];
  /** What was refused until now; of one operation under one rule the last time only, for a distiller tries again. */
  refused(): readonly Refusal[];
}

/** What the rules quote in their details. */
const QUOTED = /"([^"]+)"|`([^`]+)`/;

function withoutUnseen(detail: string, shown: string): string {
  return detail.replace(new RegExp(QUOTED, "g"), (whole, inner?: string, named?: string) =>
    shown.includes(fold(inner ?? named ?? "")) ? whole : "(not shown)",
  );
}

function judging(context: JudgeContext): Rulings {
  let state = startJudging(context);
  const judge: DistillJob["judge"] = (value) => {
    const operation = readOperation(value);
    if ("detail" in operation) return operation;
    const [accepted, refused] = [state.accepted.length, state.refused.length];
    state = judgeOne(operation, state);
    const refusal = state.refused[refused];
    if (refusal) return { accepted: false, rule: refusal.rule, detail: refusal.detail };
    const became = state.accepted[accepted]?.operation.op;
    return {
      accepted: true,
      rule: null,
      detail: became === undefined || became === operation.op ? "accepted" : `accepted as ${became}`,
    };
  };
  const refused = () => [...new Map(state.refused.map((one) => [`${one.rule}\n${one.text}`, one])).values()];
  return { judge, refused };
}

function readOperation(value: unknown): Operation | Ruling {
  const read = parseOperation(value);
  return "operation" in read
    ? read.operation
    : { accepted: false, rule: read.refused.rule, detail: read.refused.detail };
}
