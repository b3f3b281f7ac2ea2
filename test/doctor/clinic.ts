/** A home with a store that dreamt, and a doctor for it; each test breaks one thing. */
import { join } from "node:path";
import { nodeFiles } from "../../src/base/files.ts";
import { configOf } from "../../src/config/config.ts";
import { platformPaths } from "../../src/config/paths.ts";
import { readConfig } from "../../src/config/read.ts";
import { rememberedStores } from "../../src/config/stores.ts";
import { diagnose } from "../../src/doctor/diagnose.ts";
import type { Finding } from "../../src/doctor/finding.ts";
import { doctorHost } from "../../src/doctor/host.ts";
import type { RepairWorld } from "../../src/doctor/repair.ts";
import type { Host } from "../../src/doctor/world.ts";
import { DAY, type Home, makeHome, START, talk } from "../support/home.ts";

export interface Clinic extends Home {
  /** The state directory, in which the store has its folder. */
  readonly stateRoot: string;
  visit(options?: {
    repair?: boolean;
    env?: Record<string, string>;
    host?: Partial<Host>;
    stores?: RepairWorld["stores"];
  }): Promise<readonly Finding[]>;
  remove(): void;
}

const SAID = [
  "Always run the linter before you commit.",
  "Bugs are tracked in the Linear project ORBIT.",
  "We decided on 2026-11-20 to keep sessions in Redis, because Postgres was too slow.",
];

/** @param dreamt false for a store that never had a dream */
export async function makeClinic(dreamt = true): Promise<Clinic> {
  const home = makeHome();
  const stateRoot = join(home.root, "state", "memd");
  if (dreamt) {
    home.session("one", talk(SAID, START - DAY));
    const { report } = await home.dream();
    if (report.outcome !== "done") throw new Error(`the dream of the clinic: ${report.outcome} ${report.reason}`);
  }
  return {
    ...home,
    stateRoot,
    visit: async ({ repair = false, env = {}, host = {}, stores = [home.store] } = {}) => {
      const paths = platformPaths({ XDG_STATE_HOME: join(home.root, "state"), ...env }, "linux", home.root);
      const { lease, random, clock } = home.world();
      const read = readConfig(nodeFiles, paths);
      const real = doctorHost(process, join(import.meta.dirname, "clinic.ts"));
      return diagnose(
        {
          files: nodeFiles,
          clock,
          random,
          env,
          paths,
          // Other tests' daemons are none of this home's.
          host: { ...real, watches: () => null, daemons: () => [], ...host },
          version: "0",
          lease: { ...lease, seen: new Map() },
          read,
          config: configOf(read.values),
          stores,
          troubles: [],
          remembered: rememberedStores(nodeFiles, paths),
          open: async () => home.world(),
        },
        repair,
      );
    },
  };
}

/** Codes of what is wrong, each once, in order. */
export function wrongOf(findings: readonly Finding[]): string[] {
  return [...new Set(findings.filter(({ ok }) => !ok).map(({ code }) => code))].sort();
}

export function repairedOf(findings: readonly Finding[]): string[] {
  return [...new Set(findings.filter(({ repaired }) => repaired).map(({ code }) => code))].sort();
}
