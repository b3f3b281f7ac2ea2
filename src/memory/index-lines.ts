/** Reads MEMORY.md line by line: which lines point to files, in any of the forms that agents and people write. */
import { shortHash } from "../base/ids.ts";

export interface IndexLine {
  /** Without its line end. */
  readonly text: string;
  /** `\n`, `\r\n`, or nothing at the end of the file. */
  readonly eol: string;
  /**
   * `pointer`: a list line or bare line that is a link or path and perhaps a hook, nothing else: it may be moved or dropped.
   * `mention`: names files among other words (prose, table row, a pointer with lines below it): its words stay.
   */
  readonly kind: "pointer" | "mention" | "heading" | "prose" | "blank";
  /** Files that the line names, relative to the memory directory; one for a pointer. */
  readonly targets: readonly string[];
  /** Words of a pointer's link, without the brackets; null for a bare path. */
  readonly title: string | null;
  /** Offset in `text` where a pointer's hook starts; its length when there is none. */
  readonly hookAt: number;
  /** `shortHash` of the text: how memd knows its own lines. */
  readonly hash: string;
}

const BULLET = "(?:[-*+]|\\d{1,9}[.)])[ \\t]+(?:\\[[ xX]\\][ \\t]+)?";
const SEPARATOR = "(?:[ \\t]*(?:[—–:：|-]|->|→)+[ \\t]*|[ \\t]*$|[ \\t]+(?=\\())";
const LINK_POINTER = new RegExp(
  `^[ \\t]*(?:${BULLET})?(?:\\*\\*|__)?\\[((?:[^\\[\\]]|\\[[^\\]]*\\])*)\\]\\((<[^>]*>|[^()\\s]*(?:\\([^()\\s]*\\)[^()\\s]*)*)(?:[ \\t]+"[^"]*")?\\)(?:\\*\\*|__)?${SEPARATOR}`,
);
const WIKI_POINTER = new RegExp(
  `^[ \\t]*(?:${BULLET})?(?:\\*\\*)?\\[\\[([^\\[\\]|#]+)(?:[|#][^\\[\\]]*)?\\]\\](?:\\*\\*)?${SEPARATOR}`,
);
const BARE_POINTER = new RegExp(
  `^[ \\t]*(?:${BULLET})?(?:\\*\\*)?(\`?)((?:\\./)?[^\\s\`|()\\[\\]<>*]+\\.md)\\1(?:\\*\\*)?${SEPARATOR}`,
  "i",
);

