// Bundles src/ into dist/: memd.js with lazily loaded chunks, and the distiller's child as one file that needs nothing beside it.
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const STAMP = ".built";

// Names stay: they are what a stack in a bug report is read by.
const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "error",
  write: false,
  metafile: true,
};

/** Hash of everything that decides what the bundles are. By content: a checkout changes every mtime. */
export function sourceHash() {
  const hash = createHash("sha256");
  const files = readdirSync(join(ROOT, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const path of [
    ...files,
    join(ROOT, "package.json"),
    join(ROOT, "package-lock.json"),
    fileURLToPath(import.meta.url),
  ]) {
    hash
      .update(`${path.slice(ROOT.length)}\0`)
      .update(readFileSync(path))
      .update("\0");
  }
  return hash.digest("hex");
}

/** True when dist/ holds what the sources say. */
export function isFresh(outdir = join(ROOT, "dist")) {
  const stamp = join(outdir, STAMP);
  if (!existsSync(stamp)) return false;
  const { source, files } = JSON.parse(readFileSync(stamp, "utf8"));
  return source === sourceHash() && files.every((name) => existsSync(join(outdir, name)));
}

/**
 * The child of the distiller, one self-contained file: its fence lets it read no other code.
 * @returns its path in `outdir`
 */
export async function buildChild(outdir) {
  const { build } = await import("esbuild");
  const result = await build({ ...COMMON, entryPoints: { "distiller-child": "src/distill/child.ts" }, outdir });
  const foreign = Object.values(result.metafile.outputs)
    .flatMap((output) => output.imports)
    .filter(({ path, external }) => external && !path.startsWith("node:"));
  if (foreign.length > 0)
    throw new Error(`the child would need ${foreign.map(({ path }) => path).join(", ")} beside it`);
  return write(outdir, result.outputFiles)[0];
}

/** memd.js and its chunks. Packages stay outside, loaded from node_modules only by the commands that need them. */
async function buildMemd(outdir) {
  if (!existsSync(join(ROOT, "src", "cli.ts"))) {
    console.error("memd: src/cli.ts is missing, so memd.js was not built");
    return [];
  }
  const { build } = await import("esbuild");
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const result = await build({
    ...COMMON,
    entryPoints: { memd: "src/cli.ts" },
    outdir,
    splitting: true,
    chunkNames: "chunk-[hash]",
    packages: "external",
    define: { MEMD_VERSION: JSON.stringify(version) },
  });
  return write(outdir, result.outputFiles);
}

/** Chunks before the files that name them, each by rename: a memd that starts meanwhile finds whole files. */
function write(outdir, outputs) {
  mkdirSync(outdir, { recursive: true });
  const isEntry = ({ path }) => !basename(path).startsWith("chunk-");
  return [...outputs]
    .sort((a, b) => isEntry(a) - isEntry(b))
    .map(({ path, contents }) => {
      const name = basename(path);
      const temp = join(outdir, `.${name}.${process.pid}`);
      writeFileSync(
        temp,
        name === "memd.js" ? Buffer.concat([Buffer.from("#!/usr/bin/env node\n"), contents]) : contents,
      );
      chmodSync(temp, name === "memd.js" ? 0o755 : 0o644);
      renameSync(temp, join(outdir, name));
      return join(outdir, name);
    });
}

/** Builds all of dist/ and removes what an earlier build left there. */
export async function buildAll(outdir = join(ROOT, "dist")) {
  const source = sourceHash();
  const written = (await Promise.all([buildMemd(outdir), buildChild(outdir)])).flat();
  const files = written.map((path) => basename(path));
  for (const name of readdirSync(outdir)) if (!files.includes(name)) rmSync(join(outdir, name), { recursive: true });
  writeFileSync(join(outdir, STAMP), JSON.stringify({ source, files }));
  return files;
}

async function main(force) {
  if (!force && isFresh()) return;
  const files = await buildAll();
  console.error(`memd: built ${files.length} files in dist/`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main(process.argv.includes("--force")).catch((error) => {
    // esbuild has printed its findings itself.
    if (!error.errors) console.error(error);
    process.exitCode = 1;
  });
}
