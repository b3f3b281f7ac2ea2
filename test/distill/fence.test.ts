import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fencedCommand } from "../../src/distill/fence.ts";
import { makeWorld, RUNTIME, type World } from "./world.ts";

const WALLS = { readable: ["/brief"], heapMb: 64, dataMb: 2_048, cpuSeconds: 10, network: false };
/** How Node, and how the start of the child, says no. `MISSING`: the way in does not exist in this Node. */
const NO = /^(ERR_ACCESS_DENIED|ERR_DLOPEN_DISABLED|MISSING|EvalError)$/;

let world: World;
let tmp: string;
beforeEach(() => {
  world = makeWorld();
  tmp = mkdtempSync(join(tmpdir(), "memd-target-"));
});
afterEach(() => {
  world.remove();
  rmSync(tmp, { recursive: true, force: true });
});

describe("from inside the fence", () => {
  it("a child reads nothing of the user, writes nothing, starts nothing and loads nothing", async () => {
    const addon = createRequire(import.meta.url).resolve("better-sqlite3/build/Release/better_sqlite3.node");
    const before = world.snapshot();
    const told = await world.run("escape", {
      secret: join(world.root, "secret.txt"),
      sibling: join(world.root, "brief-of-another", "brief.json"),
      database: join(world.root, "secret.txt"),
      tmp,
      addon,
    });
    expect(told.error).toBeNull();
    const attempts = told.progress.filter((line) => line.includes(" = ")).map((line) => line.split(" = "));
    expect(attempts.length).toBeGreaterThan(50);
    expect(attempts.filter(([, result]) => result !== "harmless" && !NO.test(result ?? ""))).toEqual([]);
    const after = world.snapshot();
    expect(Object.keys(after)).toEqual([...Object.keys(before), "brief", "brief/brief.json"].sort());
    expect(readdirSync(tmp)).toEqual([]);
  });

  it("a child sees none of our environment", async () => {
    vi.stubEnv("MEMD_TEST_SECRET", "private");
    const told = await world.run("show-env", null, { env: { TZ: "UTC" } });
    vi.unstubAllEnvs();
    const names = told.progress.filter(
      (name) => !["PWD", "OLDPWD", "SHLVL", "_", "__CF_USER_TEXT_ENCODING"].includes(name),
    );
    expect(names).toEqual(["TZ"]);
  });

  it.runIf(process.platform === "linux")(
    "a child holds no file or socket but the three streams and the channel",
    async () => {
      const abort = new AbortController();
      let pid = 0;
      let open: string[][] = [];
      const look = () => {
        const folder = `/proc/${pid}/fd`;
        open = readdirSync(folder)
          .sort((a, b) => Number(a) - Number(b))
          .map((fd) => [fd, readlinkSync(join(folder, fd)).replace(/:\[\d+\]$/, "")]);
        abort.abort();
      };
      const told = await world.run("misbehave", "chatter without end", {
        started: (own) => (pid = own),
        job: { signal: abort.signal, progress: look },
      });
      expect(told.error?.code).toBe("interrupted");
      expect(open.slice(0, 4)).toEqual([
        ["0", "/dev/null"],
        ["1", "socket"],
        ["2", "socket"],
        ["3", "socket"],
      ]);
      // Node's own: event loop, wake-up, and signals.
      expect(open.slice(4).filter(([, to]) => !/^(anon_inode|pipe$|\/dev\/null$)/.test(to ?? ""))).toEqual([]);
    },
  );
});

describe("the fence", () => {
  it.each([
    ["a Node without a permission model", { ...RUNTIME, flags: new Set<string>() }, WALLS, "no-fence"],
    ["a path with a wildcard in it", RUNTIME, { ...WALLS, readable: ["/home/*/brief"] }, "bad-path"],
    ["a path that is relative", RUNTIME, { ...WALLS, readable: ["brief"] }, "bad-path"],
  ])("is not put up around %s", (_, runtime, walls, code) => {
    expect(() => fencedCommand(runtime, walls, ["/x.js"])).toThrow(
      expect.objectContaining({ code, family: "misconfigured" }),
    );
  });

  it.each([
    [true, ["--allow-net"]],
    [false, []],
  ])("grants the network only to a child that asks somebody (%s), where the Node can refuse it", (network, granted) => {
    const runtime = { ...RUNTIME, flags: new Set(["--permission", "--allow-net"]) };
    const { args } = fencedCommand(runtime, { ...WALLS, network }, ["/x.js"]);
    expect(args.filter((arg) => arg === "--allow-net")).toEqual(granted);
  });

  it("grants exactly the paths that were named", () => {
    const { args } = fencedCommand(RUNTIME, { ...WALLS, readable: ["/a, b", "/c"] }, ["/x.js", "extractive"]);
    expect(args.filter((arg) => arg.startsWith("--allow"))).toEqual(["--allow-fs-read=/a, b", "--allow-fs-read=/c"]);
    expect(args.slice(-2)).toEqual(["/x.js", "extractive"]);
  });
});
