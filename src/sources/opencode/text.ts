/** What a person said in the text of an opencode message. */

/** Built-in commands are stored as their whole prompt, with nothing to tell it from a person's: known by how it begins. */
const COMMANDS =
  /^\s*(?:(?:Create or update|Please analyze this codebase and create an) `?AGENTS\.md`? |You are a code reviewer\. Your job is to review code changes)/;

/** "" for what the client wrote. @param isRun whether `opencode run` made the session */
export function personText(text: string, isRun: boolean): string {
  if (COMMANDS.test(text)) return "";
  return isRun ? unquoted(text.trim()) : text;
}

const WHOLE = /^(?:[^"\\]|\\[\s\S])*$/;

/** `opencode run` puts quotes around an argument that has a space in it; what is one such argument loses them again. */
function unquoted(text: string): string {
  const inner = text.slice(1, -1);
  const isArgument =
    text.length > 2 && text.startsWith('"') && text.endsWith('"') && inner.includes(" ") && WHOLE.test(inner);
  return isArgument ? inner.replaceAll('\\"', '"') : text;
}
