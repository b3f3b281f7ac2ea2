import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import { acquireLease, type Lease, recoverLease } from "../../src/lock/lease.ts";
import { type LeaseWorld, lockState } from "../../src/lock/occupancy.ts";
import { readStamp, STAMP_FILE } from "../../src/lock/stamp.ts";
import { DEAD, HOUR, LIVE, processes, SELF, scratch, world } from "./world.ts";

const RUN = "20261130T120000000-abcdef";

function stampFile(dir: string): { body: string; mtime: number } | null {
  const path = join(dir, STAMP_FILE);
  return existsSync(path) ? { body: readFileSync(path, "utf8"), mtime: statSync(path).mtime.getTime() } : null;
}

function put(path: string, body: string, mtime: number): void {
  writeFileSync(path, body);
  utimesSync(path, new Date(mtime), new Date(mtime));
}

async function acquired(dir: string, from: LeaseWorld = world()): Promise<Lease> {
  const result = await acquireLease(from, dir, RUN);
  if (result.state !== "acquired") throw new Error(`held by ${JSON.stringify(result.by)}`);
  return result.lease;
}

/** Leaves behind what a killed run leaves: record, lock directory with its token, held stamp. */
async function killed(dir: string, pid = DEAD): Promise<void> {
  const lease = await acquired(dir, world({ processes: processes({ self: { pid, start: "1", boot: "boot-1" } }) }));
  const lock = join(dir, ".memd/lease.lock");
  const record = readFileSync(join(dir, ".memd/lease.json"));
  const stamp = readFileSync(join(dir, STAMP_FILE));
  const since = statSync(join(dir, STAMP_FILE)).mtime;
  const prior = existsSync(join(dir, ".memd/stamp.prior"));
  if (prior) nodeFiles.link(join(dir, ".memd/stamp.prior"), join(dir, "kept"));
  await lease.release({ kind: "unchanged" });
  mkdirSync(lock);
  writeFileSync(join(lock, lease.token), "");
  writeFileSync(join(dir, ".memd/lease.json"), record);
  nodeFiles.unlink(join(dir, STAMP_FILE));
  put(join(dir, STAMP_FILE), stamp.toString(), since.getTime());
  if (prior) nodeFiles.rename(join(dir, "kept"), join(dir, ".memd/stamp.prior"));
}

describe("while a store dreams", () => {
  it("the stamp names the process and the moment, and the record says everything else", async () => {
    const dir = join(scratch(), "new", "memory");
    const lease = await acquired(dir);
    const stamp = stampFile(dir);
    const record = JSON.parse(readFileSync(join(dir, ".memd/lease.json"), "utf8"));
    expect(stamp).toEqual({ body: `${SELF}\n${record.since}`, mtime: record.since });
    expect(record).toEqual({
      token: lease.token,
      pid: SELF,
      processStart: "100",
      bootId: "boot-1",
      machineId: "machine-1",
      priorStamp: 0,
      since: record.since,
      run: RUN,
    });
    expect(statSync(join(dir, ".memd")).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(dir, ".memd/.gitignore"), "utf8")).toBe("*\n");
    await lease.release({ kind: "failed" });
  });

  it("a second dream is told who holds it and since when", async () => {
    const dir = scratch();
    const lease = await acquired(dir);
    const second = await acquireLease(world(), dir, RUN);
    expect(second).toMatchObject({ state: "held", by: { program: "memd", pid: SELF, otherMachine: false } });
    expect(lockState(world(), dir)).toEqual(second);
    await lease.release({ kind: "unchanged" });
    expect(lockState(world(), dir)).toEqual({ state: "free" });
  });

  it("Claude Code's own dream keeps memd out", async () => {
    const dir = scratch();
    const since = Date.now() - 1_000;
    put(join(dir, STAMP_FILE), `${LIVE}`, since);
    const result = await acquireLease(world(), dir, RUN);
    expect(result).toEqual({ state: "held", by: { program: "claude-code", pid: LIVE, otherMachine: false }, since });
    expect(stampFile(dir)).toEqual({ body: `${LIVE}`, mtime: since });
    expect(readdirSync(join(dir, ".memd"))).toEqual([".gitignore"]);
  });

  it("memd leaves a stamp alone that Claude Code took meanwhile", async () => {
    const dir = scratch();
    const lease = await acquired(dir);
    const since = Date.now();
    put(join(dir, STAMP_FILE), `${LIVE}`, since);
    expect(await lease.release({ kind: "success", stamp: since - 5 })).toBe(since);
    expect(stampFile(dir)).toEqual({ body: `${LIVE}`, mtime: since });
  });
});

