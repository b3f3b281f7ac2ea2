/** argv → command → exit code. The only file that may end the process. */
import { classify, EXIT, type MemdError } from "./base/errors.ts";
import { type Command, helpText, parseInput, usage } from "./commands/command.ts";
import { type Context, printJson } from "./commands/context.ts";
import { COMMANDS } from "./commands/list.ts";
import { realContext } from "./compose.ts";
import { nearest } from "./config/nearest.ts";

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const rows = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    "memd keeps the memory of coding agents true, small and findable.",
    "Usage: memd COMMAND [options]",
    `Commands:\n${rows.join("\n")}`,
    "memd COMMAND --help shows options, an example and the exit status. memd --version prints the version.\n",
  ].join("\n\n");
}

async function find(name: string): Promise<Command> {
  const listed = COMMANDS.find((command) => command.name === name);
  if (listed) return listed.load();
  const near = nearest(
    name,
    COMMANDS.map((command) => command.name),
  );
  throw usage(
    `unknown command ${JSON.stringify(name)}`,
    near ? `Did you mean memd ${near}?` : "memd --help lists the commands.",
  );
}

function report(context: Context, error: MemdError, json: boolean): number {
  context.stderr.write(`memd: ${error.message}\n  ${error.hint}\n`);
  if (error.family === "bug" && error.cause instanceof Error) context.stderr.write(`${error.cause.stack ?? ""}\n`);
  if (json) printJson(context, { error: { code: error.code, message: error.message, hint: error.hint } });
  return EXIT[error.family];
}

/** For output that is still on its way, ms. */
const LINGER = 250;

async function main(context: Context, argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  try {
    if (context.platform === "win32")
      throw usage("Windows is not supported yet", "Use Linux, macOS, or WSL with the sessions inside it.");
    if (name === undefined || name === "--help" || name === "-h" || name === "help") {
      context.stdout.write(overview());
      return name === undefined ? EXIT.usage : 0;
    }
    if (name === "--version" || name === "-V") {
      context.stdout.write(`${context.version}\n`);
      return 0;
    }
    const command = await find(name);
    const input = parseInput(command, rest);
    if (input.flag("help")) {
      context.stdout.write(helpText(command));
      return 0;
    }
    const code = await command.run(context, input);
    // Something that does not heed an abort must not keep a resident process alive after its last word.
    if (command.resident) setTimeout(() => process.exit(code), LINGER).unref();
    return code;
  } catch (error) {
    return report(context, classify(error, `run memd ${name ?? ""}`.trim()), rest.includes("--json"));
  }
}

// No top-level await: the bundle is CommonJS, which starts faster than a module graph.
void main(realContext(process), process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