const LINKS = /\]\((<[^>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:[ \t]+"[^"]*")?\)/g;
const WIKI = /\[\[([^[\]|#]+)(?:[|#][^[\]]*)?\]\]/g;
const BARE = /(?<![\p{L}\p{N}_/:.@(<~-])(?:\.\/)?[\p{L}\p{N}_][\p{L}\p{N}_./@~-]*?\.md(?![\p{L}\p{N}_/])/giu;

/** A link's target as a path below the directory; null for URLs, anchors, and what is no Markdown file. */
function toTarget(link: string): string | null {
  const bare = link.replace(/^<|>$/g, "").replace(/[#?].*$/, "");
  if (/^[a-z][a-z0-9+.-]*:/i.test(bare) || !/\.md$/i.test(bare)) return null;
  let path = bare;
  try {
    path = decodeURIComponent(bare);
  } catch {
    // A lone percent sign: the name is meant as it stands.
    path = bare;
  }
  return path.replace(/^(?:\.\/)+/, "");
}

const wikiTarget = (name: string) => toTarget(/\.md$/i.test(name.trim()) ? name.trim() : `${name.trim()}.md`);

interface Pointer {
  readonly target: string;
  readonly title: string | null;
  readonly hookAt: number;
}

function pointerOf(text: string): Pointer | null {
  const link = LINK_POINTER.exec(text);
  const linked = link && toTarget(link[2] ?? "");
  if (link && linked) return { target: linked, title: link[1] ?? "", hookAt: link[0].length };
  const wiki = WIKI_POINTER.exec(text);
  const named = wiki && wikiTarget(wiki[1] ?? "");
  if (wiki && named) return { target: named, title: wiki[1] ?? "", hookAt: wiki[0].length };
  const bare = BARE_POINTER.exec(text);
  const path = bare && toTarget(bare[2] ?? "");
  return bare && path ? { target: path, title: null, hookAt: bare[0].length } : null;
}

/** Every file that the words name, once. */
function targetsOf(text: string): string[] {
  const found: (string | null)[] = [];
  for (const match of text.matchAll(LINKS)) found.push(toTarget(match[1] ?? ""));
  for (const match of text.matchAll(WIKI)) found.push(wikiTarget(match[1] ?? ""));
  for (const match of text.replace(LINKS, "]").matchAll(BARE)) found.push(toTarget(match[0]));
  return [...new Set(found.filter((target) => target !== null))];
}

const indentOf = (text: string) => (/^[ \t]*/.exec(text)?.[0] ?? "").replaceAll("\t", "    ").length;

/** True when the next line hangs below this one, so that dropping this one would leave words without their head. */
function hasChildren(lines: readonly { readonly text: string }[], at: number): boolean {
  const next = lines[at + 1]?.text ?? "";
  if (next.trim() === "") return false;
  const deeper = indentOf(next) > indentOf(lines[at]?.text ?? "");
  return deeper || !/^[ \t]*(?:[-*+#|]|\d{1,9}[.)]|\[|`|<|\S+\.md\b)/i.test(next);
}

function classify(lines: readonly { readonly text: string }[], at: number): Omit<IndexLine, "text" | "eol" | "hash"> {
  const text = lines[at]?.text ?? "";
  const bare = { targets: [], title: null, hookAt: text.length };
  if (text.trim() === "") return { kind: "blank", ...bare };
  if (/^ {0,3}#{1,6}(?:[ \t]|$)/.test(text)) return { kind: "heading", ...bare };
  const targets = targetsOf(text);
  const pointer = /^[ \t]*\|/.test(text) ? null : pointerOf(text);
  if (pointer && !hasChildren(lines, at)) {
    return { kind: "pointer", targets: [pointer.target], title: pointer.title, hookAt: pointer.hookAt };
  }
  const all = pointer && !targets.includes(pointer.target) ? [pointer.target, ...targets] : targets;
  return { kind: all.length > 0 ? "mention" : "prose", ...bare, targets: all };
}

function rawLines(text: string): { text: string; eol: string }[] {
  const parts = text.split("\n");
  const lines = parts.map((part, i) => {
    const last = i === parts.length - 1;
    const cr = !last && part.endsWith("\r");
    return { text: cr ? part.slice(0, -1) : part, eol: last ? "" : cr ? "\r\n" : "\n" };
  });
  return lines.at(-1)?.text === "" ? lines.slice(0, -1) : lines;
}

/** Says of each line whether it stands in code or in a comment: an example or a note, never a pointer. */
function hidden(): (text: string) => boolean {
  let fence: string | null = null;
  let comment = false;
  return (text) => {
    const mark = /^[ \t]*(`{3,}|~{3,})/.exec(text)?.[1] ?? null;
    if (fence !== null) {
      if (mark?.startsWith(fence) && text.trim() === mark) fence = null;
      return true;
    }
    const opens = /^[ \t]*<!--/.test(text);
    if (comment || opens) {
      comment = !text.includes("-->");
      return true;
    }
    fence = mark;
    return mark !== null;
  };
}

/** The lines of an index; joined again (`text + eol`) they are the index byte for byte. */
export function parseIndex(text: string): IndexLine[] {
  const lines = rawLines(text);
  const isHidden = hidden();
  return lines.map((line, at) => {
    const plain = { kind: "prose", targets: [], title: null, hookAt: line.text.length } as const;
    return { ...line, hash: shortHash(line.text), ...(isHidden(line.text) ? plain : classify(lines, at)) };
  });
}
