/** Standard output and error without Node's streams, whose sockets and terminals cost a start 2 ms of the 15 that a bare Node takes. */
import { fstatSync, statSync, writeSync } from "node:fs";
import { systemCode } from "./errors.ts";

export interface StandardOutput {
  write(text: string): void;
  readonly terminal: boolean;
}

/**
 * Writes to the descriptor itself.
 * @param stream Node's own, made only for a terminal or where a pipe is full
 */
export function standardOutput(fd: number, stream: () => NodeJS.WriteStream): StandardOutput {
  // Looked at when first needed: most commands say nothing on standard error.
  let known: boolean | null = null;
  const mayBeTerminal = () => {
    known ??= isDevice(fd);
    return known;
  };
  let direct = true;
  return {
    write: (text) => {
      const bytes = Buffer.from(text);
      direct &&= !mayBeTerminal();
      const rest = direct ? writeNow(fd, bytes) : bytes;
      if (rest.length === 0) return;
      // From here on all goes through the stream, which keeps the order.
      direct = false;
      stream().write(rest);
    },
    get terminal() {
      return mayBeTerminal() && stream().isTTY === true;
    },
  };
}

/** Whether node:tty need be asked. */
function isDevice(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isCharacterDevice() && stat.rdev !== statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
  } catch (error) {
    // Closed by the caller (`>&-`): the stream then tells what it makes of that.
    if (systemCode(error) === null) throw error;
    return true;
  }
}

/** What could not be written, since a non-blocking pipe is full. Nothing is left for a reader that has gone, as `head` does. */
function writeNow(fd: number, bytes: Buffer): Buffer {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (error) {
    if (systemCode(error) === "EPIPE") return bytes.subarray(bytes.length);
    if (systemCode(error) !== "EAGAIN") throw error;
  }
  return bytes.subarray(written);
}
