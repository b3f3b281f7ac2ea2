// Bundles src/ into dist/:
// memd.js             what starts at once, and `status`: one small CommonJS file, which Node loads 10 ms sooner than a graph of modules
// ROOM.mjs, chunk-*   all that is imported when it is used, as ES modules that share their chunks
// *-child.mjs         the distillers' children, each one file that needs nothing beside it
// THIRD-PARTY.txt     the licences of the packages that are bundled into them
// What memd.js shares with the rooms exists twice, so neither may keep state in a module or ask for `instanceof` a class of ours.
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
import { basename, dirname, join, relative, resolve } from "node:path";
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

const CHILDREN = {
  "distiller-child": "src/distill/extractive-child.ts",
  "anthropic-child": "src/distill/anthropic-child.ts",
};

/** One child, self-contained: its fence lets it read no other code. */
async function bundleChild(name, outdir) {
  const { build } = await import("esbuild");
  const result = await build({
    ...COMMON,
    entryPoints: { [name]: CHILDREN[name] },
    outExtension: { ".js": ".mjs" },
    outdir,
  });
  const foreign = importsOf(result).filter(({ path, external }) => external && !path.startsWith("node:"));
  if (foreign.length > 0)
    throw new Error(`the child would need ${foreign.map(({ path }) => path).join(", ")} beside it`);
  return result;
}

/** @returns the path of that child in `outdir` */
export async function buildChild(outdir, name = "distiller-child") {
  return write(outdir, (await bundleChild(name, outdir)).outputFiles)[0];
}

async function buildChildren(outdir) {
  const bundles = await Promise.all(Object.keys(CHILDREN).map((name) => bundleChild(name, outdir)));
  const licences = { path: "THIRD-PARTY.txt", contents: licencesOf(bundles) };
  return write(outdir, [...bundles.flatMap(({ outputFiles }) => outputFiles), licences]);
}

/** What is bundled is given away, and its licence wants its words to go with it. */
function licencesOf(bundles) {
  const outputs = bundles.flatMap(({ metafile }) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap(({ inputs }) => Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0));
  const folders = inputs.flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)]
    .sort()
    .map(licenceOf)
    .join(`\n${"-".repeat(80)}\n\n`);
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
  const files = readdirSync(join(ROOT, folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (files.length === 0) throw new Error(`${name} is bundled, and has no licence to ship`);
  const texts = files.sort().map((file) => readFileSync(join(ROOT, folder, file), "utf8").trimEnd());
  return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`;
}

const importsOf = ({ metafile }) => Object.values(metafile.outputs).flatMap((output) => output.imports);

/** What a start must not load: each costs as much as reading forty stores, or belongs to a room. */
const NOT_AT_START = /^(?!node:(?:fs|path|os|util)$)/;

/** memd.js and its rooms. Packages stay outside, loaded from node_modules only by the commands that need them. */
async function buildMemd(outdir) {
  const { build } = await import("esbuild");
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const define = { MEMD_VERSION: JSON.stringify(version), MEMD_BUILD: JSON.stringify(sourceHash().slice(0, 12)) };
  const shared = { ...COMMON, outdir, packages: "external", define };
  const rooms = new Map();
  const start = await build({
    ...shared,
    format: "cjs",
    entryPoints: { memd: "src/cli.ts" },
    plugins: [roomsOutside(rooms)],
    banner: { js: "#!/usr/bin/env node" },
    define: { ...define, "import.meta.dirname": "__dirname" },
  });
  const heavy = importsOf(start).filter(({ path, kind }) => kind !== "dynamic-import" && NOT_AT_START.test(path));
  if (heavy.length > 0)
    throw new Error(`memd.js would load ${heavy.map(({ path }) => path).join(", ")} at every start`);
  const rest = await build({
    ...shared,
    entryPoints: Object.fromEntries(rooms),
    outExtension: { ".js": ".mjs" },
    splitting: true,
    chunkNames: "chunk-[hash]",
  });
  const scope = { path: "package.json", contents: '{"type":"commonjs"}\n' };
  return write(outdir, [...rest.outputFiles, scope, ...start.outputFiles]);
}

/** Leaves every module that is imported when it is used out of the bundle, and notes it by the name of its file in dist/. */
function roomsOutside(rooms) {
  return {
    name: "rooms-outside",
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const source = relative(ROOT, resolve(resolveDir, path));
        const name = relative("src", source).replace(/\.ts$/, "").replaceAll("/", "-");
        rooms.set(name, source);
        return { path: `./${name}.mjs`, external: true };
      });
    },
  };
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
      writeFileSync(temp, contents);
      chmodSync(temp, name === "memd.js" ? 0o755 : 0o644);
      renameSync(temp, join(outdir, name));
      return join(outdir, name);
    });
}

/** Builds all of dist/ and removes what an earlier build left there. */
export async function buildAll(outdir = join(ROOT, "dist")) {
  const source = sourceHash();
  const written = (await Promise.all([buildMemd(outdir), buildChildren(outdir)])).flat();
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
