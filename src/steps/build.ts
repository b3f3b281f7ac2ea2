/** Binds the rooms to one store: the world of its runs. Compose passes in what only it may read. */
import { join } from "node:path";
import type { Context } from "../commands/context.ts";
import type { Config } from "../config/config.ts";
import { rememberedStores } from "../config/stores.ts";
import { dayIn, dayOf } from "../digest/calendar.ts";
import { createRedactor, type Redactor } from "../digest/redact.ts";
import type { Runtime } from "../distill/fence.ts";
import type { EventSink } from "../ledger/event.ts";
import { openEventLog } from "../ledger/event-log.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { openTombstones, type Tombstones, withInherited } from "../ledger/tombstones.ts";
import type { LeaseWorld } from "../lock/occupancy.ts";
import type { Files, Store } from "../ports.ts";
import { dailyLogSource } from "../sources/daily-log.ts";
import { anySource, sourceNamed } from "../sources/detect.ts";
import type { SourceRoot } from "../sources/plan.ts";
import { evidencePath } from "../store/evidence.ts";
import { laidOut } from "../store/layout.ts";
import type { Place } from "../store/place.ts";
import { distillerOf } from "./distiller.ts";
import { ledgerOf } from "./ledger.ts";
import { openMoney } from "./money.ts";
import { pausesOf } from "./pause.ts";
import { stateOf } from "./state.ts";
import type { DreamWorld } from "./world.ts";

export interface Host {
  readonly config: Config;
  readonly store: Store;
  /** `--headless`: one-shot headless sessions too. */
  readonly headless: boolean;
  readonly lease: LeaseWorld;
  readonly node: { readonly path: string; readonly flags: Runtime["flags"] };
  readonly childPath: string;
  /** The machine's IANA zone. */
  readonly zone: string;
  /** Where events go; absent: to the event log of the state directory. */
  readonly events?: EventSink;
}

/** Opens nothing: redactor and ledger are made when first asked for, and closed by `close`. */
export function buildWorld(context: Context, host: Host): DreamWorld {
  const { clock, random, paths } = context;
  const { config, store, lease } = host;
  const files = laidOut(context.files, store);
  const timeZone = config.dream.timeZone ?? host.zone;
  let redactor: Promise<Redactor> | null = null;
  let ledger: Promise<Ledger> | null = null;
  const openedLedger = () => (ledger ??= ledgerOf({ files, random, paths }));
  const token = () => Buffer.from(random(8)).toString("hex");
  const spending = { files, clock, env: context.env, token, config, state: paths.state };
  const money = openMoney({ ...spending, timeZone: () => timeZone });
  const events = host.events ?? eventLogOf(context);
  const tombstones = tombstonesOf(context, store);
  return {
    files,
    clock,
    random,
    config,
    store,
    headless: host.headless ? "include" : config.sources.headless,
    timeZone,
    lease,
    place: placeOf(files, store, lease.machineId),
    pauses: () => pausesOf(files, paths.state, store),
    sources: sourcesOf(context.files, store, { timeZone, formats: config.formats }),
    ownFolders: [paths.state],
    briefs: join(paths.state, "briefs"),
    distiller: distillerOf(context, host, { book: money.book, ledger: openedLedger, tombstones }),
    money,
    tombstones,
    redactor: () => (redactor ??= createRedactor()),
    ledger: openedLedger,
    close: async () => (await ledger)?.close(),
    events,
    state: stateOf(context, store, events),
  };
}

/** Those of the project's earlier places too. */
function tombstonesOf({ files, paths, random }: Context, { state, formerly = [] }: Store): Tombstones {
  const own = openTombstones(files, state, random);
  if (formerly.length === 0) return own;
  const isEarlier = (store: Store) => store.project !== null && formerly.includes(store.project);
  return withInherited(own, () =>
    rememberedStores(files, paths)
      .filter((store) => store.state !== state && isEarlier(store))
      .map((store) => openTombstones(files, store.state, random)),
  );
}

/** Evidence holds quotes of private sessions: inside a git work tree it lies in the state directory instead. */
export function placeOf(files: Files, store: Store, machine: string): Place {
  const evidence = evidencePath(files, { directory: store.memory, state: store.state });
  return { files: laidOut(files, store), directory: store.memory, machine, evidence };
}

/** Noon, or another hour of that calendar day where noon of UTC falls on its neighbour (zones from UTC+12 on). */
function noonIn(timeZone: string) {
  return (year: number, month: number, day: number): number => {
    const wanted = dayOf(year, month, day);
    const hours = [12, 0, 23].map((hour) => Date.UTC(year, month - 1, day, hour));
    return hours.find((ms) => dayIn(ms, timeZone) === wanted) ?? Date.UTC(year, month - 1, day, 12);
  };
}

/** Dated files beside the topics are daily logs too; a folder that an agent never made is no error. */
function sourcesOf(
  files: Files,
  store: Store,
  { timeZone, formats }: { timeZone: string; formats: Config["formats"] },
): SourceRoot[] {
  const transcripts = store.format ? sourceNamed(files, store.format, formats) : anySource(files, formats);
  const logs = dailyLogSource(files, { localNoon: noonIn(timeZone) });
  const named = store.layout !== "claude-code";
  const { found = [] } = store;
  return [
    ...store.sessions.map(
      (root): SourceRoot => ({ source: transcripts, root, optional: !named || found.includes(root) }),
    ),
    ...store.logs.map((root): SourceRoot => ({ source: logs, root, optional: false })),
    { source: logs, root: store.memory, optional: true },
  ];
}

/** The event log of the state directory; opened by the first event. */
function eventLogOf({ files, clock, paths, random }: Context): EventSink {
  return openEventLog({ files, clock, state: paths.state, token: () => Buffer.from(random(8)).toString("hex") });
}
