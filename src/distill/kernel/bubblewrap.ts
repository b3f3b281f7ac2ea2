/** The fence by bubblewrap: namespaces of its own for users, processes, mounts and, without a network, the network. */
import { type Ground, type KernelFence, SCRATCH } from "./ground.ts";
import { DEVICES, NETWORK, SYSTEM, toCover } from "./shown.ts";

/**
 * No new session: the child has one already (kept-child.ts), and must stay in the group that one kill reaches. No /proc but where it is asked
 * for: Node runs without, and in many containers it cannot be mounted. Capabilities are dropped by name, because bubblewrap leaves root its own.
 */
const FIXED = [
  ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
  ...["--die-with-parent", "--cap-drop", "ALL"],
];

/**
 * @param extra what this bubblewrap can do beyond the rest
 * @param hidden real paths of folders that stay out of sight even where they lie in a folder of the system
 */
export function bubblewrap(program: string, extra: readonly string[], hidden: readonly string[]): KernelFence {
  return {
    name: "bubblewrap",
    around: ({ file, args }, ground) => ({
      file: program,
      args: [...FIXED, ...extra, ...mounts(ground, toCover(hidden)), "--chdir", ground.folder, "--", file, ...args],
    }),
  };
}

/** In their order: what is covered would else cover what is shown below it. The root is sealed last, when all places are made. */
function mounts({ folder, readable, network, scratch }: Ground, covered: readonly string[]): string[] {
  return [
    ...(network ? [] : ["--unshare-net"]),
    ...[...SYSTEM, ...(network ? NETWORK : [])].flatMap((path) => ["--ro-bind-try", path, path]),
    ...covered.flatMap((path) => ["--tmpfs", path]),
    ...(scratch ? ["--tmpfs", SCRATCH, "--proc", "/proc"] : []),
    ...DEVICES.flatMap((path) => ["--dev-bind-try", path, path]),
    ...[...readable, folder].flatMap((path) => ["--ro-bind", path, path]),
    ...[...covered, "/"].flatMap((path) => ["--remount-ro", path]),
  ];
}