describe("the stamp after a run", () => {
  const prior = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

  it("tells the time of a success", async () => {
    const dir = scratch();
    const lease = await acquired(dir);
    expect(await lease.release({ kind: "success", stamp: prior })).toBe(prior);
    expect(stampFile(dir)).toEqual({ body: `\n${prior}`, mtime: prior });
    expect(readdirSync(join(dir, ".memd"))).toEqual([".gitignore"]);
    expect(readdirSync(dir).sort()).toEqual([STAMP_FILE, ".memd"].sort());
  });

  it("goes back to the prior time after a failure, and to nothing if there was none", async () => {
    const [dir, fresh] = [scratch(), scratch()];
    put(join(dir, STAMP_FILE), "77", prior);
    await (await acquired(dir)).release({ kind: "failed" });
    expect(stampFile(dir)).toEqual({ body: `\n${prior}`, mtime: prior });
    await (await acquired(fresh)).release({ kind: "failed" });
    expect(stampFile(fresh)).toBeNull();
  });

  it.each(["", "77", `77\n${prior}`, `\n${prior}`, "garbage\0\0"])(
    "is the very same file when there was nothing new (body %j)",
    async (body) => {
      const dir = scratch();
      writeFileSync(join(dir, STAMP_FILE), body);
      utimesSync(join(dir, STAMP_FILE), 1_700_000_000.123456, 1_700_000_000.123456);
      const before = statSync(join(dir, STAMP_FILE), { bigint: true });
      const lease = await acquired(dir);
      await lease.release({ kind: "unchanged" });
      const after = statSync(join(dir, STAMP_FILE), { bigint: true });
      expect([after.mtimeNs, after.ino, after.mode, after.nlink]).toEqual([
        before.mtimeNs,
        before.ino,
        before.mode,
        1n,
      ]);
      expect(readFileSync(join(dir, STAMP_FILE), "utf8")).toBe(body);
    },
  );

  it("keeps its time without hard links, in memd's own form", async () => {
    const dir = scratch();
    put(join(dir, STAMP_FILE), "77", prior);
    const files: Files = {
      ...nodeFiles,
      link: () => {
        throw Object.assign(new Error("no links here"), { code: "ENOTSUP" });
      },
    };
    await (await acquired(dir, world({ files }))).release({ kind: "unchanged" });
    expect(stampFile(dir)).toEqual({ body: `\n${prior}`, mtime: prior });
  });

  it("is written once: a second release does nothing", async () => {
    const dir = scratch();
    const lease = await acquired(dir);
    await lease.release({ kind: "success", stamp: prior });
    expect(await lease.release({ kind: "failed" })).toBe(prior);
    expect(() => lease.assertHeld()).toThrow(/lost the lock/);
  });
});

describe("a run that was killed", () => {
  const prior = Date.UTC(2026, 5, 1);

  it("is rolled back at the next scan: stamp as before, record and lock gone", async () => {
    const dir = scratch();
    put(join(dir, STAMP_FILE), "77", prior);
    await killed(dir);
    expect(readStamp(world(), dir, Date.now()).stamp).toBeGreaterThan(prior);
    expect(lockState(world(), dir)).toMatchObject({ state: "stale", pid: DEAD });
    expect(await recoverLease(world(), dir)).toBe(true);
    expect(stampFile(dir)).toEqual({ body: "77", mtime: prior });
    expect(readdirSync(join(dir, ".memd"))).toEqual([".gitignore"]);
    expect(await recoverLease(world(), dir)).toBe(false);
  });

  it("does not keep the next dream waiting until the lock is stale", async () => {
    const dir = scratch();
    put(join(dir, STAMP_FILE), "", prior);
    await killed(dir);
    const lease = await acquired(dir);
    expect(lease.priorStamp).toBe(prior);
    await lease.release({ kind: "unchanged" });
    expect(stampFile(dir)).toEqual({ body: "", mtime: prior });
  });

  it.each([
    ["another process has its pid now", { start: () => "200" }],
    ["the machine was started anew since", { self: { pid: SELF, start: "100", boot: "boot-2" } }],
  ])("is known to be dead although %s", async (_, overrides) => {
    const dir = scratch();
    await killed(dir, LIVE);
    expect(await recoverLease(world({ processes: processes(overrides) }), dir)).toBe(true);
    expect(stampFile(dir)).toBeNull();
  });

  it("is not rolled back where it had written its success", async () => {
    const dir = scratch();
    await killed(dir);
    put(join(dir, STAMP_FILE), `\n${prior}`, prior);
    await recoverLease(world(), dir);
    expect(stampFile(dir)).toEqual({ body: `\n${prior}`, mtime: prior });
  });

  it("on another machine counts as alive for an hour", async () => {
    const dir = scratch();
    await killed(dir);
    const later = { now: () => Date.now() + HOUR, monotonic: () => 0 };
    const here = world({ machineId: "machine-2" });
    expect(await acquireLease(here, dir, RUN)).toMatchObject({ state: "held", by: { otherMachine: true } });
    expect(await recoverLease({ ...here, clock: later }, dir)).toBe(true);
    expect(stampFile(dir)).toBeNull();
  });
});

