/** Finds this machine's fence as memd does, starts a program inside, and tells what came of it; for a machine where no test runner is. */
import { nodeFiles } from "../../../src/base/files.ts";
import { startChild } from "../../../src/distill/kept-child.ts";
import { type FenceWorld, findFence } from "../../../src/distill/kernel/find.ts";

export interface Drive {
  readonly world: Omit<FenceWorld, "files">;
  readonly network: boolean;
  readonly folder: string;
  readonly readable: readonly string[];
  /** Script of Node and its arguments. */
  readonly program: readonly string[];
  /** Lets the child live until we are killed, or ends it as soon as it speaks. */
  readonly end?: "never" | "at once";
}

export async function drive(job: Drive) {
  const { world, network, folder, readable, program } = job;
  const found = await findFence({ ...world, files: nodeFiles }, { network });
  if (found.fence === null) return { name: null, why: found.why };
  const ground = { folder, readable, env: { TZ: "UTC" }, network, dataMb: 2_048, wallSeconds: 60 };
  const command = found.fence.around({ file: world.node, args: program }, ground);
  const place = { cwd: folder, env: { TZ: "UTC" }, outputBytes: 1e6, flooded: () => undefined };
  const child = await startChild(command, place);
  let text = "";
  child.channel.on("data", (chunk: Uint8Array) => {
    text += Buffer.from(chunk).toString("utf8");
    if (job.end) process.stdout.write(chunk);
    if (job.end === "at once") child.kill();
  });
  const { code, signal, stderr } = await child.ended;
  return {
    name: found.fence.name,
    code,
    signal,
    stderr,
    told: text === "" ? null : JSON.parse(text.split("\n")[0] ?? ""),
  };
}
