/** The fence by macOS's sandbox-exec. Never run on a Mac: the probe decides whether it is used, and a profile that the system refuses is not. */
import type { Ground, KernelFence } from "./ground.ts";

export function seatbelt(program: string, node: string): KernelFence {
  return {
    name: "sandbox-exec",
    around: ({ file, args }, ground) => ({ file: program, args: ["-p", profileOf(ground, node), file, ...args] }),
  };
}

/** Programs, libraries and what the loader looks at. No folder of a user; /private/etc holds resolver and certificates. */
const SYSTEM = [
  "/usr/lib",
  "/usr/share",
  "/usr/bin",
  "/bin",
  "/System",
  "/Library/Apple",
  "/opt/homebrew",
  "/usr/local",
];
const NETWORK = ["/private/etc/ssl", "/private/etc/hosts", "/private/etc/resolv.conf", "/private/var/run/resolv.conf"];

function profileOf({ folder, readable, network }: Ground, node: string): string {
  const open = [...SYSTEM, ...(network ? NETWORK : [])];
  return [
    "(version 1)",
    "(deny default)",
    `(import "system.sb")`,
    `(allow process-exec (literal "/bin/sh") (literal "/bin/bash") (literal "/bin/dash") (literal ${quoted(node)}))`,
    "(allow process-fork)",
    "(allow sysctl-read)",
    "(allow signal (target self))",
    "(allow file-read-metadata)",
    ...open.map((path) => `(allow file-read* (subpath ${quoted(path)}))`),
    ...[...readable, folder, node].map((path) => `(allow file-read* (subpath ${quoted(path)}))`),
    `(allow file-read* file-write-data (literal "/dev/null"))`,
    ...(network ? ["(system-network)", "(allow network-outbound)"] : []),
  ].join("\n");
}

function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&")}"`;
}
