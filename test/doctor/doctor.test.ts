import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DAY, photograph, START } from "../support/home.ts";
import { describeWithSqlite } from "../support/sqlite.ts";
import { type Clinic, makeClinic, repairedOf, wrongOf } from "./clinic.ts";

let clinic: Clinic;
beforeEach(async () => {
  clinic = await makeClinic();
});
afterEach(() => clinic.remove());

const memory = (...parts: string[]) => join(clinic.memory, ...parts);
const own = (...parts: string[]) => memory(".memd", ...parts);
const state = (...parts: string[]) => join(clinic.state, ...parts);
const age = (path: string, ms: number) => utimesSync(path, new Date(START - ms), new Date(START - ms));
const topic = () => readdirSync(clinic.memory).find((name) => name.endsWith(".md") && name !== "MEMORY.md") ?? "";
const addToIndex = (line: string) => writeFileSync(memory("MEMORY.md"), `${clinic.read("MEMORY.md")}${line}\n`);

/** All files of the memory and the state, but for what SQLite lays beside a database to share it. */
const everything = () =>
  Object.fromEntries(
    Object.entries({ ...photograph(clinic.memory), ...photograph(clinic.stateRoot) }).filter(
      ([name]) => !/^ledger\.db-(shm|wal)$/.test(name),
    ),
  );

const HOLDER = {
  token: "0".repeat(32),
  pid: 999_999_999,
  processStart: null,
  bootId: null,
  machineId: "0123456789abcdef",
  priorStamp: 0,
  since: START - DAY,
  run: "r",
};

function leaveLock(holder: Partial<typeof HOLDER> = {}): void {
  writeFileSync(own("lease.json"), JSON.stringify({ ...HOLDER, ...holder }));
}

