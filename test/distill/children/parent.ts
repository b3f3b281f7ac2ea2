/** A memd to be killed: starts a child that will not end, and prints its pid as soon as it speaks. */
import { systemClock } from "../../../src/base/clock.ts";
import { nodeFiles } from "../../../src/base/files.ts";
import { forkedDistiller, NO_REQUESTS } from "../../../src/distill/fork.ts";

const { folder, childPath, speak } = JSON.parse(process.argv[2] ?? "");
let pid = 0;
await forkedDistiller({
  name: "extractive",
  childPath,
  readable: [speak],
  env: {},
  files: nodeFiles,
  clock: systemClock,
  runtime: { node: process.execPath, flags: process.allowedNodeEnvironmentFlags },
  desk: () => NO_REQUESTS,
  limits: { cpuSeconds: 2 },
  started: (own) => {
    pid = own;
  },
}).distill({
  run: "run",
  judge: () => ({ accepted: true, rule: null, detail: "" }),
  brief: {
    schema: 1,
    store: JSON.stringify("an endless loop"),
    now: "2026-03-10T09:00:00.000Z",
    digest: { sessions: [], tokens: 0, redacted: {}, taken: [] },
    memory: { topics: [], index: null, others: [] },
    context: [],
  },
  folder,
  signal: new AbortController().signal,
  progress: () => console.log(pid),
});
