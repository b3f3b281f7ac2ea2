/** A process of its own that reads one client's sessions to their end, and prints its peak of memory. */
import { readEverything, sourceFor } from "./read-client.ts";

const [, , client = "", root = ""] = process.argv;

// Not the system's own count: on Linux it begins with the memory of the process that started this one.
let rss = 0;
function sample(): void {
  rss = Math.max(rss, process.memoryUsage.rss());
}

const sampler = setInterval(sample, 1);
await readEverything(sourceFor(client), root);
sample();
clearInterval(sampler);
console.log(JSON.stringify({ megabytes: rss / 1_048_576 }));
