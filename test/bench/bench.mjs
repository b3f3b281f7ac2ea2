// npm run bench: speed as ratios within one run, in one table. MEMD_BENCH_MB=1024 reads the full gigabyte; the default is smaller.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "memd-bench-"));
// Bundles look for packages from where they lie.
const bundles = join(root, "node_modules", ".memd-bench");

async function bundle(name) {
  const outfile = join(bundles, `${name}.mjs`);
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
  return outfile;
}

const load = async (name) => import(pathToFileURL(await bundle(name)).href);

/** A row without a limit is for information. */
function line({ name, value, unit, limit, holds }) {
  const figure = `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ${unit}`;
  const verdict = limit === undefined ? "" : holds ? "ok" : "MISSED";
  return `${name.padEnd(56)} ${figure.padStart(11)}   ${(limit ?? "").padEnd(13)} ${verdict}`.trimEnd();
}

async function* rows() {
  mkdirSync(bundles, { recursive: true });
  const { benchGates } = await load("gates");
  yield* await benchGates();
  const { benchStatus } = await load("status");
  yield* benchStatus(join(folder, "status"), join(root, "dist", "memd.js"));
  const { benchDaemon } = await load("daemon");
  yield* benchDaemon({
    folder: join(folder, "daemon"),
    memd: join(root, "dist", "memd.js"),
    root,
    folders: 500,
    transcripts: 20_000,
    seconds: Number(process.env.MEMD_BENCH_SECONDS ?? 60),
  });
  const { benchSources } = await load("sources");
  yield* benchSources({
    folder: join(folder, "sources"),
    megabytes: Number(process.env.MEMD_BENCH_MB ?? 128),
    fileMegabytes: Number(process.env.MEMD_BENCH_FILE_MB ?? 600),
    lineMegabytes: 30,
    transcripts: 20_000,
    peak: await bundle("peak"),
  });
  const { benchClients } = await load("clients");
  yield* benchClients({
    folder: join(folder, "clients"),
    megabytes: Math.max(8, Number(process.env.MEMD_BENCH_MB ?? 128) / 4),
    peak: await bundle("peak-client"),
  });
}

try {
  const seen = [];
  for await (const row of rows()) {
    seen.push(row);
    console.log(line(row));
  }
  const aims = seen.filter(({ limit }) => limit !== undefined);
  const missed = aims.filter(({ holds }) => !holds);
  console.log(missed.length === 0 ? `all ${aims.length} aims met` : `${missed.length} of ${aims.length} aims missed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(bundles, { recursive: true, force: true });
}
