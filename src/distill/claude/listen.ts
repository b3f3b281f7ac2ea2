/** What is made of Claude Code's events while it runs: its spending is watched, its progress told, its last word kept. */
import { spared, type Trouble } from "./failure.ts";
import type { Purse } from "./purse.ts";
import type { ClaudeSettings } from "./settings.ts";
import type { Heard, Limit, Result } from "./stream.ts";

export interface Listener {
  /** @throws MemdError what ends the run */
  take(heard: Heard): void;
  readonly result: Result | null;
  readonly trouble: Trouble;
  /** True when it began to work: before that, nothing can have been sent. */
  readonly begun: boolean;
}

export function listenerOf(
  purse: Purse,
  { keepRatePercent }: Pick<ClaudeSettings, "keepRatePercent">,
  progress: (text: string) => void,
): Listener {
  let [begun, result, requests] = [false, null as Result | null, 0];
  let [limit, word, text] = [null as Limit | null, "", ""];
  /** Before a request, and only then: what one has cost is not thrown away for the limits that it reports. */
  const mayAsk = (): void => {
    const error = spared(limit, keepRatePercent);
    if (error) throw error;
  };
  const take = (heard: Heard): void => {
    switch (heard.kind) {
      case "begun":
        begun = true;
        if (heard.model !== null) purse.model(heard.model);
        // From here on a request may be on its way before its event is read.
        purse.asking();
        progress(`Claude Code ${heard.version} works with ${heard.model ?? "its own model"}`);
        return;
      case "asking":
        mayAsk();
        purse.asking();
        return;
      case "again":
        purse.again();
        return;
      case "counted":
        if (heard.model !== null) purse.model(heard.model);
        purse.counted(heard.counts);
        return;
      case "answered":
        requests += 1;
        progress(`Claude Code has answered ${requests} time${requests === 1 ? "" : "s"}`);
        purse.answered();
        return;
      case "limit":
        limit = heard.limit;
        return;
      case "trouble":
        [word, text] = [heard.word, heard.text];
        return;
      case "result":
        result = heard.result;
    }
  };
  return {
    take: (heard) => {
      // Nothing counts after the last word.
      if (result === null) take(heard);
    },
    get begun() {
      return begun;
    },
    get result() {
      return result;
    },
    get trouble() {
      return { word, text, limit };
    },
  };
}
