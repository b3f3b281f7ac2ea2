import { EXIT } from "../base/errors.ts";
import type { Finding } from "../doctor/finding.ts";
import type { RepairWorld } from "../doctor/repair.ts";
import { type Command, type Input, STORE_OPTIONS } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { paintFor } from "./paint.ts";
import { renderFindings } from "./render-findings.ts";

export const doctorCommand: Command = {
  name: "doctor",
  summary: "check everything a broken installation can have, each with its fix",
  operands: "",
  options: {
    ...STORE_OPTIONS,
    repair: {
      type: "boolean",
      help: "do the safe fixes: locks of dead holders, stamps, journals, temp files, modes, index, ledger",
    },
    probe: { type: "boolean", help: "try the model's endpoint, with at most six small requests that are paid for" },
  },
  example: "memd doctor --repair",
  exits: [
    [0, "nothing is wrong"],
    [2, "usage, or no such store"],
    [78, "something is wrong; each finding names its fix"],
  ],
  run: runDoctor,
};

async function runDoctor(context: Context, input: Input): Promise<number> {
  const { composeDoctor } = await import("../compose.ts");
  const { diagnose } = await import("../doctor/diagnose.ts");
  const world = await composeDoctor(context, input);
  const found = await diagnose(world, input.flag("repair"));
  const findings = input.flag("probe") ? [...found, ...(await probed(world, context.signal))] : found;
  if (input.flag("json")) printJson(context, { checks: findings });
  else context.stdout.write(renderFindings(findings, paintFor(context)));
  return findings.every(({ ok }) => ok) ? 0 : EXIT.misconfigured;
}

async function probed(world: RepairWorld, signal: AbortSignal): Promise<readonly Finding[]> {
  const { probeFindings } = await import("../doctor/probe.ts");
  return probeFindings(world, signal);
}
