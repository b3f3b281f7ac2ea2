/** Whether a fence holds on this machine, found out by running Node inside it and letting it try. */
import { join } from "node:path";
import { isMemdError } from "../../base/errors.ts";
import type { Files } from "../../base/files.ts";
import { isRecord } from "../../base/json.ts";
import { startChild } from "../kept-child.ts";
import type { Ground, KernelFence } from "./ground.ts";
import { isBelow } from "./shown.ts";

export interface Trial {
  readonly files: Pick<Files, "stat" | "list">;
  readonly node: string;
  readonly ground: Ground;
  /** Real paths of folders of which nothing may show but the way to what is readable. */
  readonly hidden: readonly string[];
  readonly timeoutMs: number;
}

/** Without the permission model: what is refused here is refused by the kernel. */
const attempt = (
  folders: readonly string[],
) => `const { closeSync, openSync, readdirSync, unlinkSync, writeSync } = require("node:fs");
const folders = ${JSON.stringify(folders)};
const seen = folders.map((path) => { try { return readdirSync(path); } catch { return []; } });
const wrote = folders.filter((folder) => {
  const path = folder + "/.memd-fence-probe";
  try { closeSync(openSync(path, "wx")); unlinkSync(path); return true; } catch { return false; }
});
const tell = (reached) => writeSync(3, JSON.stringify({ seen, wrote, reached }));
try {
  const socket = require("node:dgram").createSocket("udp4").on("error", () => tell(false));
  socket.connect(9, "192.0.2.1", (error) => { tell(!error); socket.close(); });
} catch { tell(false); }`;

const MOST_BYTES = 1_048_576;

/** @returns null when it holds; else why it cannot be used */
export async function probeFence(fence: KernelFence, trial: Trial): Promise<string | null> {
  const { ground, node, hidden } = trial;
  const folders = ["/", "/tmp", ground.folder, ...hidden].filter((path) => trial.files.stat(path)?.kind === "dir");
  const command = fence.around({ file: node, args: ["-e", attempt(folders)] }, ground);
  try {
    const { told, late, stderr } = await runTrial(command, trial);
    if (late) return `it did not start within ${trial.timeoutMs} ms`;
    return (
      judge(told, folders, trial) ?? (told === null ? stderr.trim().split("\n").at(-1) || "it does not start" : null)
    );
  } catch (error) {
    if (isMemdError(error)) return error.message;
    throw error;
  }
}

async function runTrial(command: ReturnType<KernelFence["around"]>, { ground, timeoutMs }: Trial) {
  const place = { cwd: ground.folder, env: ground.env, outputBytes: MOST_BYTES, flooded: () => child.kill() };
  const child = await startChild(command, place);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill();
  }, timeoutMs);
  let text = "";
  child.channel.on("data", (chunk: Uint8Array) => {
    text = (text + Buffer.from(chunk).toString("utf8")).slice(0, MOST_BYTES);
  });
  child.channel.on("error", () => child.channel.destroy());
  const { stderr } = await child.ended;
  clearTimeout(timer);
  return { told: parsed(text), late, stderr };
}

interface Told {
  readonly seen: readonly (readonly string[])[];
  readonly wrote: readonly string[];
  readonly reached: boolean;
}

function parsed(text: string): Told | null {
  try {
    const value: unknown = JSON.parse(text);
    return isTold(value) ? value : null;
  } catch {
    return null;
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

function isTold(value: unknown): value is Told {
  return isRecord(value) && Array.isArray(value["seen"]) && value["seen"].every(isTexts) && isTexts(value["wrote"]);
}

/** What a user's folder shows is only the way to what may be read. */
function judge(
  told: Told | null,
  folders: readonly string[],
  { ground: { readable, folder, network }, hidden }: Pick<Trial, "ground" | "hidden">,
): string | null {
  if (told === null) return null;
  const shown = [...readable, folder];
  const leak = folders.find(
    (path, index) =>
      hidden.includes(path) &&
      told.seen[index]?.some((name) => !shown.some((open) => isBelow(open, join(path, name)) || isBelow(path, open))),
  );
  if (leak !== undefined) return `${leak} can be read inside it`;
  if (told.wrote.length > 0) return `${told.wrote[0]} can be written inside it`;
  return told.reached && !network ? "the network can be reached inside it" : null;
}
