/**
 * A launchctl that behaves as the real one: `bootout` returns before it is done, `bootstrap` answers 37 while the old one leaves and 5 for
 * seconds after, `kickstart` answers 113 for what is not loaded, what was disabled cannot be bootstrapped, and starts are ten seconds apart.
 */
import { LABEL } from "../../src/service/plist.ts";
import type { Ran } from "../../src/service/programs.ts";
import { type Play, type Played, played } from "./world.ts";

export interface FakeLaunchd {
  readonly programs: Played;
  readonly now: () => number;
  loaded: boolean;
  disabled: boolean;
  /** Nobody is logged in at the screen: there is no gui domain. */
  headless: boolean;
  /** ms that the old service takes to end, and for which bootstrap answers 5 afterwards. */
  leaves: number;
  refuses: number;
  pid: number;
  exitCode: number;
}

const THROTTLE = 10_000;
const said = (status: number, stderr = ""): Partial<Ran> => ({ status, stderr });

export function fakeLaunchd(): FakeLaunchd {
  let [now, goneAt, freeAt, startedAt] = [0, 0, 0, -THROTTLE];
  const tail: Play = () => ({ stdout: "the last line\n" });
  const fake: FakeLaunchd = {
    programs: played({ launchctl: (args) => answer(args), tail }, (ms) => {
      now += ms;
    }),
    now: () => now,
    loaded: false,
    disabled: false,
    headless: false,
    leaves: 1_200,
    refuses: 5_000,
    pid: 100,
    exitCode: 0,
  };
  const isLeaving = () => now < goneAt;
  const isThere = () => fake.loaded || isLeaving();
  const spawn = () => {
    startedAt = Math.max(now, startedAt + THROTTLE);
    fake.pid += 1;
  };
  const verbs: Readonly<Record<string, (args: readonly string[]) => Partial<Ran>>> = {
    print: ([target = ""]) => {
      if (!target.includes(LABEL)) return said(target.startsWith("gui/") && fake.headless ? 125 : 0);
      if (!isThere() || (target.startsWith("gui/") && fake.headless)) return said(113, "Could not find service");
      const running = fake.loaded && now >= startedAt && fake.exitCode === 0;
      const state = running ? `state = running\n\tpid = ${fake.pid}` : "state = spawn scheduled";
      return {
        stdout: `${target} = {\n\tactive count = 1\n\t${state}\n\truns = 2\n\tlast exit code = ${fake.exitCode}\n}\n`,
      };
    },
    "print-disabled": () => ({
      stdout: `disabled services = {\n\t"${LABEL}" => ${fake.disabled ? "disabled" : "enabled"}\n}\n`,
    }),
    enable: () => {
      fake.disabled = false;
      return said(0);
    },
    bootout: () => {
      if (!fake.loaded) return said(113, "Boot-out failed: 113: Could not find service");
      fake.loaded = false;
      [goneAt, freeAt] = [now + fake.leaves, now + fake.leaves + fake.refuses];
      return said(0);
    },
    bootstrap: () => {
      if (isLeaving() || fake.loaded) return said(37, "Bootstrap failed: 37: Operation already in progress");
      if (fake.disabled || now < freeAt) return said(5, "Bootstrap failed: 5: Input/output error");
      fake.loaded = true;
      spawn();
      return said(0);
    },
    kickstart: () => {
      if (!fake.loaded) return said(113, "Could not find service");
      spawn();
      return said(0);
    },
  };
  const answer: Play = ([verb = "", ...args]) => verbs[verb]?.(args) ?? said(64);
  return fake;
}
