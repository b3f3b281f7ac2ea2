/**
 * The fence by the user's systemd: a transient unit of its own, outside of memd's. It is the way of the installed service, whose own unit
 * forbids the namespaces that bubblewrap needs. Measured on 252 and 257 by trying; see test/distill/kernel-fence-systemd.test.ts.
 */
import type { Ground, KernelFence } from "./ground.ts";
import { DEVICES, NETWORK, SYSTEM, toCover } from "./shown.ts";

/** The manager's door, of memd's own environment. */
export type Door = Readonly<Record<string, string>>;

/** @param hidden real paths of folders that stay out of sight even where they lie in a folder of the system */
export function systemdUnit(program: string, door: Door, hidden: readonly string[]): KernelFence {
  return {
    name: "systemd",
    around: ({ file, args }, ground) => ({
      file: "/bin/sh",
      args: [
        "-c",
        OUTSIDE,
        "memd-distiller",
        program,
        ...RUN,
        ...options(ground, toCover(hidden)),
        "--",
        ...inside(ground, file, args),
      ],
      env: door,
      lifeline: true,
    }),
  };
}

const RUN = ["--user", "--pipe", "--wait", "--collect", "--quiet", "--description=memd: the distiller of one dream"];

/** Only the three streams are handed over to a unit, so the channel goes in as its standard input. */
const OUTSIDE = `exec "$@" <&3 3<&-`;

/**
 * The unit is nobody's child: a kill of memd, or of systemd-run, does not reach it. So its first process waits at the lifeline (standard output,
 * over which memd says nothing) and goes when memd lets go of it or is gone; the manager then kills what is left. A watcher that kills would
 * need signals, which the unit forbids. The exit code goes out over the lifeline.
 */
const INSIDE = `exec 3<&0
{ "$@" </dev/null >&2; echo "$?"; } &
exec 3<&- </dev/null
read -r none <&1 || :`;

/** The manager replaces $NAME in arguments; its environment (what a desktop imported, keys too) stays outside. */
function inside({ env }: Ground, file: string, args: readonly string[]): string[] {
  const own = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const words = ["/bin/sh", "-c", INSIDE, "memd-distiller", "/usr/bin/env", "-i", ...own, file, ...args];
  return words.map((word) => word.replaceAll("$", "$$$$"));
}

/** Signals and looks into other processes: a user unit has no process namespace. Node needs them only to abort. io_uring opens sockets past the filter. */
const REFUSED =
  "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal pidfd_open pidfd_getfd ptrace " +
  "process_vm_readv process_vm_writev process_madvise io_uring_setup";

const HARDENED: readonly string[] = [
  "PrivateUsers=yes",
  "NoNewPrivileges=yes",
  "PrivateIPC=yes",
  "RestrictNamespaces=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "LockPersonality=yes",
  "CapabilityBoundingSet=",
  "SystemCallArchitectures=native",
  "SystemCallFilter=@system-service @pkey",
  `SystemCallFilter=~@privileged ${REFUSED}`,
  "SystemCallErrorNumber=EPERM",
  "KillSignal=SIGKILL",
  "TimeoutStopSec=5s",
  "TasksMax=128",
  "LimitCORE=0",
  "OOMScoreAdjust=500",
  "Nice=10",
];

/** Room for Node's own code beside the memory that it may write to. */
const CODE_MB = 512;

function options(ground: Ground, covered: readonly string[]): string[] {
  const { folder, network, dataMb, wallSeconds } = ground;
  const optional = [...SYSTEM, ...DEVICES, ...(network ? NETWORK : [])].map((path) => `-${path}`);
  const values = [
    ...HARDENED,
    "TemporaryFileSystem=/:ro",
    ...covered.map((path) => `TemporaryFileSystem=${quoted(path)}:ro`),
    `BindReadOnlyPaths=${optional.join(" ")}`,
    ...[...ground.readable, folder].map((path) => `BindReadOnlyPaths=${quoted(path)}`),
    `WorkingDirectory=${folder}`,
    // Unix sockets are not among them: the bus, the agent of ssh and the display stay shut, those without a file too. (The word `none` for
    // families is refused over the bus.)
    ...(network
      ? ["RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK"]
      : ["PrivateNetwork=yes", "SystemCallFilter=~socket"]),
    `MemoryMax=${dataMb + CODE_MB}M`,
    `RuntimeMaxSec=${wallSeconds}s`,
  ];
  return values.flatMap((value) => ["-p", value]);
}

/** A word of systemd's: in quotes a blank or a colon does not end the path. */
function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&")}"`;
}
