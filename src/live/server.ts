/**
 * The daemon's side of the socket: private by the modes of folder and socket, bounded in clients, bytes and time. It reads questions; the
 * answers are the desk's.
 */
import { createServer, type Server } from "node:net";
import { classify, MemdError, systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { ensureFolder } from "../base/folders.ts";
import { isAnswering } from "./client.ts";
import { attend } from "./connection.ts";
import type { Desk, LiveEvent } from "./desk.ts";
import { pointTo, type SocketPlace, socketPlaces, unpoint } from "./place.ts";

export interface SocketWorld {
  readonly files: Files;
  /** The state directory. */
  readonly state: string;
  /** `$XDG_RUNTIME_DIR`; null when it is not set. */
  readonly runtime: string | null;
  /** Unique to this process. */
  readonly token: string;
}

export interface LiveSocket {
  readonly path: string;
  /** Tells everyone who follows. */
  tell(event: LiveEvent): void;
  /** Ends every connection and removes the socket. */
  close(): Promise<void>;
}

/** A person, a status line, a script or two; more is a mistake. */
const MAX_CLIENTS = 32;

/**
 * Call it while holding the lock that makes this the only daemon: a socket on which nobody answers is then nobody's, and is removed.
 * @throws MemdError `socket-in-use` when another daemon answers there, `socket-path-too-long`, or what the last place refused
 */
export async function openSocket(world: SocketWorld, desk: Desk): Promise<LiveSocket> {
  const { files, state, token } = world;
  const followers = new Set<(event: LiveEvent) => void>();
  const attended = new Set<() => void>();
  const server = createServer((socket) => {
    const end = attend(socket, desk, followers);
    attended.add(end);
    socket.once("close", () => attended.delete(end));
  });
  server.maxConnections = MAX_CLIENTS;
  ensureFolder(files, state);
  const path = await listenSomewhere(world, server);
  // From here on an error of the listening socket (no file handles left) must not end the daemon; the next client tries again.
  server.on("error", () => undefined);
  pointTo(files, state, { path, token });
  return {
    path,
    tell: (event) => {
      for (const follower of followers) follower(event);
    },
    close: async () => {
      unpoint(files, state, path);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const end of attended) end();
      await closed;
      files.unlink(path);
    },
  };
}

async function listenSomewhere({ files, state, runtime }: SocketWorld, server: Server): Promise<string> {
  let last: unknown = tooLong(state);
  for (const place of socketPlaces(state, runtime)) {
    try {
      await listenAt(files, server, place);
      return place.path;
    } catch (error) {
      if (error instanceof MemdError && error.code === "socket-in-use") throw error;
      if (!(error instanceof MemdError) && systemCode(error) === null) throw error;
      last = error;
    }
  }
  throw classify(last, `listen on a socket for ${state}`);
}

async function listenAt(files: Files, server: Server, { folder, path }: SocketPlace): Promise<void> {
  ensureFolder(files, folder);
  if (((files.lstat(folder)?.mode ?? 0) & 0o077) !== 0) files.chmod(folder, 0o700);
  await clearAway(files, path);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
  files.chmod(path, 0o600);
}

/** Removes a socket that a dead daemon left, and nothing else. */
async function clearAway(files: Files, path: string): Promise<void> {
  const kind = files.lstat(path)?.kind ?? null;
  if (kind === null) return;
  if (kind !== "other") {
    throw new MemdError({
      code: "socket-blocked",
      family: "misconfigured",
      message: `${path} should be a socket, but is a ${kind}`,
      hint: `Move ${path} away.`,
    });
  }
  if (await isAnswering(path)) {
    throw new MemdError({
      code: "socket-in-use",
      family: "misconfigured",
      message: `another daemon answers on ${path}`,
      hint: "Stop it first: memd service stop, or end its process.",
    });
  }
  files.unlink(path);
}

function tooLong(state: string): MemdError {
  return new MemdError({
    code: "socket-path-too-long",
    family: "misconfigured",
    message: `the path of a socket below ${state} would be too long for the system`,
    hint: "Set XDG_RUNTIME_DIR; without a socket the daemon works, and memd status tells what stands on the disk.",
  });
}
