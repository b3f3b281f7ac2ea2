/** Reads every session below a folder to its end, as collect does, and keeps nothing. */
import { nodeFiles } from "../../src/base/files.ts";
import type { Cursor, TranscriptSource } from "../../src/ports.ts";
import { nodeUnzstd } from "../../src/sources/codex/unpacked.ts";
import { sourceNamed } from "../../src/sources/detect.ts";
import { openclawSource } from "../../src/sources/openclaw.ts";
import { unzstd } from "../sources/openclaw-world.ts";

const { signal } = new AbortController();

/** Node 20 cannot unpack zstd; the frames of the bench hold their bytes as they are, so that the rest of the work is measured there. */
export function sourceFor(client: string): TranscriptSource {
  return client === "openclaw" ? openclawSource(nodeFiles, nodeUnzstd() ?? unzstd) : sourceNamed(nodeFiles, client);
}

/** @returns lines or rows that were read, and turns of a person among them */
export async function readEverything(
  source: TranscriptSource,
  root: string,
): Promise<{ units: number; turns: number }> {
  let [units, turns] = [0, 0];
  for (const file of source.list(root)) {
    let from: Cursor | null = null;
    for (;;) {
      const read = await source.read(file, from, signal);
      if (read === null) break;
      units += read.counts.lines;
      for (const { utterances } of read.words) turns += utterances.filter(({ speaker }) => speaker === "user").length;
      if (read.end.offset >= file.size || read.end.offset === (from?.offset ?? 0)) break;
      from = read.end;
    }
  }
  return { units, turns };
}
