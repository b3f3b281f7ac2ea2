/** Further names of turns: older rollouts have no ids, and a fork or a resume copies the history under new times. */
import { shortHash } from "../../base/ids.ts";
import type { Heard } from "./hear.ts";

/** A shorter answer ("Done.") may follow the same short request twice; it names nothing. */
const TELLING = 40;

export interface TurnNames {
  heard(heard: Heard, offset: number): void;
  /** By byte offset. */
  all(): ReadonlyMap<number, readonly string[]>;
}

export function turnNames(): TurnNames {
  const names = new Map<number, readonly string[]>();
  let open: number[] = [];
  return {
    heard({ speaker, nameless, text }, offset) {
      if (speaker === "user" && nameless) open.push(offset);
      if (speaker !== "assistant") return;
      if (text.length >= TELLING) for (const turn of open) names.set(turn, [`answered:${shortHash(text)}`]);
      open = [];
    },
    all: () => names,
  };
}
