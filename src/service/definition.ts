/** What a unit or a plist is made of: facts about one machine and one person, gathered by the installer. */

export interface Definition {
  readonly version: string;
  /** Absolute path of the node that runs the daemon. */
  readonly node: string;
  /** It was named by `--node`, and stays chosen until another is. */
  readonly nodeChosen: boolean;
  /** Absolute path of memd's own script. */
  readonly script: string;
  readonly home: string;
  /** The state directory, where the files of a LaunchAgent's output go. */
  readonly state: string;
  /** The daemon's whole environment beside what the manager sets; never a secret. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders that may be written. */
  readonly writable: readonly string[];
  /** Folders and files with secrets of the person that memd never needs. */
  readonly hidden: readonly string[];
}

/** V8 takes its time to give memory back: a small nursery and a bounded heap halve what an idle daemon holds. */
const NODE_FLAGS: readonly string[] = ["--max-semi-space-size=1", "--max-old-space-size=512"];

/** The arguments after node. */
export function argumentsOf({ script }: Definition): readonly string[] {
  return [...NODE_FLAGS, script, "daemon"];
}
