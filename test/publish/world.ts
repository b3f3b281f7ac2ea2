/** A project beside a home whose memory is published into it. */
import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Files } from "../../src/base/files.ts";
import type { PublishAsk, PublishDone } from "../../src/steps/publish.ts";
import { publish } from "../../src/steps/publish.ts";
import { chooseUndo, type UndoDone, undoRun } from "../../src/steps/undo.ts";
import type { DreamWorld } from "../../src/steps/world.ts";
import { DAY, type Home, makeHome, START, talk } from "../support/home.ts";

export interface Project {
  readonly home: Home;
  readonly folder: string;
  path(name: string): string;
  read(name: string): string;
  write(name: string, text: string): void;
  /** The file's time to the nanosecond and its identity: what tells whether somebody wrote it. */
  mark(name: string): string;
  world(changes?: { files?: Files; config?: unknown }): DreamWorld;
  publish(ask?: Partial<PublishAsk>, changes?: { files?: Files; config?: unknown }): Promise<PublishDone>;
  undo(run: string, force?: boolean): Promise<UndoDone>;
  /** A session in which somebody says this, and a dream over it. */
  hear(name: string, texts: readonly string[]): Promise<void>;
}

export function makeProject(): Project {
  const home = makeHome();
  const folder = join(home.root, "code", "app");
  mkdirSync(folder, { recursive: true });
  const project = realpathSync(folder);
  const path = (name: string) => join(project, name);
  const worldOf = (changes: { files?: Files; config?: unknown } = {}): DreamWorld => {
    const world = home.world(changes);
    return { ...world, store: { ...world.store, project } };
  };
  return {
    home,
    folder: project,
    path,
    read: (name) => readFileSync(path(name), "utf8"),
    write: (name, text) => writeFileSync(path(name), text),
    mark: (name) => {
      const { ino, mtimeNs, mode } = statSync(path(name), { bigint: true });
      return `${ino} ${mtimeNs} ${mode}`;
    },
    world: worldOf,
    publish: (ask = {}, changes = {}) =>
      using(worldOf(changes), async (world) => {
        home.clock.move(1_000);
        const whole = { named: [], from: project, create: false, remove: false, force: false, ...ask };
        return notHeld(await publish(world, whole));
      }),
    undo: (run, force = false) =>
      using(worldOf(), async (world) => {
        home.clock.move(1_000);
        return notHeld(await undoRun(world, { ...chooseUndo([world], run), force }));
      }),
    hear: async (name, texts) => {
      home.session(name, talk(texts, home.clock.now() - DAY));
      home.clock.move(1_000);
      await home.dream();
    },
  };
}

export async function using<T>(world: DreamWorld, act: (world: DreamWorld) => Promise<T>): Promise<T> {
  try {
    return await act(world);
  } finally {
    await world.close();
  }
}

function notHeld<T extends object>(done: T | { readonly held: string }): T {
  if ("held" in done) throw new Error(done.held);
  return done;
}

export const FIRST = ["Always run `make check` before you commit.", "Bugs are tracked in the Linear project ORBIT."];
export { START };