describe("the lock heals without a human", () => {
  const old = Date.now() - 2 * 24 * HOUR;
  const future = Date.now() + 30 * 24 * HOUR;
  const setups: [string, (own: string, dir: string) => void][] = [
    ["an empty record", (own) => writeFileSync(join(own, "lease.json"), "")],
    ["a garbage record", (own) => writeFileSync(join(own, "lease.json"), "\0{]")],
    ["a record of the wrong shape", (own) => writeFileSync(join(own, "lease.json"), '{"token":"../../x","pid":1}')],
    ["a huge record", (own) => writeFileSync(join(own, "lease.json"), "x".repeat(1_000_000))],
    ["a folder in the record's place", (own) => mkdirSync(join(own, "lease.json/full"), { recursive: true })],
    ["a link in the record's place", (own) => symlinkSync("/etc/passwd", join(own, "lease.json"))],
    ["a plain file in the lock's place", (own) => writeFileSync(join(own, "lease.lock"), "x")],
    ["an old plain file in the lock's place", (own) => put(join(own, "lease.lock"), "x", old)],
    ["a dangling link in the lock's place", (own) => symlinkSync("/nowhere", join(own, "lease.lock"))],
    [
      "an old lock that is not empty",
      (own) => {
        mkdirSync(join(own, "lease.lock/deep/er"), { recursive: true });
        writeFileSync(join(own, "lease.lock/deep/er/child"), "");
        utimesSync(join(own, "lease.lock"), new Date(old), new Date(old));
      },
    ],
    [
      "a lock from the future",
      (own) => {
        mkdirSync(join(own, "lease.lock"));
        utimesSync(join(own, "lease.lock"), new Date(future), new Date(future));
      },
    ],
    ["a stamp from the future", (_, dir) => put(join(dir, STAMP_FILE), "", future)],
    ["a held stamp from the future", (_, dir) => put(join(dir, STAMP_FILE), `${LIVE}\n${future}`, future)],
    ["a zero-byte stamp", (_, dir) => writeFileSync(join(dir, STAMP_FILE), "")],
    ["a garbage stamp", (_, dir) => writeFileSync(join(dir, STAMP_FILE), "not a pid\n\0\0")],
    ["a folder in the stamp's place", (_, dir) => mkdirSync(join(dir, STAMP_FILE, "full"), { recursive: true })],
    ["a link in the stamp's place", (_, dir) => symlinkSync("/etc/passwd", join(dir, STAMP_FILE))],
    ["a file of another lock library", (_, dir) => put(join(dir, `${STAMP_FILE}.lock`), "x", old)],
  ];

  it.each(setups)("%s", async (_, setup) => {
    const dir = scratch();
    mkdirSync(join(dir, ".memd"));
    setup(join(dir, ".memd"), dir);
    const lease = await acquired(dir);
    lease.assertHeld();
    expect(await lease.release({ kind: "success", stamp: old })).toBe(old);
    const again = await acquired(dir);
    await again.release({ kind: "failed" });
    expect(stampFile(dir)).toEqual({ body: `\n${old}`, mtime: old });
  });

  it("a stamp from the future is gone after a run that found nothing new", async () => {
    const dir = scratch();
    put(join(dir, STAMP_FILE), "", future);
    const lease = await acquired(dir);
    expect(lease.priorStamp).toBe(0);
    expect(await lease.release({ kind: "unchanged" })).toBe(0);
  });

  it("a fresh lock without a record is being taken by someone: held until it is stale", async () => {
    const dir = scratch();
    mkdirSync(join(dir, ".memd/lease.lock"), { recursive: true });
    expect(await acquireLease(world(), dir, RUN)).toMatchObject({ state: "held", by: { program: "unknown" } });
    const later = { now: () => Date.now() + 120_000, monotonic: () => 0 };
    expect(lockState(world({ clock: later }), dir)).toMatchObject({ state: "stale" });
  });
});