/** What is broken, how, the code that says so, and whether `--repair` mends it. */
const TROUBLES: readonly [string, string, boolean, () => void][] = [
  [
    "a stamp of garbage",
    "stamp-garbage",
    true,
    () => {
      writeFileSync(memory(".consolidate-lock"), "not a pid\n\0\0");
      age(memory(".consolidate-lock"), DAY);
    },
  ],
  [
    "a stamp a month ahead",
    "stamp-in-future",
    true,
    () => writeFileSync(memory(".consolidate-lock"), `\n${START + 30 * DAY}`),
  ],
  [
    "an empty stamp with a time ahead",
    "stamp-in-future",
    true,
    () => {
      writeFileSync(memory(".consolidate-lock"), "");
      age(memory(".consolidate-lock"), -30 * DAY);
    },
  ],
  [
    "a folder where the stamp should be",
    "stamp-not-a-file",
    true,
    () => {
      rmSync(memory(".consolidate-lock"), { force: true });
      mkdirSync(memory(".consolidate-lock", "child"), { recursive: true });
    },
  ],
  ["the record of a holder that died", "stale-lock", true, () => leaveLock()],
  [
    "the record of another machine, two hours old",
    "stale-lock",
    true,
    () => leaveLock({ machineId: "fedcba9876543210", since: START - 7_200_000 }),
  ],
  ["a plain file where the lock's folder should be", "stale-lock", true, () => writeFileSync(own("lease.lock"), "x")],
  [
    "a lock's folder with a child in it, and its holder gone",
    "stale-lock",
    true,
    () => {
      mkdirSync(own("lease.lock"));
      writeFileSync(own("lease.lock", HOLDER.token), "");
      leaveLock();
    },
  ],
  [
    "the lock of a library at its default place",
    "stray-lock",
    false,
    () => writeFileSync(memory(".consolidate-lock.lock"), "x"),
  ],
  [
    "a journal that was begun",
    "journal-left",
    true,
    () => mkdirSync(own("journal", "0123456789abcdef"), { recursive: true }),
  ],
  [
    "a journal that cannot be read",
    "journal-damaged",
    true,
    () => {
      mkdirSync(own("journal", "0123456789abcdef"), { recursive: true });
      writeFileSync(own("journal", "0123456789abcdef", "manifest.json"), "{");
    },
  ],
  [
    "another machine's journal",
    "foreign-journal",
    false,
    () => mkdirSync(own("journal", "fedcba9876543210"), { recursive: true }),
  ],
  [
    "this machine's temp file in the memory",
    "temp-files",
    true,
    () => writeFileSync(memory(".memd-tmp-0123456789abcdef-r-x.md"), "x"),
  ],
  [
    "an old temp file in the state",
    "temp-files",
    true,
    () => {
      writeFileSync(state(".memd-tmp-x-state.json"), "x");
      age(state(".memd-tmp-x-state.json"), DAY);
    },
  ],
  [
    "an old temp file beside the ledger",
    "temp-files",
    true,
    () => {
      writeFileSync(join(clinic.stateRoot, ".memd-tmp-x"), "x");
      age(join(clinic.stateRoot, ".memd-tmp-x"), DAY);
    },
  ],
  ["a state directory that others can read", "state-not-private", true, () => chmodSync(clinic.stateRoot, 0o755)],
  ["quotes that others can read", "memd-folder-not-private", true, () => chmodSync(own(), 0o755)],
  ["quotes that a commit would take along", "memd-folder-not-ignored", true, () => rmSync(own(".gitignore"))],
  [
    "a ledger of garbage",
    "ledger-damaged",
    true,
    () => {
      for (const name of readdirSync(clinic.stateRoot).filter((file) => file.startsWith("ledger.db-")))
        rmSync(join(clinic.stateRoot, name));
      writeFileSync(join(clinic.stateRoot, "ledger.db"), "no database at all, but long enough to be one ".repeat(40));
    },
  ],
  ["tombstones that cannot be read", "state-file-damaged", false, () => writeFileSync(state("tombstones.json"), "{")],
  [
    "cursors of another version",
    "state-file-damaged",
    false,
    () => writeFileSync(state("cursors.json"), '{"schema":99}'),
  ],
  [
    "a folder where the store's state should be",
    "state-file-damaged",
    false,
    () => {
      rmSync(state("state.json"));
      mkdirSync(state("state.json"));
    },
  ],
  ["a pointer to a file that is gone", "index-dead-pointer", true, () => addToIndex("- [Gone](gone.md) — nowhere")],
  ["two pointers to one file", "index-double-pointer", true, () => addToIndex(`- [Again](${topic()}) — once more`)],
  [
    "a topic without a pointer",
    "index-orphans",
    true,
    () =>
      clinic.topic(
        "harbour.md",
        "---\nname: harbour\ndescription: Read before sailing\ntype: project\n---\n\n- The harbour master is Ines.\n",
      ),
  ],
  ["no index at all", "index-missing", true, () => rmSync(memory("MEMORY.md"))],
  [
    "an index that is a link",
    "index-locked",
    false,
    () => {
      renameSync(memory("MEMORY.md"), join(clinic.root, "index.md"));
      symlinkSync(join(clinic.root, "index.md"), memory("MEMORY.md"));
    },
  ],
  [
    "front matter with an unquoted colon",
    "topic-problem",
    false,
    () => writeFileSync(memory(topic()), clinic.read(topic()).replace(/description: .*/, "description: when: now")),
  ],
  [
    "code for front matter",
    "topic-locked",
    false,
    () => clinic.topic("evil.md", "---js\nmodule.exports = {}\n---\n\n- x\n"),
  ],
  ["an empty file", "topic-locked", false, () => clinic.topic("empty.md", "")],
  [
    "names that are one on a Mac",
    "names-collide",
    false,
    () => {
      clinic.topic("Plan.md", "---\nname: plan\n---\n\n- The plan stands.\n");
      clinic.topic("plan.md", "---\nname: plan\n---\n\n- The plan stands too.\n");
    },
  ],
  [
    "a copy that a sync left",
    "conflict-copies",
    false,
    () => clinic.topic(`${topic().slice(0, -3)}.sync-conflict-20261101-120000.md`, "- x\n"),
  ],
  ["a topic that is a link", "not-a-file", false, () => symlinkSync("/etc/passwd", memory("link.md"))],
  ["a topic that is write-protected", "file-not-writable", false, () => chmodSync(memory(topic()), 0o444)],
  [
    "evidence with a broken line",
    "evidence-damaged",
    false,
    () => writeFileSync(own("evidence.jsonl"), `${readFileSync(own("evidence.jsonl"), "utf8")}{"run":\n`),
  ],
  ["no evidence any more", "evidence-missing", false, () => rmSync(own("evidence.jsonl"))],
  [
    "a folder where memd's own should be a folder: a file",
    "not-a-folder",
    false,
    () => {
      rmSync(own(), { recursive: true });
      writeFileSync(own(), "x");
    },
  ],
  ["sessions that moved away", "no-such-folder", false, () => renameSync(clinic.sessions, `${clinic.sessions}-moved`)],
  ["a run that ended in the future", "clock-went-back", false, () => clinic.clock.move(-3 * DAY)],
  ["transcripts kept for a week", "transcripts-expire-early", false, () => settings({ cleanupPeriodDays: 7 })],
  ["transcripts not kept at all", "transcripts-not-kept", false, () => settings({ cleanupPeriodDays: 0 })],
  [
    "settings of Claude Code that cannot be read",
    "settings-unreadable",
    false,
    () => {
      settings({});
      writeFileSync(join(clinic.root, ".claude", "settings.json"), "{,}");
    },
  ],
  [
    "a configuration with mistakes",
    "bad-config",
    false,
    () => {
      mkdirSync(join(clinic.root, ".config", "memd"), { recursive: true });
      writeFileSync(join(clinic.root, ".config", "memd", "config.yaml"), "gates: {minHours: x}\n");
    },
  ],
];

