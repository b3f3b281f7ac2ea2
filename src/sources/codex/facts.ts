/** What a rollout says of itself: session, folder, whose it is, and in which of its forms it repeats what was said. */
import { isRecord } from "../../base/json.ts";
import { type Before, recordsIn } from "../jsonl/source.ts";

type Json = Record<string, unknown>;

export interface Facts {
  session: string | null;
  cwd: string | null;
  /** `codex exec`, SDK, MCP: maybe a script, not a person. */
  headless: boolean;
  /** Started by another session or by the client itself. */
  isSubagent: boolean;
  /** Events were seen: then the items only repeat them. */
  hasEvents: boolean;
  /** Completed items were seen: then commands and their output come as events too. */
  hasItems: boolean;
}

const newFacts = (): Facts => ({
  session: null,
  cwd: null,
  headless: false,
  isSubagent: false,
  hasEvents: false,
  hasItems: false,
});

/** Sources behind which a person types; every other one that is a plain word starts sessions from programs. */
const PERSONS: ReadonlySet<unknown> = new Set(["cli", "vscode", "unknown", undefined]);

/** Facts from the part of a file that was read earlier: the first record, and the folder of the last turn. */
export function factsIn({ head, tail }: Before): Facts {
  const facts = newFacts();
  const [first = ""] = head.split("\n", 1);
  const records = recordsIn(first);
  if (records.length === 0 && first !== "") learnFromText(facts, first);
  for (const record of [...records, ...recordsIn(tail)]) learn(facts, record);
  return facts;
}

/** The first `session_meta` is the session's own; a fork has its parent's behind it. */
export function learn(facts: Facts, { type, payload }: Json): void {
  if (!isRecord(payload)) return;
  if (type === "session_meta" && facts.session === null) learnSession(facts, payload);
  else if (type === "turn_context" && typeof payload.cwd === "string") facts.cwd = payload.cwd;
  else if (type === "event_msg") {
    facts.hasEvents = true;
    if (payload.type === "item_completed") facts.hasItems = true;
  }
}

function learnSession(
  facts: Facts,
  { id, session_id, cwd, source, thread_source, history_mode, parent_thread_id }: Json,
): void {
  const name = typeof id === "string" ? id : session_id;
  if (typeof name === "string" && name !== "") facts.session = name;
  if (typeof cwd === "string" && cwd !== "") facts.cwd = cwd;
  facts.headless = typeof source !== "object" && !PERSONS.has(source);
  const isOwn = thread_source === undefined || thread_source === null || thread_source === "user";
  facts.isSubagent = isRecord(source) || !isOwn || typeof parent_thread_id === "string";
  if (history_mode === "paginated") facts.hasItems = true;
}

const FIELDS = {
  id: /"id":"([^"\\]{1,128})"/,
  cwd: /"cwd":("(?:[^"\\]|\\.){1,4096}")/,
  source: /"source":(?:"([a-z_]{1,40})"|\{)/,
};

/** A first record that is longer than what is read of it again. */
function learnFromText(facts: Facts, text: string): void {
  const source = FIELDS.source.exec(text);
  const cwd: unknown = JSON.parse(FIELDS.cwd.exec(text)?.[1] ?? "null");
  const payload = { id: FIELDS.id.exec(text)?.[1], cwd, source: source && (source[1] ?? {}) };
  learn(facts, { type: "session_meta", payload: { ...payload, source: payload.source ?? undefined } });
}
