import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { type Ledger, type LedgerWorld, openLedger } from "../../src/ledger/ledger.ts";
import type { RunReport } from "../../src/ledger/report.ts";
import type { Change } from "../../src/memory/changeset.ts";
import type { Refusal } from "../../src/memory/operation.ts";
import { NO_USAGE } from "../../src/ports.ts";

export function scratch(): string {
  const path = mkdtempSync(join(tmpdir(), "memd-ledger-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

let counter = 0;

export function ledgerWorld(overrides: Partial<LedgerWorld> = {}): LedgerWorld {
  const random = (bytes: number) => {
    counter += 1;
    const result = new Uint8Array(bytes);
    new DataView(result.buffer).setUint32(0, counter);
    return result;
  };
  return { files: nodeFiles, random, lastRuns: () => [], ...overrides };
}

export async function opened(path = join(scratch(), "ledger.db"), from = ledgerWorld()): Promise<Ledger> {
  const ledger = await openLedger(from, path);
  onTestFinished(() => ledger.close());
  return ledger;
}

export function change(after: string, quote = `please remember: ${after}`): Change {
  const source = {
    session: "s-1",
    client: "claude-code",
    file: "/t/s-1.jsonl",
    line: 12,
    record: "r-9",
    speaker: "user",
  };
  return {
    operation: "add",
    topic: "tools",
    before: null,
    after,
    reason: "asked to remember",
    citations: [{ ...source, at: "2026-11-30T10:00:00.000Z", quote }],
  };
}

export function refusal(text: string, rule = "quote-not-found"): Refusal {
  return { operation: "add", rule, detail: "no utterance holds these words", text };
}

export function report(id: string, parts: Partial<RunReport> & { rejected?: readonly Refusal[] } = {}): RunReport {
  const { rejected = [], ...rest } = parts;
  return {
    id,
    store: "app",
    memory: "/home/a/memory",
    cause: "scan",
    distiller: "extractive",
    outcome: "done",
    reason: null,
    code: null,
    hint: null,
    startedAt: `2026-11-${id.slice(6, 8)}T12:00:00.000Z`,
    finishedAt: `2026-11-${id.slice(6, 8)}T12:00:05.000Z`,
    stampBefore: 0,
    stampAfter: 1_796_000_000_000,
    sessions: { seen: 7, counted: 5, read: 5, left: 0, dropped: { subagent: 1 } },
    records: { lines: 900, bad: 1, unfinished: 1 },
    utterances: 120,
    evidenceTokens: 5_400,
    redacted: { aws: 1 },
    operations: { proposed: 2, accepted: 1, rejected },
    files: { created: ["tools.md"], updated: ["MEMORY.md"], archived: [] },
    usage: NO_USAGE,
    questions: 0,
    fence: "node",
    changes: [],
    ...rest,
  };
}
