/**
 * The record tree of one transcript. Editing or rewinding a message forks it: the words on a branch that the live one
 * replaced were withdrawn by the user. Where lines are missing the tree is in pieces, and a piece proves nothing: words
 * are only dropped when the fork that replaced them is seen.
 */
import { quickHash } from "../../base/ids.ts";

/** What a record is to the tree. A `turn` is anything a user sent: words, a command, a shell line. */
export type NodeKind = "other" | "message" | "turn";

export interface TreeRecord {
  readonly id: string;
  readonly parent: string | null;
  readonly kind: NodeKind;
  readonly seq: number;
  /** Session id inside the record. */
  readonly session?: string;
}

export interface RecordTree {
  /** Adds a record; `seq` counts upward through the file. Returns its node, and whether the id was there before. */
  add(record: TreeRecord): { node: number; again: boolean };
  /** Nodes so far. */
  size(): number;
  /** Tells for each node whether it lies on a withdrawn branch; call it when all records were added. */
  withdrawn(): (node: number) => boolean;
}

const NONE = -1;
/** Records of an ordinary short session, so that its tables need not grow; a power of two. */
const FIRST_ROWS = 64;
const KIND: Readonly<Record<NodeKind, number>> = { other: 1, message: 2, turn: 3 };

/** Numbers nodes by id: an open-addressing table over typed arrays, doubled at half load. */
function idTable(): { nodeOf(hash: number): number; size(): number } {
  let keys = new Float64Array(2 * FIRST_ROWS).fill(NONE);
  let nodes = new Int32Array(2 * FIRST_ROWS);
  let count = 0;
  const slotOf = (hash: number) => {
    // The length is a power of two, and the low bits of the hash are as good as any: a remainder of such large numbers is slow.
    const mask = keys.length - 1;
    let slot = hash & mask;
    while (keys[slot] !== NONE && keys[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  };
  const grow = () => {
    const [oldKeys, oldNodes] = [keys, nodes];
    keys = new Float64Array(oldKeys.length * 2).fill(NONE);
    nodes = new Int32Array(keys.length);
    for (let i = 0; i < oldKeys.length; i++) {
      const key = oldKeys[i] ?? NONE;
      if (key === NONE) continue;
      const slot = slotOf(key);
      keys[slot] = key;
      nodes[slot] = oldNodes[i] ?? 0;
    }
  };
  return {
    nodeOf(hash) {
      let slot = slotOf(hash);
      if (keys[slot] === hash) return nodes[slot] ?? NONE;
      if (count * 2 >= keys.length) {
        grow();
        slot = slotOf(hash);
      }
      keys[slot] = hash;
      nodes[slot] = count;
      return count++;
    },
    size: () => count,
  };
}

/** Parallel columns, one row per node; rows of parents that were never seen stay zero. */
interface Columns {
  parent: Int32Array;
  seq: Int32Array;
  kind: Uint8Array;
}

function widened(columns: Columns, rows: number): Columns {
  if (rows <= columns.parent.length) return columns;
  const length = rows * 2;
  const parent = new Int32Array(length).fill(NONE);
  const seq = new Int32Array(length);
  const kind = new Uint8Array(length);
  parent.set(columns.parent);
  seq.set(columns.seq);
  kind.set(columns.kind);
  return { parent, seq, kind };
}

export function recordTree(): RecordTree {
  const table = idTable();
  let columns = widened({ parent: new Int32Array(0), seq: new Int32Array(0), kind: new Uint8Array(0) }, FIRST_ROWS / 2);
  const roots: Roots = new Map();
  let leaf = NONE;
  // Most records hang on the one before them.
  let last = { id: "", node: NONE };
  return {
    add({ id, parent, kind, seq, session = "" }) {
      const node = table.nodeOf(quickHash(id));
      const above = parent === null ? NONE : parent === last.id ? last.node : table.nodeOf(quickHash(parent));
      last = { id, node };
      columns = widened(columns, table.size());
      const again = columns.kind[node] !== 0;
      if (!again) {
        columns.parent[node] = above;
        columns.seq[node] = seq;
        columns.kind[node] = KIND[kind];
        if (parent === null && kind === "turn") roots.set(node, { session, answered: false });
      }
      const root = roots.get(above);
      if (root) root.answered = true;
      if (kind !== "other") leaf = node;
      return { node, again };
    },
    size: table.size,
    withdrawn() {
      const replacedAt = replacements(columns, { size: table.size(), leaf, roots });
      return (node) => (columns.seq[node] ?? 0) < (replacedAt[node] ?? 0);
    },
  };
}

/**
 * Turns that begin a tree. One that nothing hangs on was not rewound: such a file has no tree. And clients have been seen
 * to write into another session's file.
 */
type Roots = Map<number, { readonly session: string; answered: boolean }>;

interface Forest {
  readonly size: number;
  readonly leaf: number;
  readonly roots: Roots;
}

/** What the walk up from the last leaf tells. */
interface LivePath {
  /** Per node: 1 on the path. */
  readonly live: Uint8Array;
  /** Per node of the path: seq of the nearest turn below it; 0 when there is none. */
  readonly turnBelow: Int32Array;
  readonly root: number;
}

function livePath(columns: Columns, { size, leaf }: Forest): LivePath {
  const live = new Uint8Array(size);
  const turnBelow = new Int32Array(size);
  let root = NONE;
  let turn = 0;
  for (let node = leaf; node !== NONE && live[node] === 0; node = columns.parent[node] ?? NONE) {
    live[node] = 1;
    turnBelow[node] = turn;
    if (columns.kind[node] === KIND.turn) turn = columns.seq[node] ?? 0;
    root = node;
  }
  return { live, turnBelow, root };
}

/**
 * Per node off the live path: seq of the turn that replaced its branch, 0 for none. A branch is replaced where it leaves
 * the live path and the user sent something below that point, or where both begin with a turn of the same session.
 * What was written after the replacing turn was not replaced by it: two terminals then wrote into one session.
 */
function replacements(columns: Columns, forest: Forest): Int32Array {
  const { live, turnBelow, root } = livePath(columns, forest);
  const { roots } = forest;
  const replacedAt = new Int32Array(forest.size);
  const judged = new Uint8Array(forest.size);
  const liveRoot = roots.get(root);
  const atRoot = (top: number) => {
    const other = roots.get(top);
    return liveRoot && other?.answered && other.session === liveRoot.session ? columns.seq[root] : 0;
  };
  for (let start = 0; start < forest.size; start++) {
    if (live[start] === 1 || judged[start] === 1) continue;
    const branch: number[] = [];
    let node = start;
    while (node !== NONE && live[node] === 0 && judged[node] === 0) {
      judged[node] = 1;
      branch.push(node);
      node = columns.parent[node] ?? NONE;
    }
    const top = branch.at(-1);
    if (top === undefined) continue;
    const at = node === NONE ? atRoot(top) : live[node] === 1 ? turnBelow[node] : replacedAt[node];
    if (at) for (const member of branch) replacedAt[member] = at;
  }
  return replacedAt;
}
