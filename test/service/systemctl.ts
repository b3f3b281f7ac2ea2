/** A systemd of a person in which only what the installer asks about exists. */
import { existsSync } from "node:fs";
import { type Play, type Played, played } from "./world.ts";

export interface FakeSystemd {
  readonly programs: Played;
  /** Cannot be reached: no session, a container. */
  away: boolean;
  version: number;
  /** Units may have namespaces. */
  namespaces: boolean;
  enabled: boolean;
  active: boolean;
  /** What the daemon ends with when it is started; 0: it stays. */
  exits: number;
}

/** @param unit path of the unit file */
export function fakeSystemd(unit: string): FakeSystemd {
  const show = () =>
    Object.entries({
      LoadState: existsSync(unit) ? "loaded" : "not-found",
      ActiveState: fake.active ? "active" : fake.exits ? "failed" : "inactive",
      SubState: fake.active ? "running" : "dead",
      UnitFileState: fake.enabled ? "enabled" : "",
      MainPID: fake.active ? 42 : 0,
      NRestarts: 0,
      Result: fake.exits ? "exit-code" : "success",
      ExecMainStatus: fake.exits,
      StatusText: fake.active ? "idle; 2 stores" : "",
      ActiveEnterTimestamp: fake.active ? "@1796025600" : "",
    })
      .map(([name, value]) => `${name}=${value}`)
      .join("\n");
  const start: Play = () => {
    fake.active = fake.exits === 0;
    return fake.active ? {} : { status: 1, stderr: "Job for memd.service failed." };
  };
  const verbs: Readonly<Record<string, Play>> = {
    show: ([first]) => ({ stdout: first === "--property=Version" ? `${fake.version}.1-1\n` : show() }),
    start,
    restart: start,
    stop: () => {
      fake.active = false;
      return {};
    },
    enable: () => {
      fake.enabled = true;
      return {};
    },
    disable: () => {
      fake.enabled = false;
      return {};
    },
    "daemon-reload": () => ({}),
    "reset-failed": () => ({}),
  };
  const systemctl: Play = (args) => {
    if (args[0] === "--version") return { stdout: `systemd ${fake.version} (${fake.version}-1)\n` };
    if (fake.away) return { status: 1, stderr: "Failed to connect to bus: No medium found" };
    return verbs[args[1] ?? ""]?.(args.slice(2)) ?? { status: 64 };
  };
  const fake: FakeSystemd = {
    programs: played({ systemctl, "systemd-run": () => ({ status: fake.namespaces ? 0 : 1 }) }),
    away: false,
    version: 252,
    namespaces: true,
    enabled: false,
    active: false,
    exits: 0,
  };
  return fake;
}
