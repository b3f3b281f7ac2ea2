/**
 * What a line is, told from its bytes. Three quarters of a transcript are records that hold no words (prompt snapshots,
 * request shapes), and a record's type can stand 63,000 bytes into its line: neither may cost a decode or a parse.
 * The answer errs towards `parse`; only a parse says what a line holds.
 */

/** `skip`: no words and no place in the tree. `parse`: may hold words. A link: a place in the tree only. */
export type LineClass = "skip" | "parse" | TreeLink;

export interface TreeLink {
  readonly id: string;
  readonly parent: string | null;
}

/** The head holds parent, sidechain mark and, in most records, the type or the attachment's. */
const HEAD_BYTES = 256;

/** How the client begins a record; every other spelling is left to the expressions, which cost ten times as much. */
const SPELT = {
  type: Buffer.from('{"type":"'),
  noParent: Buffer.from('{"parentUuid":null,"isSidechain":false,'),
  parent: Buffer.from('{"parentUuid":"'),
  afterParent: Buffer.from('","isSidechain":false,'),
  attachment: Buffer.from('"attachment":{"type":"'),
  queued: Buffer.from("queued_command"),
} as const;
/** Keys that follow in a record which may hold words. */
const WORD_KEYS = ['"message":', '"promptId":', '"type":"'].map((key) => Buffer.from(key));
/** Length of a record id as the client makes it. */
const ID_BYTES = 36;

const FIRST_TYPE = /^\s*\{\s*"type"\s*:\s*"([^"\\]{1,64})"/;
const ATTACHMENT = /"attachment"\s*:\s*\{\s*"type"\s*:\s*"([^"\\]{1,64})"/;
const WORD_TYPE = /"(?:user|assistant|system)"/;
const PARENT = /"parentUuid"\s*:\s*"([^"\\]{1,128})"/;
const SIDECHAIN = /"isSidechain"\s*:\s*true/;
const UUID = /^"uuid"\s*:\s*"([^"\\]{1,128})"/;
const UUID_BYTES = 160;
/** What stands behind the id of most attachments fits into this. */
const TAIL_BYTES = 2_048;

/** The longest type and its quote. */
const TYPE_BYTES = 32;
/** Types with a place in the tree: records of these types that begin with their type are parsed, all others skipped. */
const TREE_TYPES: ReadonlySet<string> = new Set(["user", "assistant", "system", "attachment"]);
/** The one attachment that can hold a person's words: a message typed while the agent was at work. */
const QUEUED = SPELT.queued.toString("latin1");

const NEEDLE = {
  user: Buffer.from('"user"'),
  assistant: Buffer.from('"assistant"'),
  queued: Buffer.from(`"${QUEUED}"`),
  uuid: Buffer.from('"uuid"'),
  attachmentId: Buffer.from('"type":"attachment","uuid":"'),
  /** The end of `"parentUuid":`. It begins with a letter that is rare in text: found at 30 GB/s, the whole key at 2. */
  parentEnd: Buffer.from('Uuid"'),
};
/** `{"parentUuid":` and a blank or two. */
const OWN_KEY_BYTES = 16;
const PARENT_KEY = '"parentUuid"';

/** Without blanks, carriage return, NUL run and byte order mark around it; empty for a blank line. */
export function trimLine(line: Buffer): Buffer {
  if (line[0] === OPEN && line[line.length - 1] === CLOSE) return line;
  let start = 0;
  let end = line.length;
  while (end > start && isPadding(line[end - 1])) end--;
  while (start < end && isPadding(line[start])) start++;
  if (line[start] === 0xef && line[start + 1] === 0xbb && line[start + 2] === 0xbf) start += 3;
  return start === 0 && end === line.length ? line : line.subarray(start, end);
}

const QUOTE = 0x22;
const OPEN = 0x7b;
const CLOSE = 0x7d;

