/** What runs inside the child, by the distiller's name. */
import type { Proposal } from "../memory/operation.ts";
import type { Brief } from "../ports.ts";
import { extract } from "./extractive/index.ts";
import type { Home } from "./home.ts";

export type Engine = (brief: Brief, home: Home) => Proposal | Promise<Proposal>;

export const ENGINES: ReadonlyMap<string, Engine> = new Map([["extractive", (brief) => extract(brief)]]);