describe("a lease that was lost", () => {
  it("is noticed before a commit and writes nothing more", async () => {
    const dir = scratch();
    put(join(dir, STAMP_FILE), "", 1_700_000_000_000);
    const first = await acquired(dir);
    const silent = { now: () => Date.now() + 120_000, monotonic: () => 0 };
    const second = await acquired(dir, world({ clock: silent }));
    expect(second.priorStamp).toBe(1_700_000_000_000);
    const held = stampFile(dir);
    expect(() => first.assertHeld()).toThrow(expect.objectContaining({ code: "lease-lost", family: "unavailable" }));
    expect(first.signal.aborted).toBe(true);
    await first.release({ kind: "success", stamp: 5 });
    expect(stampFile(dir)).toEqual(held);
    second.assertHeld();
    expect(await second.release({ kind: "unchanged" })).toBe(1_700_000_000_000);
  });

  it.each([0, 1_700_000_000_000])(
    "gives its stamp back when everything else of the lock was deleted: %i",
    async (prior) => {
      const dir = scratch();
      if (prior > 0) put(join(dir, STAMP_FILE), "", prior);
      const before = stampFile(dir)?.mtime ?? null;
      const lease = await acquired(dir);
      rmSync(join(dir, ".memd"), { recursive: true });
      expect(() => lease.assertHeld()).toThrow(/lost the lock/);
      expect(await lease.release({ kind: "success", stamp: 5 })).toBe(prior);
      expect(stampFile(dir)?.mtime ?? null).toBe(before);
    },
  );

  it("is healed at the next scan when only the lock directory was deleted", async () => {
    const dir = scratch();
    const lease = await acquired(dir);
    nodeFiles.unlink(join(dir, ".memd/lease.lock", lease.token));
    nodeFiles.rmdir(join(dir, ".memd/lease.lock"));
    expect(() => lease.assertHeld()).toThrow(/lost the lock/);
    await lease.release({ kind: "success", stamp: 5 });
    expect(await recoverLease(world(), dir)).toBe(true);
    expect(stampFile(dir)).toBeNull();
  });
});

describe("a memory directory that cannot be used", () => {
  it("is refused before anything else when it is a file", async () => {
    const path = join(scratch(), "memory");
    writeFileSync(path, "");
    await expect(acquireLease(world(), path, RUN)).rejects.toMatchObject({
      family: "misconfigured",
      code: "not-a-folder",
    });
  });

  it("is refused when memd's own folder is a link to elsewhere", async () => {
    const [dir, elsewhere] = [scratch(), scratch()];
    symlinkSync(elsewhere, join(dir, ".memd"));
    await expect(acquireLease(world(), dir, RUN)).rejects.toMatchObject({ family: "misconfigured" });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it.each(["mkdir", "create"] as const)("is refused when it is not writable (%s)", async (verb) => {
    const dir = scratch();
    const files: Files = {
      ...nodeFiles,
      [verb]: () => {
        throw Object.assign(new Error("permission denied"), { code: "EACCES" });
      },
    };
    await expect(acquireLease(world({ files }), dir, RUN)).rejects.toMatchObject({
      family: "misconfigured",
      code: "no-permission",
    });
    expect(stampFile(dir)).toBeNull();
  });

  it.runIf(process.getuid?.() !== 0)("is refused when its mode forbids writing", async () => {
    const dir = scratch();
    chmodSync(dir, 0o500);
    await expect(acquireLease(world(), dir, RUN)).rejects.toMatchObject({ family: "misconfigured" });
    chmodSync(dir, 0o700);
  });
});
