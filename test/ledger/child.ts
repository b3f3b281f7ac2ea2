/** Records a run in the ledger whose path is given, and prints what became of it. */
import { randomBytes } from "node:crypto";
import { nodeFiles } from "../../src/base/files.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import type { RunReport } from "../../src/ledger/report.ts";

const path = process.argv[2] ?? "";
const ledger = await openLedger({ files: nodeFiles, random: (bytes) => randomBytes(bytes), lastRuns: () => [] }, path);
const report = { id: "20261130T120000000-aaaaaa", store: "app", startedAt: "2026-11-30T12:00:00.000Z", changes: [] };
ledger.recordRun(report as unknown as RunReport);
const runs = ledger.history({}).map(({ id }) => id);
process.stdout.write(JSON.stringify({ code: ledger.condition?.code, hint: ledger.condition?.hint, runs }));
