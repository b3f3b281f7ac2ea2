/** Progress for people on stderr: the step's name and its figures on one line; quiet when stderr is not a terminal. */
import { clip } from "../base/text.ts";
import type { Context } from "./context.ts";

export interface Progress {
  step(step: string, detail: string): void;
  end(): void;
}

const CLEAR = "\r\u001B[2K";
const WIDTH = 100;

export function progressFor(context: Context): Progress {
  const { stderr } = context;
  if (!stderr.terminal || context.env["TERM"] === "dumb") return { step: () => undefined, end: () => undefined };
  return {
    step: (step, detail) => stderr.write(`${CLEAR}${step.padEnd(8)} ${clip(detail, WIDTH)}`),
    end: () => stderr.write(CLEAR),
  };
}
