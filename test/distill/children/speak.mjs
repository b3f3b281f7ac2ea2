// What every test child shares: the channel's raw end, and the word from the test.
import { readFileSync, writeSync } from "node:fs";

/** Writes bytes to the channel as they are. */
export function raw(text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(3, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") process.exit(7);
    }
  }
}

export const say = (message) => raw(`${JSON.stringify(message)}\n`);
export const hello = () => say({ type: "hello", fence: "node" });
export const propose = (operations = []) => say({ type: "proposal", proposal: { operations } });

/** What the test put into the brief for this child. */
export const word = () => JSON.parse(JSON.parse(readFileSync("brief.json", "utf8")).store);
