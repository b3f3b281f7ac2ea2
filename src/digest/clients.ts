/** The clients whose sessions memd reads, by name; apart from the sources, so that a refused name costs no start. */
export const CLIENT_NAMES = ["claude-code", "codex", "gemini-cli", "qwen-code", "pi", "opencode", "openclaw"] as const;

export type ClientName = (typeof CLIENT_NAMES)[number];

/** The client of that name or of its first word (`gemini`); null for no client. */
export function clientNamed(name: string): ClientName | null {
  return CLIENT_NAMES.find((known) => known === name || known.startsWith(`${name}-`)) ?? null;
}
