/** Writes 51 lines and ends at once, in the way that it is told. */
import { systemClock } from "../../src/base/clock.ts";
import { openLog } from "../../src/base/log.ts";
import { logFile } from "../../src/base/log-file.ts";

const [folder = "", end = ""] = process.argv.slice(2);
const target = logFile({ folder, clock: systemClock, maxBytes: 1_048_576, maxDays: 30 });
const log = await openLog({ level: "info", clock: systemClock, target, redact: (line) => line });
for (let i = 0; i < 51; i++) log.info(`line ${i}`);
if (end === "throw") throw new Error("as asked");
if (end === "reject") void Promise.reject(new Error("as asked"));
if (end === "SIGTERM" || end === "SIGKILL") process.kill(process.pid, end);
if (end === "exit") process.exit(3);
