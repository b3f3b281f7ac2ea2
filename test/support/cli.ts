/** The built command line in a home of its own, run beside this process so that a server of the test can answer it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { talk, transcript } from "./home.ts";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape, and a wrong look fails the test
type Document = any;

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Cli {
  readonly home: string;
  /** Variables beside PATH, HOME and TZ. */
  readonly env: Record<string, string>;
  /** Writes the configuration file, as JSON, which is YAML. */
  configure(config: unknown): void;
  /** A store `name` with so many sessions in which a person says something of their own; its item for `stores`. */
  store(
    name: string,
    sessions: number,
  ): { readonly name: string; readonly memory: string; readonly sessions: string[] };
  start(...args: string[]): { readonly child: ChildProcess; readonly ran: Promise<Ran> };
  run(...args: string[]): Promise<Ran>;
  /** With `--json`; `value` is the document. */
  json(...args: string[]): Promise<Ran & { readonly value: Document }>;
  /** Command lines of the processes that were started for this home and still run. */
  left(): string[];
  /** Every file below the state directory, as one text. */
  state(): string;
  remove(): void;
}

export function makeCli(): Cli {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "memd-cli-")));
  const env: Record<string, string> = {};
  const start = (...args: string[]) => {
    const whole = { PATH: process.env["PATH"] ?? "", HOME: home, TZ: "UTC", ...env };
    const child = spawn(process.execPath, [MEMD, ...args], {
      env: whole,
      cwd: home,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return { child, ran: heard(child) };
  };
  const run = (...args: string[]) => start(...args).ran;
  return {
    home,
    env,
    start,
    run,
    json: async (...args) => {
      const ran = await run(...args, "--json");
      return { ...ran, value: JSON.parse(ran.stdout) };
    },
    configure: (config) => {
      const path = join(home, ".config", "memd", "config.yaml");
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(config));
    },
    store: (name, sessions) => {
      const folder = join(home, name, "sessions");
      mkdirSync(folder, { recursive: true });
      for (let i = 0; i < sessions; i++) {
        const said = `in ${name} we call the service of team ${i} nothing but heron-${name}-${i} from now on`;
        writeFileSync(join(folder, `s${i}.jsonl`), transcript(`${name}-${i}`, talk([said], Date.now() - 7_200_000)));
      }
      return { name, memory: join(home, name, "memory"), sessions: [folder] };
    },
    left: () => {
      const { stdout } = spawnSync("ps", ["-axo", "args="], { encoding: "utf8" });
      return stdout.split("\n").filter((line) => line.includes(home));
    },
    state: () => textBelow(join(home, ".local", "state", "memd")),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

async function heard(child: ChildProcess): Promise<Ran> {
  let [stdout, stderr] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [status] = await once(child, "close");
  return { status, stdout, stderr };
}

function textBelow(folder: string): string {
  if (!existsSync(folder)) return "";
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")).join("\n");
}
