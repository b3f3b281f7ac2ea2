/** A person's home in a temporary folder, as the installer sees it, with programs that are played. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { nodeFiles } from "../../src/base/files.ts";
import { checkConfig } from "../../src/config/check.ts";
import { configOf } from "../../src/config/config.ts";
import { platformPaths } from "../../src/config/paths.ts";
import type { Store } from "../../src/ports.ts";
import type { Programs, Ran } from "../../src/service/programs.ts";
import type { ServiceHost, ServiceWorld, Settings } from "../../src/service/world.ts";

export const PROJECT = resolve(import.meta.dirname, "../..");

/** What one program answers to its arguments. */
export type Play = (args: readonly string[]) => Partial<Ran>;

export interface Played extends Programs {
  /** Every call, as one line. */
  readonly calls: string[];
  /** Milliseconds that were waited. */
  readonly waited: () => number;
}

/** @param plays by the program's name, or its path; a program that is not played is not installed */
export function played(plays: Readonly<Record<string, Play>>, onPause: (ms: number) => void = () => undefined): Played {
  const calls: string[] = [];
  let waited = 0;
  const programs: Played = {
    calls,
    waited: () => waited,
    run: async (file, args) => {
      calls.push([file, ...args].join(" "));
      const play = plays[file];
      return { status: play ? 0 : 127, stdout: "", stderr: "", ...play?.(args) };
    },
    follow: async (file, args, hear) => {
      const { status, stdout } = await programs.run(file, args);
      for (const line of stdout.split("\n").slice(0, -1)) hear?.(line);
      return status;
    },
    with: () => programs,
    pause: async (ms) => {
      waited += ms;
      onPause(ms);
    },
  };
  return programs;
}

export interface ServiceHome {
  readonly root: string;
  world(changes?: {
    platform?: string;
    programs?: Programs;
    host?: Partial<ServiceHost>;
    env?: Record<string, string>;
  }): ServiceWorld;
  settings(config?: unknown, stores?: readonly Partial<Store>[]): Settings;
  /** Makes a file; a name that begins with a slash is below the root too. */
  file(name: string, text?: string): string;
  remove(): void;
}

/** @param name of the home folder */
export function serviceHome(name = "ana"): ServiceHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "memd-service-")));
  const home = join(root, "home", name);
  mkdirSync(home, { recursive: true });
  return {
    root: home,
    world: ({ platform = "linux", programs = played({}), host = {}, env = {} } = {}) => ({
      files: nodeFiles,
      env: { HOME: home, ...env },
      paths: platformPaths({ HOME: home, ...env }, platform, home),
      platform,
      version: "1.2.3",
      programs,
      token: "t",
      host: {
        uid: 1_000,
        user: "ana",
        home,
        node: { path: "/usr/bin/node", version: "22.1.0" },
        script: "/usr/lib/node_modules/memd-daemon/dist/memd.js",
        called: null,
        base: PROJECT,
        temporary: null,
        ...host,
      },
    }),
    settings: (config = {}, stores = []) => {
      const { values } = checkConfig(config);
      return { config: configOf(values), stores: stores.map((store) => ({ ...STORE, ...store })) };
    },
    file: (path, text = "") => {
      const whole = join(home, path);
      mkdirSync(dirname(whole), { recursive: true });
      writeFileSync(whole, text);
      return whole;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

const STORE: Store = {
  name: "app",
  layout: "custom",
  memory: "/nowhere/memory",
  sessions: [],
  logs: [],
  project: null,
  paused: false,
  state: "/nowhere/state",
};
