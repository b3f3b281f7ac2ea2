// npm run bench: speed as ratios within one run, in one table. MEMD_BENCH_MB=1024 reads the full gigabyte; the default is smaller.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "memd-bench-"));
const megabytes = Number(process.env.MEMD_BENCH_MB ?? 128);

async function load(name) {
  const outfile = join(folder, `${name}.mjs`);
  await build({ entryPoints: [join(here, `${name}.ts`)], bundle: true, platform: "node", target: "node20", format: "esm", packages: "external", outfile, logLevel: "error" });
  return import(pathToFileURL(outfile).href);
}

/** A row without a limit is for information. */
function line({ name, value, unit, limit, holds }) {
  const figure = `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ${unit}`;
  const verdict = limit === undefined ? "" : holds ? "ok" : "MISSED";
  return `${name.padEnd(64)} ${figure.padStart(12)}  ${(limit ?? "").padEnd(14)} ${verdict}`;
}

try {
  const { benchGates } = await load("gates");
  const { benchStatus } = await load("status");
  const { benchSources } = await load("sources");
  const size = { folder: join(folder, "sources"), megabytes, lineMegabytes: 30, fileMegabytes: Number(process.env.MEMD_BENCH_FILE_MB ?? 600), transcripts: 20_000 };
  const rows = [];
  for (const part of [() => benchGates(join(folder, "gates")), () => benchStatus(join(folder, "status")), () => benchSources(size)]) {
    for (const row of await part()) {
      rows.push(row);
      console.log(line(row));
    }
  }
  const missed = rows.filter(({ holds }) => holds === false);
  console.log(missed.length === 0 ? `all ${rows.filter(({ limit }) => limit).length} aims met` : `${missed.length} aims missed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
