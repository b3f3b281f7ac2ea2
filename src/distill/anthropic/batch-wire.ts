/** The Message Batches API, spoken plainly: every word of it but the sending costs nothing, and is asked again when that may help. */
import { isMemdError } from "../../base/errors.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { lineReader } from "../lines.ts";
import { openWire, troubleOf, type Wire } from "./client.ts";
import type { EndpointHome, EndpointWorld } from "./endpoint.ts";
import { verdictOn } from "./failure.ts";
import { unpaid } from "./paid.ts";
import { backoff, LONGEST_WAIT } from "./retry.ts";
import type { AnthropicSettings } from "./settings.ts";
import type { Trouble } from "./trouble.ts";

export interface BatchNow {
  readonly id: string;
  readonly ended: boolean;
  /** How many requests it was made of. */
  readonly total: number;
}

export interface BatchWire {
  /** Sends a batch, once. @returns its name, or what went wrong: then it may have been made all the same, unless the trouble is a status */
  create(requests: readonly object[]): Promise<string | Trouble>;
  /** Null: the endpoint knows no such batch. */
  find(id: string): Promise<BatchNow | null>;
  /** The latest ones, of whoever shares the account; null where the endpoint cannot tell. */
  latest(): Promise<readonly BatchNow[] | null>;
  cancel(id: string): Promise<void>;
  /** One value per request, in any order, unchecked. */
  results(id: string): Promise<readonly unknown[] | null>;
}

const PATH = "/v1/messages/batches";
/** The names that the API gives are shorter; this one goes into a path. */
const NAME = /^[\w-]{1,100}$/;
/** 400 answers of the longest kind are 15 MB. */
const RESULTS_BYTES = 64 * 1024 * 1024;
const LINE_BYTES = 4 * 1024 * 1024;
const LATEST = 100;

export interface BatchLab {
  readonly settings: AnthropicSettings;
  readonly home: EndpointHome;
  readonly world: EndpointWorld;
}

/** @throws MemdError of `find`, `latest`, `cancel` and `results`: those of an endpoint; over-budget */
export function openBatches(lab: BatchLab): BatchWire {
  const wire = openWire(lab.settings);
  const get = (path: string) => patiently(lab, wire, { method: "get", path });
  return {
    create: async (requests) => {
      try {
        const response = await wire.send({ method: "post", path: PATH, body: { requests }, signal: limit(lab) });
        return batchIn((await linesOf(response))[0])?.id ?? { kind: "garbled", message: "no batch came back" };
      } catch (error) {
        return troubleOf(error);
      }
    },
    find: async (id) => batchIn((await get(`${PATH}/${id}`))?.[0]),
    latest: async () => {
      const [told] = (await get(`${PATH}?limit=${LATEST}`)) ?? [];
      return isRecord(told) && Array.isArray(told.data) ? told.data.flatMap((one) => batchIn(one) ?? []) : null;
    },
    cancel: async (id) => void (await patiently(lab, wire, { method: "post", path: `${PATH}/${id}/cancel` })),
    // The address in the answer is not followed: the key goes to the endpoint alone.
    results: (id) => get(`${PATH}/${id}/results`),
  };
}

function limit({ settings }: BatchLab): AbortSignal {
  return AbortSignal.timeout(settings.requestSeconds * 1_000);
}

/** @returns the lines of the answer, each a value; null for 404 */
async function patiently(
  lab: BatchLab,
  wire: Wire,
  call: { readonly method: "get" | "post"; readonly path: string },
): Promise<readonly unknown[] | null> {
  const { settings, home, world } = lab;
  for (let tries = 1; ; tries++) {
    try {
      return await unpaid(home, async () => linesOf(await wire.send({ ...call, signal: limit(lab) })));
    } catch (error) {
      if (isMemdError(error)) throw error;
      const trouble = troubleOf(error);
      if (trouble.kind === "status" && trouble.status === 404) return null;
      const verdict = verdictOn(trouble, { settings, model: settings.extract.name, now: world.clock.now() });
      if (tries >= verdict.tries || (verdict.wait ?? 0) > LONGEST_WAIT) throw verdict.error;
      await world.wait(Math.max(verdict.wait ?? 0, backoff(tries, world.random())));
    }
  }
}

/** @throws RangeError when a line, or all of it, is too long */
async function linesOf({ body }: Response): Promise<unknown[]> {
  const lines = lineReader(LINE_BYTES);
  const values: unknown[] = [];
  let bytes = 0;
  const take = (chunk: Uint8Array) => {
    bytes += chunk.length;
    const complete = bytes > RESULTS_BYTES ? null : lines.push(chunk);
    if (complete === null) throw new RangeError("an answer of the endpoint is too long");
    for (const line of complete) if (line.trim() !== "") values.push(parseJson(line));
  };
  if (body) for await (const chunk of body) take(chunk);
  take(Buffer.from("\n"));
  return values;
}

function batchIn(value: unknown): BatchNow | null {
  if (!isRecord(value) || typeof value.id !== "string" || !NAME.test(value.id)) return null;
  // Others have batches too, of another kind.
  if (typeof value.processing_status !== "string") return null;
  const counts = isRecord(value.request_counts) ? Object.values(value.request_counts) : [];
  const total = counts.reduce<number>((sum, count) => sum + (typeof count === "number" ? count : 0), 0);
  return { id: value.id, ended: value.processing_status === "ended", total };
}
