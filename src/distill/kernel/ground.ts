/** What a fenced program may see and do, and what a kernel's fence is: the same words for every platform's way to put it up. */
import type { Command } from "../fence.ts";

export type FenceName = "bubblewrap" | "systemd" | "sandbox-exec";

export interface Ground {
  /** Real path of the folder that the program starts in; readable. */
  readonly folder: string;
  /** Real paths of what else may be read, beside the system's own programs and libraries. */
  readonly readable: readonly string[];
  /** The program's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Without it every connection is refused. */
  readonly network: boolean;
  /**
   * It may write into SCRATCH, a folder of its own in memory, and sees its own processes (/proc): a program that is not Node, as Claude
   * Code, does not start without. Asked for only of a fence that has it.
   */
  readonly scratch?: boolean;
  /** MiB that it may write to in memory. */
  readonly dataMb: number;
  /** After which it is surely ended, whatever became of memd. */
  readonly wallSeconds: number;
}

/** Where no folder of a system or a user lies. */
export const SCRATCH = "/scratch-of-memd";

export interface KernelFence {
  readonly name: FenceName;
  /** The command that runs `command` on that ground, and nowhere else. */
  around(command: Command, ground: Ground): Command;
}