function settings(value: unknown): void {
  mkdirSync(join(clinic.root, ".claude"), { recursive: true });
  writeFileSync(join(clinic.root, ".claude", "settings.json"), JSON.stringify(value));
}

describeWithSqlite("the doctor", () => {
  it("finds nothing wrong with a store that dreamt, and changes nothing", async () => {
    const before = everything();
    const findings = await clinic.visit();
    expect(findings.filter(({ ok, hint }) => !ok || hint !== null)).toEqual([]);
    expect(everything()).toEqual(before);
    await clinic.visit({ repair: true });
    expect(everything()).toEqual(before);
  });

  it.each(TROUBLES)("finds %s", async (_, code, mended, damage) => {
    damage();
    const before = everything();
    const found = await clinic.visit();
    expect(wrongOf(found)).toContain(code);
    for (const finding of found.filter(({ ok }) => !ok))
      expect(finding, finding.code).toMatchObject({ hint: expect.stringMatching(/\S/), repaired: false });
    expect(everything()).toEqual(before);
    const after = await clinic.visit({ repair: true });
    if (mended) {
      expect(repairedOf(after)).toContain(code);
      // What was put aside is left for a person to look at.
      const left = wrongOf(await clinic.visit()).filter(
        (other) => other !== "displaced-file" && other !== "journal-set-aside",
      );
      expect(left).toEqual(wrongOf(found).filter((other) => !repairedOf(after).includes(other)));
    } else {
      expect(wrongOf(after)).toContain(code);
      expect(repairedOf(after)).not.toContain(code);
    }
  });

  it("names the file in every finding about one", async () => {
    writeFileSync(memory(".consolidate-lock"), "garbage");
    leaveLock();
    writeFileSync(own("lease.lock"), "x");
    const texts = (await clinic.visit()).filter(({ ok }) => !ok).map(({ message }) => message);
    for (const path of [memory(".consolidate-lock"), own("lease.json"), own("lease.lock")])
      expect(texts.join("\n")).toContain(path);
  });

  it("leaves a lock alone that is held, here or on another machine", async () => {
    leaveLock({ machineId: "fedcba9876543210", since: START - 60_000 });
    // What a run has on the disk while it goes on.
    mkdirSync(own("journal", "0123456789abcdef"), { recursive: true });
    writeFileSync(memory(".memd-tmp-fedcba9876543210-r-x.md"), "x");
    addToIndex("- [Coming](coming.md) — soon");
    const found = await clinic.visit({ repair: true });
    expect(wrongOf(found)).toEqual([]);
    expect(found.find(({ code }) => code === "lock")).toMatchObject({
      ok: true,
      message: expect.stringContaining("another machine"),
    });
    expect(existsSync(own("lease.json"))).toBe(true);
  });

  it("mends the index as a run of its own that can be taken back, keeping the words of others in the archive", async () => {
    addToIndex("- [Gone](gone.md) — nowhere");
    clinic.clock.move(60_000);
    await clinic.visit({ repair: true });
    expect(clinic.read("MEMORY.md")).not.toContain("gone.md");
    const archived = readdirSync(own("archive"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".jsonl"),
    );
    expect(archived.map((name) => readFileSync(own("archive", name), "utf8")).join("")).toContain("gone.md");
    const world = clinic.world();
    try {
      const [last] = (await world.ledger()).history({ limit: 1 });
      expect(last).toMatchObject({
        cause: "doctor",
        outcome: "done",
        files: { created: [], updated: ["MEMORY.md"], archived: [] },
      });
    } finally {
      await world.close();
    }
  });

  it("does not move the stamp by looking or by mending", async () => {
    const before = statSync(memory(".consolidate-lock"), { bigint: true });
    addToIndex("- [Gone](gone.md) — nowhere");
    leaveLock();
    await clinic.visit({ repair: true });
    const after = statSync(memory(".consolidate-lock"), { bigint: true });
    expect([after.mtimeNs, after.size]).toEqual([before.mtimeNs, before.size]);
  });

  it("gives a lost ledger back what the files know", async () => {
    for (const name of readdirSync(clinic.stateRoot).filter((file) => file.startsWith("ledger.db")))
      writeFileSync(join(clinic.stateRoot, name), "x".repeat(5_000));
    await clinic.visit({ repair: true });
    const world = clinic.world();
    try {
      expect((await world.ledger()).history({ limit: 5 })).toHaveLength(1);
    } finally {
      await world.close();
    }
    expect(readdirSync(clinic.stateRoot).some((name) => name.includes("damaged"))).toBe(true);
  });

  it("makes nothing of entries that people edited", async () => {
    const name = topic();
    writeFileSync(memory(name), clinic.read(name).replace("- ", "- Rather "));
    const found = await clinic.visit();
    expect(wrongOf(found)).toEqual([]);
    expect(found.find(({ code }) => code === "evidence-partial")).toMatchObject({ ok: true, hint: expect.any(String) });
  });

  it("says what a machine lacks", async () => {
    const lacking = {
      nodeVersion: "18.20.4",
      nodeFlags: new Set<string>(),
      freeBytes: () => 1_000,
      may: () => false,
      childPath: "/nowhere/child.mjs",
    };
    expect(wrongOf(await clinic.visit({ host: lacking }))).toEqual([
      "disk-full",
      "distiller-missing",
      "no-permission",
      "node-too-old",
    ]);
    expect(wrongOf(await clinic.visit({ host: { nodeFlags: new Set<string>() } }))).toEqual(["no-fence"]);
    expect(wrongOf(await clinic.visit({ host: { nodeVersion: "22.13.0" } }))).toEqual([]);
  });

  it("says whether the kernel fences the distiller in, and what is missing where it must", async () => {
    const fence = (found: Awaited<ReturnType<Clinic["visit"]>>) =>
      found.find(({ code }) => code.endsWith("kernel-fence"));
    const env = { PATH: join(clinic.root, "no-programs"), MEMD_CONFIG: join(clinic.root, "fence.yaml") };
    const told: Record<string, unknown> = {};
    for (const mode of ["auto", "required", "off"]) {
      writeFileSync(env.MEMD_CONFIG, `dream: {fence: ${mode}}\n`, { mode: 0o600 });
      told[mode] = fence(await clinic.visit({ env }));
    }
    expect(told).toMatchObject({
      auto: { code: "no-kernel-fence", ok: true, hint: expect.stringContaining("bubblewrap") },
      required: { code: "no-kernel-fence", ok: false, hint: expect.stringContaining("bubblewrap") },
      off: { code: "kernel-fence", ok: true },
    });
  });

  it("says which variables count for nothing", async () => {
    expect(wrongOf(await clinic.visit({ env: { CLAUDE_CONFIG_DIR: "claude" } }))).toEqual(["variable-ignored"]);
    expect(wrongOf(await clinic.visit({ env: { MEMD_CONFIG: join(clinic.root, "nowhere.yaml") } }))).toEqual([
      "bad-config",
    ]);
  });

  it("says when memd would watch itself", async () => {
    const { store } = clinic;
    expect(wrongOf(await clinic.visit({ stores: [{ ...store, sessions: [clinic.root] }] }))).toEqual([
      "state-inside-sessions",
    ]);
    expect(
      wrongOf(await clinic.visit({ stores: [{ ...store, memory: clinic.root, sessions: [clinic.sessions] }] })),
    ).toContain("state-inside-memory");
    expect(wrongOf(await clinic.visit({ stores: [] }))).toEqual(["no-store"]);
    expect(
      wrongOf(await clinic.visit({ stores: [store, { ...store, name: "other", state: `${store.state}-2` }] })),
    ).toEqual(["store-twice"]);
  });

  it("warns of transcripts that go before their time only where that can hurt", async () => {
    settings({ cleanupPeriodDays: 25 });
    expect((await clinic.visit()).find(({ code }) => code === "retention")).toMatchObject({
      ok: true,
      hint: expect.stringContaining("cleanupPeriodDays"),
    });
    settings({ cleanupPeriodDays: 90 });
    expect((await clinic.visit()).find(({ code }) => code === "retention")).toMatchObject({ ok: true, hint: null });
  });
});

describeWithSqlite("the doctor of a store that never dreamt", () => {
  it("has nothing to say against it", async () => {
    const fresh = await makeClinic(false);
    expect(wrongOf(await fresh.visit())).toEqual([]);
    expect(existsSync(fresh.memory)).toBe(false);
    expect(existsSync(fresh.stateRoot)).toBe(false);
    fresh.remove();
  });
});
