/** A process of its own that reads one transcript to its end, and prints its peaks: memory, and the longest wait of the event loop. */
import { nodeFiles } from "../../src/base/files.ts";
import type { Cursor } from "../../src/ports.ts";
import { claudeCodeSource } from "../../src/sources/claude-code.ts";

const source = claudeCodeSource(nodeFiles);
const { signal } = new AbortController();
let rss = 0;
let gap = 0;
let last = performance.now();

/** A gap in processor time too: on a busy machine a process may wait for long without having done a thing. */
let cpu = process.cpuUsage();

function sample(): void {
  const now = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  rss = Math.max(rss, process.memoryUsage.rss());
  gap = Math.max(gap, Math.min(now - last, (user + system) / 1_000));
  last = now;
  cpu = process.cpuUsage();
}

const sampler = setInterval(sample, 1);
for (const file of source.list(process.argv[2] ?? "")) {
  let from: Cursor | null = null;
  for (;;) {
    const read = await source.read(file, from, signal);
    if (read === null || read.end.offset >= file.size || read.end.offset === (from?.offset ?? 0)) break;
    from = read.end;
  }
}
sample();
clearInterval(sampler);
console.log(JSON.stringify({ megabytes: rss / 1_048_576, gap }));
