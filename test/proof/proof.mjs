// npm run proof -- --kills 10000 --seed 1 --real 200 --inputs 2000000 --soak 30: the long proofs. What is not named is left out; without any name all run, small.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..", "..");
const text = { type: "string" };
const { values } = parseArgs({
  options: { kills: text, real: text, inputs: text, seed: text, soak: text, every: { type: "boolean" } },
});
const none = !values.kills && !values.real && !values.inputs && !values.soak && !values.every;
const count = (name, small) => Number(values[name] ?? (none ? small : 0));
const seed = Number(values.seed ?? 1);

const folder = mkdtempSync(join(tmpdir(), "memd-proof-"));
// Packages stay outside the bundle and are found beside it.
symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));

async function load(name) {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(here, `${name}.ts`)],
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    outfile,
    logLevel: "error",
  });
  return import(pathToFileURL(outfile).href);
}

const timed = async (name, act) => {
  const start = performance.now();
  const result = await act();
  console.log(`${name}: all clean in ${((performance.now() - start) / 1000).toFixed(0)} s`, result);
};

/** The properties and enumerations are the test files themselves, given more. */
function vitest(name, env) {
  const run = () => {
    const { status } = spawnSync(
      process.execPath,
      [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...env.files, "--testTimeout=14400000"],
      { cwd: root, stdio: "inherit", env: { ...process.env, ...env.set } },
    );
    if (status !== 0) throw new Error(`${name} failed`);
    return "";
  };
  return timed(name, run);
}

try {
  const kills = count("kills", 500);
  if (kills > 0) {
    const { randomKills } = await load("random-kills");
    let shown = Date.now();
    const progress = (tally) => {
      if (Date.now() - shown < 30_000) return;
      shown = Date.now();
      console.log(JSON.stringify(tally));
    };
    await timed(`${kills} random kills, seed ${seed}`, () => randomKills(seed, kills, progress));
  }
  const real = count("real", 20);
  if (real > 0) {
    const { realKills } = await load("real-kills");
    await timed(`${real} real kills, seed ${seed}`, () => realKills({ seed, limit: real, folder, root }));
  }
  const inputs = count("inputs", 0);
  if (inputs > 0)
    await vitest(`${inputs} generated inputs`, {
      files: ["test/proof/inputs"],
      set: { MEMD_PROOF_RUNS: String(inputs / 100_000) },
    });
  const minutes = count("soak", 0);
  if (minutes > 0) {
    const { soak } = await load("soak");
    const progress = (sample) => console.log(JSON.stringify(sample));
    // A copy: the daemon ends when its program is built anew.
    cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });
    const plan = { folder, memd: join(folder, "dist", "memd.js"), minutes, progress };
    await timed(`${minutes} minutes of the daemon over fifty stores`, () => soak(plan));
  }
  if (values.every)
    await vitest("every point of every enumeration", { files: ["test/proof"], set: { MEMD_PROOF_EVERY: "1" } });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
