/**
 * What a line is, told from its bytes. Three quarters of a transcript are records that hold no words (prompt snapshots,
 * request shapes), and a record's type can stand 63,000 bytes into its line: neither may cost a decode or a parse.
 * The answer errs towards `parse`; only a parse says what a line holds.
 */

/** `skip`: no words and no place in the tree. `link`: a place in the tree only. `parse`: may hold words. */
export type LineClass = "skip" | "link" | "parse";

/** The head holds parent, sidechain mark and, in most records, the type or the attachment's. */
const HEAD_BYTES = 256;
/** `{"type":"` and the longest type. */
const TYPE_BYTES = 80;

const FIRST_TYPE = /^\s*\{\s*"type"\s*:\s*"([^"\\]{1,64})"/;
const ATTACHMENT = /"attachment"\s*:\s*\{\s*"type"\s*:\s*"([^"\\]{1,64})"/;
const WORD_TYPE = /"(?:user|assistant|system)"/;
const PARENT = /"parentUuid"\s*:\s*"([^"\\]{1,128})"/;
const SIDECHAIN = /"isSidechain"\s*:\s*true/;
const UUID = /^"uuid"\s*:\s*"([^"\\]{1,128})"/;
const UUID_BYTES = 160;

/** Types with a place in the tree: records of these types that begin with their type are parsed, all others skipped. */
const TREE_TYPES: ReadonlySet<string> = new Set(["user", "assistant", "system", "attachment"]);
/** The one attachment that can hold a person's words: a message typed while the agent was at work. */
const QUEUED = "queued_command";

const NEEDLE = {
  user: Buffer.from('"user"'),
  assistant: Buffer.from('"assistant"'),
  queued: Buffer.from(`"${QUEUED}"`),
  uuid: Buffer.from('"uuid"'),
  /** The end of `"parentUuid":`. It begins with a letter that is rare in text: found at 30 GB/s, the whole key at 2. */
  parentEnd: Buffer.from('Uuid"'),
};
/** `{"parentUuid":` and a blank or two. */
const OWN_KEY_BYTES = 16;
const PARENT_KEY = '"parentUuid"';

/** Without blanks, carriage return, NUL run and byte order mark around it; empty for a blank line. */
export function trimLine(line: Buffer): Buffer {
  let start = 0;
  let end = line.length;
  while (end > start && isPadding(line[end - 1])) end--;
  while (start < end && isPadding(line[start])) start++;
  if (line[start] === 0xef && line[start + 1] === 0xbb && line[start + 2] === 0xbf) start += 3;
  return start === 0 && end === line.length ? line : line.subarray(start, end);
}

function isPadding(byte: number | undefined): boolean {
  return byte === 0x00 || byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/** Bytes as text, one character each: enough for keys and ids, and ten times as fast as decoding. */
function text(line: Buffer, start: number, end: number): string {
  return line.toString("latin1", start, Math.min(end, line.length));
}

/** `{"p`: what every record with a place in the tree begins with, so that no type need be looked for there. */
function isParentFirst(line: Buffer): boolean {
  return line[0] === 0x7b && line[1] === 0x22 && line[2] === 0x70;
}

/** Decides from the bytes of a trimmed line. */
export function classifyLine(line: Buffer): LineClass {
  const first = isParentFirst(line) ? undefined : FIRST_TYPE.exec(text(line, 0, TYPE_BYTES))?.[1];
  if (first !== undefined) return TREE_TYPES.has(first) || isDamaged(line) ? "parse" : "skip";
  const head = text(line, 0, HEAD_BYTES);
  const attachment = ATTACHMENT.exec(head)?.[1];
  if (attachment !== undefined) return attachment === QUEUED || isDamaged(line) ? "parse" : "link";
  if (WORD_TYPE.test(head) || isDamaged(line)) return "parse";
  return line.includes(NEEDLE.user) || line.includes(NEEDLE.assistant) || line.includes(NEEDLE.queued)
    ? "parse"
    : "link";
}

/** Cut off, or with a second record glued on: such a line is parsed and, when that fails, salvaged. */
function isDamaged(line: Buffer): boolean {
  return line[line.length - 1] !== 0x7d || hasSecondParent(line);
}

function hasSecondParent(line: Buffer): boolean {
  // A record's own key stands at its start, so one that ends behind it belongs to another record.
  for (let at = line.indexOf(NEEDLE.parentEnd, OWN_KEY_BYTES); at >= 0; at = line.indexOf(NEEDLE.parentEnd, at + 1)) {
    const key = line.toString("latin1", at + NEEDLE.parentEnd.length - PARENT_KEY.length, at + NEEDLE.parentEnd.length);
    if (key === PARENT_KEY) return true;
  }
  return false;
}

export interface TreeLink {
  readonly id: string;
  readonly parent: string | null;
}

/** The place in the tree of a record that is not parsed; null when it has none or belongs to a sub-agent. */
export function linkOf(line: Buffer): TreeLink | null {
  const head = text(line, 0, HEAD_BYTES);
  // Contents may hold ids of their own; the record's stands behind them.
  const at = line.lastIndexOf(NEEDLE.uuid);
  if (at < 0 || SIDECHAIN.test(head)) return null;
  const id = UUID.exec(text(line, at, at + UUID_BYTES))?.[1];
  return id === undefined ? null : { id, parent: PARENT.exec(head)?.[1] ?? null };
}
