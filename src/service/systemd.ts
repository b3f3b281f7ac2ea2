/** The user's systemd, driven by systemctl. */
import { join } from "node:path";
import { MemdError } from "../base/errors.ts";
import type { LogQuery, Manager, RunState, ServiceState } from "./manager.ts";
import type { Programs, Ran } from "./programs.ts";

export const UNIT = "memd.service";

/** @param path of the unit file */
export function systemdManager(programs: Programs, path: string): Manager {
  const ctl: Ctl = (...args) => programs.run("systemctl", ["--user", ...args]);
  const act = async (...args: string[]) => orFail(ctl, args[0] ?? "", await ctl(...args));
  const state = async () => stateOf((await ctl("show", UNIT, ...SHOWN)).stdout);
  /** Where a start was refused for too many before it, another one is what the user now wants. */
  const anew = async (verb: "start" | "restart") => {
    await ctl("reset-failed", UNIT);
    await act(verb, UNIT);
  };
  return {
    kind: "systemd",
    path,
    rivals: RIVALS.map((folder) => join(folder, UNIT)),
    logCommand: `journalctl --user -u ${UNIT}`,
    adopt: async () => {
      await act("daemon-reload");
      await act("enable", UNIT);
      await anew("restart");
    },
    abandon: async () => {
      const before = await state();
      if (before.state !== "absent") await act("stop", UNIT);
      if (before.enabled) await act("disable", UNIT);
    },
    settle: async () => {
      await ctl("daemon-reload");
      await ctl("reset-failed", UNIT);
    },
    start: () => anew("start"),
    stop: () => act("stop", UNIT),
    restart: () => anew("restart"),
    state,
    showLog: (query) => programs.follow("journalctl", journal(query)),
    readLog: async (lines) => {
      const { stdout } = await programs.run("journalctl", journal({ lines, follow: false }));
      return stdout.split("\n").filter((line) => line !== "" && !line.startsWith("-- "));
    },
  };
}

type Ctl = (...args: string[]) => Promise<Ran>;

const RIVALS = ["/etc/systemd/user", "/usr/lib/systemd/user", "/usr/local/lib/systemd/user"];

const PROPERTIES = [
  "LoadState",
  "ActiveState",
  "SubState",
  "UnitFileState",
  "MainPID",
  "NRestarts",
  "Result",
  "ExecMainStatus",
  "StatusText",
  "ActiveEnterTimestamp",
];
const SHOWN = ["--timestamp=unix", `--property=${PROPERTIES.join(",")}`];

const journal = ({ lines, follow }: LogQuery) => [
  "--user",
  "-u",
  UNIT,
  "-n",
  String(lines),
  "--no-pager",
  ...(follow ? ["-f"] : []),
];

/** @param shown the lines of `systemctl show` */
export function stateOf(shown: string): ServiceState {
  const values = new Map(
    shown.split("\n").map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const value = (name: string) => values.get(name) ?? "";
  const number = (name: string) => (/^\d+$/.test(value(name)) ? Number(value(name)) : null);
  const since = /^@(\d+)$/.exec(value("ActiveEnterTimestamp"))?.[1];
  const state = runState(value("LoadState"), value("ActiveState"), value("SubState"));
  return {
    state,
    enabled: value("UnitFileState") === "enabled",
    pid: number("MainPID") || null,
    since: state === "running" && since !== undefined ? Number(since) * 1_000 : null,
    restarts: number("NRestarts"),
    exitStatus: number("ExecMainStatus"),
    result: ["", "success"].includes(value("Result")) ? null : value("Result"),
    text: value("StatusText") || null,
  };
}

function runState(load: string, active: string, sub: string): RunState {
  if (active === "active" || active === "reloading") return "running";
  // Between two starts systemd says `activating`; it is not on its way, it has failed.
  if (active === "activating") return sub === "auto-restart" ? "failed" : "starting";
  if (active === "failed") return "failed";
  return load === "loaded" || active === "deactivating" ? "stopped" : "absent";
}

/** By the daemon's exit status. */
const HINTS: Readonly<Record<number, string>> = {
  4: "There is another daemon of this user: memd status names its pid. End that process, then: memd service start.",
  78: "memd config check and memd doctor say what is wrong; memd service logs has the daemon's last words. Then: memd service start.",
};

/** Says of a failed verb what the manager said, and of a failed start what the daemon said last. */
async function orFail(ctl: Ctl, verb: string, { status, stderr }: Ran): Promise<void> {
  if (status === 0) return;
  const { stdout } = await ctl("show", UNIT, ...SHOWN);
  const { exitStatus, result } = stateOf(stdout);
  const misconfigured = exitStatus === 78;
  const why =
    result === null
      ? (stderr.trim().split("\n")[0] ?? "")
      : `${result}${exitStatus ? `, exit status ${exitStatus}` : ""}`;
  throw new MemdError({
    code: misconfigured ? "service-misconfigured" : "service-failed",
    family: misconfigured ? "misconfigured" : "unavailable",
    message: `systemctl --user ${verb} ${UNIT} failed: ${why}`,
    hint:
      HINTS[exitStatus ?? 0] ??
      "memd service logs has the daemon's last words; memd doctor may know more. Then: memd service start.",
  });
}

/**
 * Major version of the user's manager; null where it cannot be reached.
 * @param programs with an environment that names the bus (see `reachable`)
 */
export async function managerVersion(programs: Programs): Promise<number | null> {
  const { status, stdout } = await programs.run("systemctl", ["--user", "show", "--property=Version", "--value"]);
  const major = Number.parseInt(stdout, 10);
  return status === 0 && major > 0 ? major : null;
}

/** Version of the systemd that is installed, whether its manager runs or not; null without one. */
export async function installedVersion(programs: Programs): Promise<number | null> {
  const { stdout } = await programs.run("systemctl", ["--version"]);
  return Number(/^systemd (\d+)/.exec(stdout)?.[1] ?? 0) || null;
}
