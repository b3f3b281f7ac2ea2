export function sourceHash(): string;
export function isFresh(outdir?: string): boolean;
export function buildChild(outdir: string, name?: "distiller-child" | "anthropic-child"): Promise<string>;
export function buildAll(outdir?: string): Promise<string[]>;
