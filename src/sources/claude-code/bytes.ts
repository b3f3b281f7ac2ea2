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

/** How the client writes it; every other spelling is left to the expressions, which cost ten times as much. */
const SPELT = {
  type: '{"type":"',
  parent: '{"parentUuid":"',
  noParent: '{"parentUuid":null',
  main: '"isSidechain":false',
  attachment: '"attachment":{"type":"',
} as const;

const FIRST_TYPE = /^\s*\{\s*"type"\s*:\s*"([^"\\]{1,64})"/;
const ATTACHMENT = /"attachment"\s*:\s*\{\s*"type"\s*:\s*"([^"\\]{1,64})"/;
const PARENT = /"parentUuid"\s*:\s*"([^"\\]{1,128})"/;
const SIDECHAIN = /"isSidechain"\s*:\s*true/;
const UUID = /^"uuid"\s*:\s*"([^"\\]{1,128})"/;
const UUID_BYTES = 160;
/** What stands behind an attachment, its folder's path included, ends within this; searched as text, ten times as fast as as bytes. */
const TAIL_BYTES = 768;

/** Types with a place in the tree: records of these types that begin with their type are parsed, all others skipped. */
const TREE_TYPES: ReadonlySet<string> = new Set(["user", "assistant", "system", "attachment"]);
/** The one attachment that can hold a person's words: a message typed while the agent was at work. */
const QUEUED = "queued_command";

const NEEDLE = {
  user: Buffer.from('"user"'),
  assistant: Buffer.from('"assistant"'),
  queued: Buffer.from(`"${QUEUED}"`),
  /** The end of `"parentUuid":`. It begins with a letter that is rare in text: found at 30 GB/s, the whole key at 2. */
  parentEnd: Buffer.from('Uuid"'),
};
const UUID_KEY = '"uuid"';
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
  const head = text(line, 0, HEAD_BYTES);
  const isChained = head.startsWith(SPELT.parent) || head.startsWith(SPELT.noParent);
  const first = isChained ? undefined : typeAt(head, SPELT.type, FIRST_TYPE);
  if (first !== undefined) return TREE_TYPES.has(first) || isDamaged(line) ? "parse" : "skip";
  const attachment = head.indexOf(SPELT.attachment);
  if (attachment < 0 && holdsWordType(head)) return "parse";
  const type = typeAt(head.slice(Math.max(0, attachment)), SPELT.attachment, ATTACHMENT);
  if (type !== undefined) return type === QUEUED || isDamaged(line) ? "parse" : linkOf(line, head);
  if (isDamaged(line)) return "parse";
  const mayHold = line.includes(NEEDLE.user) || line.includes(NEEDLE.assistant) || line.includes(NEEDLE.queued);
  return mayHold ? "parse" : linkOf(line, head);
}

/** The type that the text begins with when spelt as the client does, else what the expression finds. */
function typeAt(head: string, spelt: string, otherwise: RegExp): string | undefined {
  if (!head.startsWith(spelt)) return otherwise.exec(head)?.[1];
  const end = head.indexOf('"', spelt.length);
  return end < 0 ? undefined : head.slice(spelt.length, end);
}

function holdsWordType(head: string): boolean {
  return head.includes('"user"') || head.includes('"assistant"') || head.includes('"system"');
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
  if (!head.includes(SPELT.main) && SIDECHAIN.test(head)) return "skip";
  const id = UUID.exec(fromLastUuid(line))?.[1];
  return id === undefined ? "skip" : { id, parent: parentIn(head) };
}

/** Contents may hold ids of their own; the record's stands behind them. */
function fromLastUuid(line: Buffer): string {
  const tail = text(line, Math.max(0, line.length - TAIL_BYTES), line.length);
  const near = tail.lastIndexOf(UUID_KEY);
  if (near >= 0) return tail.slice(near);
  const far = line.lastIndexOf(UUID_KEY, -TAIL_BYTES, "latin1");
  return far < 0 ? "" : text(line, far, far + UUID_BYTES);
}

function parentIn(head: string): string | null {
  if (head.startsWith(SPELT.noParent)) return null;
  return typeAt(head, SPELT.parent, PARENT) ?? null;
}
