/**
 * The Message Batches part of the scripted server. Batches stay `in_progress` until the test sets `state`:
 *   ended     every request has succeeded, with the answers of the script (n counts the batch's requests from 1)
 *   errored   every request has ended with an error, expired: not one was begun within 24 hours
 * A cancelled batch ends at once, its requests as `canceled`. `lost`: every look-up is answered by 404. `fate` decides for single requests
 * of a batch that has ended, a cancelled one too. `strange`: every word about batches is answered by 200 and that. `hold`: batches are made, and whoever made them is not answered before it resolves.
 */
import { type Answer, type Body, messageOf } from "./messages-script.ts";
import type { Recorded } from "./messages-server.ts";

export type BatchState = "in_progress" | "ended" | "errored" | "expired" | "lost";

export type Fate = "succeeded" | "errored" | "expired" | "canceled";

export interface Batches {
  state: BatchState;
  /** By the request's number in its batch, from 1; null: all fare alike. */
  fate: ((n: number) => Fate) | null;
  strange: string | null;
  hold: Promise<void> | null;
  /** Every other word about batches is held until it resolves. */
  slow: Promise<void> | null;
  /** Every batch by its id: the requests that it was made of. */
  readonly made: ReadonlyMap<string, readonly Body[]>;
  readonly cancelled: ReadonlySet<string>;
  /** As if none had ever been made. */
  forget(): void;
  answer(request: Recorded): { status: number; body: string };
}

const START = "2026-11-30T08:00:00Z";

export function openBatches(script: (params: Body, n: number) => Answer): Batches {
  const made = new Map<string, readonly Body[]>();
  const cancelled = new Set<string>();
  const endedAs = (id: string, n = 0) => {
    if (batches.fate && n > 0) return batches.fate(n);
    return cancelled.has(id) ? "canceled" : batches.state === "ended" ? "succeeded" : batches.state;
  };
  const describe = (id: string, request: Recorded) => {
    const count = made.get(id)?.length ?? 0;
    const ended = cancelled.has(id) || batches.state !== "in_progress";
    const none = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
    return {
      id,
      type: "message_batch",
      processing_status: ended ? "ended" : "in_progress",
      request_counts: { ...none, [ended ? endedAs(id) : "processing"]: count },
      created_at: START,
      expires_at: "2026-12-01T08:00:00Z",
      ended_at: ended ? START : null,
      archived_at: null,
      cancel_initiated_at: cancelled.has(id) ? START : null,
      results_url: ended ? `http://${request.headers.host}/v1/messages/batches/${id}/results` : null,
    };
  };
  const results = (id: string) =>
    (made.get(id) ?? [])
      .map((item, i) =>
        JSON.stringify({ custom_id: item.custom_id, result: result(item.params, i + 1, endedAs(id, i + 1)) }),
      )
      .join("\n");
  const result = (params: Body, n: number, as: string) => {
    const answer = script(params, n);
    if (as === "succeeded" && answer.kind === "message")
      return { type: "succeeded", message: messageOf(answer, { n, body: params }) };
    if (as !== "errored" && as !== "succeeded") return { type: as };
    const error = { type: answer.type ?? "api_error", message: answer.message ?? "failed" };
    return { type: "errored", error: { type: "error", error } };
  };
  const batches: Batches = {
    state: "in_progress",
    fate: null,
    strange: null,
    hold: null,
    slow: null,
    made,
    cancelled,
    forget: () => made.clear(),
    answer(request) {
      if (batches.strange !== null) return { status: 200, body: batches.strange };
      const [, id, verb] = /^\/v1\/messages\/batches(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(request.path) ?? [];
      const ok = (value: unknown) => ({ status: 200, body: JSON.stringify(value) });
      if (id === undefined && request.method === "POST") {
        const next = `msgbatch_${made.size + 1}`;
        made.set(next, request.body.requests);
        return ok(describe(next, request));
      }
      if (id === undefined) return ok({ data: [...made.keys()].map((one) => describe(one, request)), has_more: false });
      if (!made.has(id) || batches.state === "lost")
        return {
          status: 404,
          body: JSON.stringify({ type: "error", error: { type: "not_found_error", message: `no batch ${id}` } }),
        };
      if (verb === "results") return { status: 200, body: results(id) };
      if (verb === "cancel") cancelled.add(id);
      if (request.method === "DELETE") {
        made.delete(id);
        return ok({ id, type: "message_batch_deleted" });
      }
      return ok(describe(id, request));
    },
  };
  return batches;
}
