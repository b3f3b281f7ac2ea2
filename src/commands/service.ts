import { join } from "node:path";
import { EXIT, MemdError } from "../base/errors.ts";
import type { Installed } from "../service/install.ts";
import type { ServiceWorld } from "../service/world.ts";
import { type Command, type Input, usage } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { renderInstalled, renderReport, renderWarnings } from "./render-service.ts";

export const serviceCommand: Command = {
  name: "service",
  summary: "the resident service of this user: a systemd user unit or a LaunchAgent",
  operands: "install|uninstall|start|stop|restart|status|logs",
  options: {
    "dry-run": { type: "boolean", help: "install: print what would be installed, and change nothing" },
    node: {
      type: "string",
      value: "PATH",
      help: "install: the node that runs the service, instead of the one memd would choose",
    },
    force: { type: "boolean", help: "install: write over a definition that was edited, or that memd did not make" },
    purge: {
      type: "boolean",
      help: "uninstall: remove the state directory too (history, ledger, logs); never a memory",
    },
    yes: { type: "boolean", help: "uninstall --purge: do not ask" },
    lines: { type: "string", value: "N", help: "logs: how many lines (default 50)" },
    follow: { type: "boolean", help: "logs: go on as lines are written" },
  },
  example: "memd service install --dry-run",
  exits: [
    [0, "done, or already so; status: it runs"],
    [2, "usage"],
    [5, "the manager failed, or status: installed and not running"],
    [78, "no service manager, not installed, an edited definition, or a path that no service should use"],
  ],
  run: runService,
};

type Verb = (context: Context, input: Input, world: ServiceWorld) => Promise<number>;

const VERBS: Readonly<Record<string, Verb>> = {
  install: runInstall,
  uninstall: runUninstall,
  start: control("start"),
  stop: control("stop"),
  restart: control("restart"),
  status: runStatus,
  logs: runLogs,
};

async function runService(context: Context, input: Input): Promise<number> {
  const [name] = input.words;
  const verb = VERBS[name ?? ""];
  if (verb === undefined) {
    const { nearest } = await import("../config/nearest.ts");
    const near = name === undefined ? null : nearest(name, Object.keys(VERBS));
    const hint = near ? `Did you mean memd service ${near}?` : "See memd service --help.";
    throw usage(
      name === undefined ? `service wants one of ${Object.keys(VERBS).join(", ")}` : `there is no memd service ${name}`,
      hint,
    );
  }
  const { composeService } = await import("../compose.ts");
  return verb(context, input, await composeService(context));
}

async function runInstall(context: Context, input: Input, world: ServiceWorld): Promise<number> {
  const { composeStores } = await import("../compose.ts");
  const { install } = await import("../service/install.ts");
  const { forgetStarts } = await import("../service/starts.ts");
  const dryRun = input.flag("dry-run");
  const { lookOnly } = await import("../service/look-only.ts");
  const seen = dryRun ? Object.assign(Object.create(context), { files: lookOnly(context.files) }) : context;
  const settings = await composeStores(seen, input, { discover: true });
  if (!dryRun) forgetStarts({ files: world.files, state: world.paths.state });
  const installed = await install(world, settings, { node: input.text("node"), dryRun, force: input.flag("force") });
  if (input.flag("json")) printJson(context, installed);
  else printInstalled(context, installed);
  return 0;
}

/** The definition alone on stdout, so that it can be kept or compared; what is said about it goes to stderr. */
function printInstalled(context: Context, installed: Installed): void {
  if (installed.action === "dry-run") context.stdout.write(installed.text);
  context[installed.action === "dry-run" ? "stderr" : "stdout"].write(renderInstalled(installed));
}

async function runUninstall(context: Context, input: Input, world: ServiceWorld): Promise<number> {
  const { uninstall, purge } = await import("../service/uninstall.ts");
  const { knownMemories } = await import("../service/known-memories.ts");
  const wantsPurge = input.flag("purge");
  if (wantsPurge && !(await agreed(context, input, world))) return EXIT.usage;
  const done = await uninstall(world);
  if (wantsPurge) purge(world, knownMemories(world));
  if (input.flag("json")) printJson(context, { ...done, purged: wantsPurge ? world.paths.state : null });
  else {
    const what =
      done.action === "absent" ? `There is no service: ${done.path} is missing.` : `Stopped, and removed ${done.path}.`;
    const kept = wantsPurge ? `Removed the state in ${world.paths.state}.` : `The state in ${world.paths.state} stays.`;
    context.stdout.write(`${what}\n${kept} Memories are as they were.\n${renderWarnings(done.warnings)}`);
  }
  return 0;
}

async function agreed(context: Context, input: Input, world: ServiceWorld): Promise<boolean> {
  if (input.flag("yes")) return true;
  if (context.ask === null)
    throw usage("--purge removes the history of every run", "Say --yes where nobody can be asked.");
  const answer = await context.ask(`Remove ${world.paths.state}: history, what undo needs, questions, logs? [y/N] `);
  if (/^y(?:es)?$/i.test(answer.trim())) return true;
  context.stderr.write("Nothing was changed.\n");
  return false;
}

function control(verb: "start" | "stop" | "restart"): Verb {
  return async (context, input, world) => {
    const { installedManager } = await import("../service/service.ts");
    const { forgetStarts } = await import("../service/starts.ts");
    const manager = await installedManager(world);
    // Whoever starts it by hand has mended what kept it down.
    if (verb !== "stop") forgetStarts({ files: world.files, state: world.paths.state });
    await manager[verb]();
    const state = await manager.state();
    if (input.flag("json")) printJson(context, { action: verb, state });
    else context.stdout.write(`memd is ${state.state}${state.pid === null ? "" : `, pid ${state.pid}`}.\n`);
    return 0;
  };
}

async function runStatus(context: Context, input: Input, world: ServiceWorld): Promise<number> {
  const { serviceReport } = await import("../service/service.ts");
  const report = await serviceReport(world);
  if (input.flag("json")) printJson(context, report);
  else context.stdout.write(renderReport(report, context.clock.now()));
  if (!report.installed) return EXIT.misconfigured;
  return report.state?.state === "running" ? 0 : EXIT.unavailable;
}

const LINES = 50;

async function runLogs(context: Context, input: Input, world: ServiceWorld): Promise<number> {
  const { LOG_FILE } = await import("../base/log-file.ts");
  const { showTail } = await import("../service/log-tail.ts");
  const { installedManager } = await import("../service/service.ts");
  const lines = linesOf(input.text("lines"));
  const manager = await installedManager(world);
  if (input.flag("json")) {
    printJson(context, { lines: await manager.readLog(lines) });
    return 0;
  }
  const query = { lines, follow: input.flag("follow") };
  const print = (line: string) => context.stdout.write(`${line}\n`);
  if ((await manager.showLog(query, print)) === 0) return 0;
  // Where there is no journal the daemon keeps a file.
  const log = join(world.paths.state, "logs", LOG_FILE);
  const isKept = manager.kind === "systemd" && world.files.stat(log)?.kind === "file";
  if (isKept && (await showTail(world.programs, log, { query, print })) === 0) return 0;
  throw new MemdError({
    code: "no-log",
    family: "unavailable",
    message: "the log could not be shown",
    hint: `Try it yourself: ${manager.logCommand}`,
  });
}

function linesOf(given: string | null): number {
  if (given === null) return LINES;
  if (/^[1-9]\d{0,5}$/.test(given)) return Number(given);
  throw usage(`--lines wants a number, not ${JSON.stringify(given)}`, "For example --lines 200.");
}
