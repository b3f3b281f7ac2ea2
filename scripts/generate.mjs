// Writes what is made from the key table: config/memd.example.yaml, config/memd.schema.json and src/config/defaults.ts.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const MADE = `export { exampleConfig } from "./src/config/example.ts"; export { configSchema } from "./src/config/schema.ts"; export { checkConfig } from "./src/config/check.ts"; export { configOf } from "./src/config/config.ts";`;

const { outputFiles } = await build({
  stdin: { contents: MADE, resolveDir: ROOT },
  bundle: true,
  platform: "node",
  format: "esm",
  write: false,
});
const code = Buffer.from(outputFiles[0].contents).toString("base64");
const { exampleConfig, configSchema, checkConfig, configOf } = await import(`data:text/javascript;base64,${code}`);
writeFileSync(join(ROOT, "config", "memd.example.yaml"), exampleConfig());
writeFileSync(join(ROOT, "config", "memd.schema.json"), `${JSON.stringify(configSchema(), null, 2)}\n`);

const DEFAULTS = join(ROOT, "src", "config", "defaults.ts");
const WHY =
  "What each key of the configuration is by default, made from the key table: a start need not load the table.";
writeFileSync(
  DEFAULTS,
  `/** ${WHY} */\nexport const DEFAULTS = ${JSON.stringify(configOf(checkConfig(null).values))} as const;\n`,
);
execFileSync(join(ROOT, "node_modules", ".bin", "biome"), ["format", "--write", DEFAULTS], { stdio: "ignore" });