function isPadding(byte: number | undefined): boolean {
  return byte === 0x00 || byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/** Bytes as text, one character each: enough for keys and ids, and ten times as fast as decoding. */
function text(line: Buffer, start: number, end: number): string {
  return line.toString("latin1", start, Math.min(end, line.length));
}

/** Decides from the bytes of a trimmed line. */
export function classifyLine(line: Buffer): LineClass {
  if (isSideRecord(line)) return isDamaged(line) ? "parse" : "skip";
  const at = behindHead(line);
  if (at > 0 && WORD_KEYS.some((key) => holds(line, at, key))) return "parse";
  if (at < 0 || !holds(line, at, SPELT.attachment)) return classifyOther(line, text(line, 0, HEAD_BYTES));
  if (holds(line, at + SPELT.attachment.length, SPELT.queued) || isDamaged(line)) return "parse";
  const id = lastId(line);
  return id === null ? "skip" : { id, parent: at === SPELT.noParent.length ? null : parentAt(line) };
}

function holds(line: Buffer, at: number, bytes: Buffer): boolean {
  for (let i = 0; i < bytes.length; i++) if (line[at + i] !== bytes[i]) return false;
  return true;
}

/** Most records without a place in the tree are small, and there are many. */
function isSideRecord(line: Buffer): boolean {
  if (!holds(line, 0, SPELT.type)) return false;
  const rest = text(line, SPELT.type.length, SPELT.type.length + TYPE_BYTES);
  const end = rest.indexOf('"');
  return end > 0 && !rest.includes("\\") && !TREE_TYPES.has(rest.slice(0, end));
}

/** Where the key after parent and sidechain mark of a main-thread record stands; -1 when they are spelt in another way. */
function behindHead(line: Buffer): number {
  if (holds(line, 0, SPELT.noParent)) return SPELT.noParent.length;
  const end = SPELT.parent.length + ID_BYTES;
  return holds(line, 0, SPELT.parent) && holds(line, end, SPELT.afterParent) ? end + SPELT.afterParent.length : -1;
}

function parentAt(line: Buffer): string {
  return text(line, SPELT.parent.length, SPELT.parent.length + ID_BYTES);
}

/** However the record is spelt. */
function classifyOther(line: Buffer, head: string): LineClass {
  const first = FIRST_TYPE.exec(head)?.[1];
  if (first !== undefined) return TREE_TYPES.has(first) || isDamaged(line) ? "parse" : "skip";
  const attachment = ATTACHMENT.exec(head)?.[1];
  if (attachment !== undefined) return attachment === QUEUED || isDamaged(line) ? "parse" : linkOf(line, head);
  if (WORD_TYPE.test(head) || isDamaged(line)) return "parse";
  const mayHold = line.includes(NEEDLE.user) || line.includes(NEEDLE.assistant) || line.includes(NEEDLE.queued);
  return mayHold ? "parse" : linkOf(line, head);
}

/** Cut off, or with a second record glued on: such a line is parsed and, when that fails, salvaged. */
function isDamaged(line: Buffer): boolean {
  return line[line.length - 1] !== CLOSE || hasSecondParent(line);
}

function hasSecondParent(line: Buffer): boolean {
  // A record's own key stands at its start, so one that ends behind it belongs to another record.
  for (let at = line.indexOf(NEEDLE.parentEnd, OWN_KEY_BYTES); at >= 0; at = line.indexOf(NEEDLE.parentEnd, at + 1)) {
    const key = line.toString("latin1", at + NEEDLE.parentEnd.length - PARENT_KEY.length, at + NEEDLE.parentEnd.length);
    if (key === PARENT_KEY) return true;
  }
  return false;
}

/** The place in the tree of a record that is not parsed; `skip` when it has none or belongs to a sub-agent. */
function linkOf(line: Buffer, head: string): TreeLink | "skip" {
  const id = SIDECHAIN.test(head) ? null : lastId(line);
  return id === null ? "skip" : { id, parent: PARENT.exec(head)?.[1] ?? null };
}

/** Contents may hold ids of their own; the record's stands behind them. */
function lastId(line: Buffer): string | null {
  const near = line.indexOf(NEEDLE.attachmentId, Math.max(0, line.length - TAIL_BYTES));
  const from = near + NEEDLE.attachmentId.length;
  if (near >= 0 && line[from + ID_BYTES] === QUOTE) return text(line, from, from + ID_BYTES);
  const far = line.lastIndexOf(NEEDLE.uuid);
  return far < 0 ? null : (UUID.exec(text(line, far, far + UUID_BYTES))?.[1] ?? null);
}
