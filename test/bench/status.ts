/** `memd status` over forty configured stores that have dreamt once, as a person starts it, against the start of a bare Node. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { talk, transcript } from "../support/home.ts";
import { atMost, type BenchRow } from "./row.ts";

const STORES = 40;
const ROUNDS = 25;

/** @param folder scratch, made here @param memd path of the built dist/memd.js */
export function benchStatus(folder: string, memd: string): BenchRow[] {
  const env = homeOf(folder);
  const run = (args: readonly string[]) => spawnSync(process.execPath, args, { env, encoding: "utf8" });
  const dream = run([memd, "dream", "--now"]);
  if (dream.status !== 0) throw new Error(`the dream of the bench failed: ${dream.stderr}`);
  const status = JSON.parse(run([memd, "status", "--json"]).stdout);
  const dreamt = status.stores.filter((store: { lastSuccessAt: unknown }) => store.lastSuccessAt !== null).length;
  if (dreamt !== STORES) throw new Error(`${dreamt} of ${STORES} stores have dreamt`);
  const best = { bare: Number.POSITIVE_INFINITY, status: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    best.bare = Math.min(
      best.bare,
      wall(() => run(["-e", "0"])),
    );
    best.status = Math.min(
      best.status,
      wall(() => run([memd, "status"])),
    );
  }
  return [
    { name: `memd status of ${STORES} stores`, value: best.status, unit: "ms" },
    atMost(1.5, { name: "  in starts of a bare Node", value: best.status / best.bare, unit: "x" }),
  ];
}

function wall(act: () => unknown): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}

/** A home with the stores in its configuration. Certificates named by the environment would slow down every start of a Node alike. */
function homeOf(folder: string): NodeJS.ProcessEnv {
  const lines = ["discover: false", "stores:"];
  const now = Date.now();
  for (let i = 0; i < STORES; i++) {
    const [memory, sessions] = [join(folder, `p${i}`, "memory"), join(folder, `p${i}`, "sessions")];
    mkdirSync(sessions, { recursive: true });
    const said = talk(
      [`remember: project ${i} is deployed on Fridays at 15:00 from the release branch`],
      now - 3_600_000,
    );
    writeFileSync(join(sessions, "a.jsonl"), transcript("a", said));
    lines.push(`  - name: p${i}`, `    memory: ${memory}`, `    sessions: [${sessions}]`);
  }
  mkdirSync(join(folder, ".config", "memd"), { recursive: true });
  writeFileSync(join(folder, ".config", "memd", "config.yaml"), `${lines.join("\n")}\n`);
  return { PATH: process.env.PATH, HOME: folder, TZ: "UTC" };
}
