/** What the steps of one store's runs work with; built by compose, shared by the runs of one process. */
import type { Random } from "../base/ids.ts";
import type { Config } from "../config/config.ts";
import type { Redactor } from "../digest/redact.ts";
import type { EventSink } from "../ledger/event.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { StoreState } from "../ledger/store-state.ts";
import type { Tombstones } from "../ledger/tombstones.ts";
import type { LeaseWorld } from "../lock/occupancy.ts";
import type { Clock, Distiller, Files, Store } from "../ports.ts";
import type { SourceRoot } from "../sources/plan.ts";
import type { Place } from "../store/place.ts";
import type { Money } from "./money.ts";
import type { Paused } from "./pause.ts";

export interface DreamWorld {
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly config: Config;
  readonly store: Store;
  readonly headless: Config["sources"]["headless"];
  /** IANA zone of relative dates. */
  readonly timeZone: string;
  readonly lease: LeaseWorld;
  readonly place: Place;
  /** What pauses the store at this moment. */
  readonly pauses: () => readonly Paused[];
  readonly sources: readonly SourceRoot[];
  /** memd's own folders: sessions that worked there are its own runs. */
  readonly ownFolders: readonly string[];
  readonly briefs: string;
  readonly distiller: Distiller;
  /** What was spent, over all stores and processes, and whether the endpoint is asked at all. */
  readonly money: Money;
  readonly tombstones: Tombstones;
  /** Opened at the first use: a closed gate needs neither. */
  readonly redactor: () => Promise<Redactor>;
  readonly ledger: () => Promise<Ledger>;
  /** What happens is told here. */
  readonly events: EventSink;
  /** Closes what was opened. */
  readonly close: () => Promise<void>;
  /** The store's state as this process knows it; `save` writes it through. */
  readonly state: {
    current(): StoreState;
    save(next: Partial<StoreState>): void;
  };
}
