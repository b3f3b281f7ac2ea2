/** A well-behaved child that waits for an answer which never comes, with work of its own that would keep it alive. */
import { Socket } from "node:net";
import { openHome } from "../../../src/distill/home.ts";

const home = openHome(new Socket({ fd: 3 }), () => process.exit(1));
await home.say({ type: "hello", fence: "node" });
setInterval(() => undefined, 1_000);
home.progress("ready");
await home.reserve({ inputTokens: 1, outputTokens: 1, costUsd: 0 });
