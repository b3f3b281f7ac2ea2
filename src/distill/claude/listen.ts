/** What is made of Claude Code's events while it runs: its spending is watched, its progress told, its last word kept. */
import { spared, type Trouble } from "./failure.ts";
import type { Purse } from "./purse.ts";
import type { ClaudeSettings } from "./settings.ts";
import type { Heard, Result } from "./stream.ts";

export interface Listener {
  /** @throws MemdError what ends the run */
  take(heard: Heard): void;
  readonly result: Result | null;
  readonly trouble: Trouble;
  /** True when it began to work: before that, nothing can have been sent. */
  readonly begun: boolean;
}

type Progress = (text: string) => void;

/** What was heard so far. */
interface Kept {
  begun: boolean;
  result: Result | null;
  requests: number;
  trouble: Trouble;
}

interface Ear {
  readonly purse: Purse;
  readonly keepRatePercent: number;
  readonly progress: Progress;
  readonly kept: Kept;
}

export function listenerOf(
  purse: Purse,
  { keepRatePercent }: Pick<ClaudeSettings, "keepRatePercent">,
  progress: Progress,
): Listener {
  const kept: Kept = { begun: false, result: null, requests: 0, trouble: { word: "", text: "", limit: null } };
  const ear: Ear = { purse, keepRatePercent, progress, kept };
  return {
    take: (heard) => {
      // Nothing counts after the last word.
      if (kept.result === null) take(ear, heard);
    },
    get begun() {
      return kept.begun;
    },
    get result() {
      return kept.result;
    },
    get trouble() {
      return kept.trouble;
    },
  };
}

function take(ear: Ear, heard: Heard): void {
  const { purse, kept } = ear;
  switch (heard.kind) {
    case "begun":
      begin(ear, heard);
      return;
    case "asking":
      ask(ear);
      return;
    case "again":
      purse.again();
      return;
    case "counted":
      if (heard.model !== null) purse.model(heard.model);
      purse.counted(heard.counts);
      return;
    case "answered":
      answered(ear);
      return;
    case "limit":
      kept.trouble = { ...kept.trouble, limit: heard.limit };
      return;
    case "trouble":
      kept.trouble = { ...kept.trouble, word: heard.word, text: heard.text };
      return;
    case "result":
      kept.result = heard.result;
  }
}

function begin({ purse, progress, kept }: Ear, { model, version }: Extract<Heard, { kind: "begun" }>): void {
  kept.begun = true;
  if (model !== null) purse.model(model);
  // From here on a request may be on its way before its event is read.
  purse.asking();
  progress(`Claude Code ${version} works with ${model ?? "its own model"}`);
}

/** The limits count before a request, and only then: what one has cost is not thrown away for the limits that it reports. */
function ask({ purse, keepRatePercent, kept }: Ear): void {
  const error = spared(kept.trouble.limit, keepRatePercent);
  if (error) throw error;
  purse.asking();
}

function answered({ purse, progress, kept }: Ear): void {
  kept.requests += 1;
  progress(`Claude Code has answered ${kept.requests} time${kept.requests === 1 ? "" : "s"}`);
  purse.answered();
}
