/** What memd would watch on this machine: whose sessions there are, for which projects, and where each memory lies. Changes nothing. */
import type { Config } from "../config/config.ts";
import type { Paths } from "../config/paths.ts";
import { resolveStores, type StoreFlags } from "../config/stores.ts";
import type { Files, Store } from "../ports.ts";
import { discover } from "../steps/discover.ts";
import { type SourceView, searchedPlaces, surveySources } from "../steps/sources.ts";
import { loadStoreCache } from "../steps/store-cache.ts";

export interface Agent {
  readonly client: string;
  readonly folders: readonly string[];
  readonly sessions: number;
}

export interface Watched {
  readonly store: Store;
  /** The memory directory is there already. */
  readonly exists: boolean;
  readonly clients: readonly string[];
  /** Sessions in its folders; some of them may be of other projects. */
  readonly sessions: number;
  /** Epoch ms of the newest words of a person; null where there are none. */
  readonly newestTurnAt: number | null;
}

export interface Survey {
  readonly agents: readonly Agent[];
  /** The liveliest first. */
  readonly stores: readonly Watched[];
  readonly problems: SourceView["problems"];
}

export interface SurveyWorld {
  readonly files: Files;
  readonly paths: Paths;
  readonly cwd: string;
  readonly flags: StoreFlags;
}

export async function survey(
  world: SurveyWorld,
  config: Config,
  { signal, progress }: { signal: AbortSignal; progress: (text: string) => void },
): Promise<Survey> {
  const { files, paths } = world;
  // What was learned before saves opening the transcripts again; what is learned now is kept by the first dream.
  const cache = loadStoreCache(files, paths.state);
  progress("agents' folders");
  const stores = await resolveStores(world, config, world.flags, () => discover(files, { paths, config, cache }));
  const views: SourceView[] = [];
  for (const store of stores) {
    signal.throwIfAborted();
    progress(`${store.name}: ${store.sessions.length} folders`);
    views.push(...(await surveySources(files, [store], { formats: config.formats, signal })));
  }
  const isNamed = world.flags.memory !== null || world.flags.names.length > 0;
  const places = isNamed ? [] : searchedPlaces(paths, config);
  views.push(...(await surveySources(files, [], { formats: config.formats, signal, places })));
  const watched = stores.map((store) =>
    watchedOf(
      files,
      store,
      views.filter((view) => view.store === store.name),
    ),
  );
  const problems = new Map(views.flatMap((view) => view.problems).map((problem) => [problem.message, problem]));
  return { agents: agentsOf(views), stores: byLife(watched), problems: [...problems.values()] };
}

const total = (views: readonly SourceView[]) => views.reduce((sum, { sessions }) => sum + sessions, 0);

function watchedOf(files: Files, store: Store, views: readonly SourceView[]): Watched {
  const times = views.flatMap(({ newestTurnAt }) => newestTurnAt ?? []);
  return {
    store,
    exists: files.stat(store.memory) !== null,
    clients: [...new Set(views.flatMap(({ client }) => client ?? []))].sort(),
    sessions: total(views),
    newestTurnAt: times.length === 0 ? null : Math.max(...times),
  };
}

/** A folder that feeds several projects counts once. */
function agentsOf(views: readonly SourceView[]): Agent[] {
  const once = [...new Map(views.map((view) => [`${view.client}\n${view.folder}`, view])).values()];
  const clients = [...new Set(once.flatMap(({ client }) => client ?? []))].sort();
  return clients.map((client) => {
    const mine = once.filter((view) => view.client === client);
    return { client, folders: mine.map(({ folder }) => folder).sort(), sessions: total(mine) };
  });
}

/** A project that rested for two weeks more than the newest one is not where somebody works now. */
const RESTED = 14 * 86_400_000;

/** Projects of these days first, those with the most sessions leading: there a first dream has the most to say. */
function byLife(watched: readonly Watched[]): Watched[] {
  const newest = Math.max(0, ...watched.flatMap(({ newestTurnAt }) => newestTurnAt ?? []));
  const isAlive = ({ newestTurnAt }: Watched) => (newestTurnAt ?? 0) >= newest - RESTED;
  return [...watched].sort(
    (a, b) =>
      Number(isAlive(b)) - Number(isAlive(a)) ||
      b.sessions - a.sessions ||
      (b.newestTurnAt ?? 0) - (a.newestTurnAt ?? 0) ||
      (a.store.name < b.store.name ? -1 : 1),
  );
}
