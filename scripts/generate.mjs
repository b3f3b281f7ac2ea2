// Writes what is made from the key table: config/memd.example.yaml and config/memd.schema.json.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const MADE = `export { exampleConfig } from "./src/config/example.ts"; export { configSchema } from "./src/config/schema.ts";`;

const { outputFiles } = await build({
  stdin: { contents: MADE, resolveDir: ROOT },
  bundle: true,
  platform: "node",
  format: "esm",
  write: false,
});
const code = Buffer.from(outputFiles[0].contents).toString("base64");
const { exampleConfig, configSchema } = await import(`data:text/javascript;base64,${code}`);
writeFileSync(join(ROOT, "config", "memd.example.yaml"), exampleConfig());
writeFileSync(join(ROOT, "config", "memd.schema.json"), `${JSON.stringify(configSchema(), null, 2)}\n`);
