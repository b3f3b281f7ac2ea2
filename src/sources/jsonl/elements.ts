/** Cuts elements that a client puts among a person's words. */

/**
 * The text without the elements of these names that have attributes or none, with what they hold. One that is never closed
 * stays: it is a person who writes about such a tag. Linear, whatever the text.
 */
export function withoutElements(text: string, names: readonly string[]): string {
  let rest = text;
  for (const name of names) if (rest.includes(`</${name}>`)) rest = withoutElement(rest, name);
  return rest === text ? text : rest.trim();
}

function withoutElement(text: string, name: string): string {
  const open = new RegExp(`<${name}(?:\\s[^<>]{0,1000})?>`, "g");
  const close = `</${name}>`;
  let kept = "";
  let from = 0;
  for (const tag of text.matchAll(open)) {
    if (tag.index < from) continue;
    const end = text.indexOf(close, tag.index);
    if (end < 0) break;
    kept += text.slice(from, tag.index);
    from = end + close.length;
  }
  return kept + text.slice(from);
}
