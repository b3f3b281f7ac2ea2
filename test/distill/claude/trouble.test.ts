/** What becomes of a Claude Code that fails, lies, floods, hangs or spends too much. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nodeFiles } from "../../../src/base/files.ts";
import { claudeCommand, claudeEnv } from "../../../src/distill/claude/command.ts";
import { findClaude } from "../../../src/distill/claude/find.ts";
import { isGone } from "../world.ts";
import { type ClaudeWorld, makeClaudeWorld, settingsFor } from "./world.ts";

let world: ClaudeWorld;
beforeEach(() => {
  world = makeClaudeWorld();
});
afterEach(() => world.remove());

const NONE = { requests: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, costUsd: 0 };
const RESET = 1_796_100_000_000;

describe("a run of Claude Code that gives no proposal", () => {
  it.each([
    ["an answer in words", "rejected", "unreadable-proposal"],
    ["no list", "rejected", "unreadable-proposal"],
    ["no object", "rejected", "unreadable-proposal"],
    ["garbage after a good start", "rejected", "child-protocol"],
    ["a number", "rejected", "child-protocol"],
    ["a line without end", "rejected", "child-protocol"],
    ["a flood of stderr", "rejected", "child-protocol"],
    ["too many turns", "rejected", "too-many-turns"],
    ["a long prompt", "rejected", "too-long"],
    ["a refusal", "rejected", "refusal"],
    ["too much money", "over-budget", "run-budget-spent"],
    ["not signed in", "misconfigured", "not-signed-in"],
    ["a refused token", "misconfigured", "not-signed-in"],
    ["no credit", "misconfigured", "no-credit"],
    ["an unknown model", "misconfigured", "unknown-model"],
    ["an old version", "misconfigured", "claude-too-old"],
    ["a rate limit", "unavailable", "rate-limited"],
    ["overload", "unavailable", "overloaded"],
    ["no network", "unavailable", "network"],
    ["an unheard failure", "unavailable", "claude-failed"],
    ["nothing at all", "unavailable", "child-died"],
    ["dies while it asks", "unavailable", "child-died"],
  ])("by %s ends as %s: %s", async (mode, family, code) => {
    const { error, distilled, pid } = await world.run(mode);
    expect([error?.family, error?.code, distilled]).toEqual([family, code, null]);
    expect(error?.hint).not.toBe("");
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), 10_000);
  });

  it("says when the plan's limit is whole again", async () => {
    const { error } = await world.run("a usage limit");
    expect([error?.code, error?.retryAt]).toEqual(["rate-limited", RESET]);
    expect(error?.message).toContain("You've hit your limit");
  });

  it("names the key where it was memd that handed one on, and quotes it nowhere", async () => {
    const secret = "sk-ant-0123456789-abcdef";
    const env = { ...settingsFor({ program: "", home: world.root }).env, ANTHROPIC_API_KEY: secret };
    const { error, progress } = await world.run("says what it was given", { settings: { env, secret } });
    expect(error?.code).toBe("bad-key");
    expect(JSON.stringify([error?.message, error?.hint, progress])).not.toContain(secret);
  });

  it("says that there is none where none is", async () => {
    const { error } = await world.run("good", { settings: { program: join(world.root, "gone") } });
    expect([error?.family, error?.code]).toEqual(["misconfigured", "no-claude"]);
    expect(findClaude(nodeFiles, { PATH: `relative::${world.root}` }, null)).toBe(join(world.root, "claude"));
    expect(findClaude(nodeFiles, { PATH: "/nowhere:." }, null)).toBeNull();
    expect(findClaude(nodeFiles, { PATH: world.root }, join(world.root, "answer.json"))).toBeNull();
  });
});

describe("a Claude Code that does not end", () => {
  it("is gone when it is interrupted, and what it may have sent counts in full", async () => {
    const abort = new AbortController();
    const reason = new Error("stopped by SIGTERM");
    const { error, pid, reserved, spent } = await world.run("hang", {
      job: { signal: abort.signal, progress: (text) => text.includes("works with") && abort.abort(reason) },
    });
    expect([error?.family, error?.code, error?.cause]).toEqual([
      "interrupted",
      "interrupted",
      expect.objectContaining({ message: reason.message }),
    ]);
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), 10_000);
    expect([reserved.length, spent]).toEqual([2, [NONE]]);
  });

  it("is not started by who was interrupted before", async () => {
    const { error, pid, reserved, spent } = await world.run("good", { job: { signal: AbortSignal.abort() } });
    expect([error?.family, pid, reserved.length - spent.length]).toEqual(["interrupted", 0, 0]);
  });

  it("is ended at the wall time that the caps leave, by the cap's name", async () => {
    const { error, pid } = await world.run("hang", { wallMs: 300 });
    expect([error?.family, error?.code]).toEqual(["over-budget", "day-budget-spent"]);
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), 10_000);
  });

  it("is ended when it says nothing for longer than any request may take", async () => {
    const { error, pid } = await world.run("hang", { settings: { silentMs: 300 } });
    expect([error?.family, error?.code]).toEqual(["unavailable", "child-timeout"]);
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), 10_000);
  });

  it("is heard when it stays after its last word, and nothing counts after that", async () => {
    world.answer({ operations: [] });
    const stays = await world.run("stays after its last word");
    expect(stays.error).toBeNull();
    await vi.waitFor(() => expect(isGone(stays.pid)).toBe(true), 10_000);
    rerun();
    const twice = await world.run("a last word twice");
    expect(twice.distilled?.usage.costUsd).toBe(0.005);
    expect(twice.distilled?.proposal).toEqual({ operations: [] });
  });

  it("is not taken for lost when its group is stopped and goes on, as with the machine", async () => {
    let group = 0;
    const { error } = await world.run("goes on when it is told", {
      started: (pid) => {
        group = pid;
      },
      job: {
        progress: (text) => {
          if (!text.includes("works with")) return;
          void vi.waitFor(() => {
            for (let times = 0; times < 50; times++)
              for (const signal of ["SIGSTOP", "SIGCONT"]) process.kill(-group, signal);
            writeFileSync(join(world.root, "go"), "");
          });
        },
      },
    });
    expect(error).toBeNull();
  });

  it("does not outlive a memd that is killed", async () => {
    const settings = settingsFor({ program: world.program("hang"), home: world.root });
    const { file, args } = claudeCommand(settings, "6d656d64-1111-8222-8333-444444444444");
    const [cmd, env] = [JSON.stringify([file, args]), JSON.stringify(claudeEnv(settings, world.root))];
    nodeFiles.scratch(join(world.root, "task.txt"), "task", 0o600);
    const code = `const [f,a]=${cmd};const c=require("node:child_process").spawn(f,a,{cwd:${JSON.stringify(world.root)},env:${env},detached:true,stdio:["ignore","pipe","pipe","pipe"]});
      c.stdio[3].once("data",()=>process.stdout.write(String(c.pid)));`;
    const memd = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
    const [told] = await once(memd.stdout, "data");
    const pid = Number(String(told));
    expect(isGone(pid)).toBe(false);
    memd.kill("SIGKILL");
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), 10_000);
    expect(JSON.parse(readFileSync(join(world.root, "seen.json"), "utf8")).stdin).toBe("task");
  });
});

describe("what Claude Code spends", () => {
  it("is reserved one request ahead, and given back what was not needed", async () => {
    const { reserved, spent, distilled } = await world.run("three requests", {
      settings: { model: "claude-sonnet-5-5" },
    });
    expect(reserved).toHaveLength(4);
    expect(reserved.every(({ costUsd, outputTokens }) => costUsd > 0.08 && outputTokens === 8_000)).toBe(true);
    // The fourth is given back; what Claude Code knows better than memd's prices comes on top.
    expect(spent.map(({ requests }) => requests)).toEqual([1, 1, 1, 0, 0]);
    expect(distilled?.usage).toEqual({
      requests: 3,
      inputTokens: 3_000,
      cachedTokens: 0,
      outputTokens: 150,
      costUsd: 0.015,
    });
    expect(total(spent)).toEqual(distilled?.usage);
  });

  it("is nothing when not even two requests fit under the caps: it is not started", async () => {
    for (const grants of [0, 1]) {
      const { error, pid, reserved, spent } = await world.run("good", { grants });
      expect([error?.family, pid, reserved.length - spent.length, total(spent)]).toEqual(["over-budget", 0, 0, NONE]);
      rerun();
    }
  });

  it("ends at the cap, also when it would never end by itself", async () => {
    const { error, pid, reserved, spent } = await world.run("no end of requests", { grants: 5 });
    expect([error?.family, error?.code, reserved.length]).toEqual(["over-budget", "over-budget", 5]);
    expect(total(spent).requests).toBe(5);
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), 10_000);
  });

  it("is enough when the last request that fitted was the last", async () => {
    expect((await world.run("three requests", { grants: 3 })).error).toBeNull();
  });

  it("counts every attempt at a request", async () => {
    const { spent, error } = await world.run("a request that fails twice");
    expect(error).toBeNull();
    expect(total(spent).requests).toBe(3);
  });

  it("counts in full for a request that nobody saw the end of", async () => {
    const { reserved, spent } = await world.run("dies while it asks");
    expect([reserved.length, spent]).toEqual([2, [NONE]]);
  });

  it("is what Claude Code says itself where the price is not known", async () => {
    const { distilled, reserved } = await world.run("three requests", { settings: { model: "house-model" } });
    expect(reserved.map(({ costUsd }) => costUsd)).toEqual([0, 0, 0, 0]);
    expect(distilled?.usage.costUsd).toBe(0.015);
  });

  it("leaves the share of the plan that is kept for the user's own work, between two requests", async () => {
    const { error } = await world.run("a nearly used plan");
    expect([error?.code, error?.family, error?.retryAt]).toEqual(["rate-share", "unavailable", RESET]);
    rerun();
    expect((await world.run("a nearly used plan at the end")).error).toBeNull();
    rerun();
    expect((await world.run("a nearly used plan", { settings: { keepRatePercent: 0 } })).error).toBeNull();
  });

  it("is not made of figures that cannot be", async () => {
    const { distilled, progress } = await world.run("tells hostile figures");
    expect(distilled?.usage).toEqual({ ...NONE, requests: 1 });
    expect(progress.join("\n")).not.toContain("\u0007");
  });
});

function total(spent: readonly (typeof NONE)[]): typeof NONE {
  const keys = Object.keys(NONE) as (keyof typeof NONE)[];
  return Object.fromEntries(
    keys.map((key) => [key, Number(spent.reduce((sum, one) => sum + one[key], 0).toFixed(9))]),
  ) as typeof NONE;
}

/** A folder for another brief. */
function rerun(): void {
  world.remove();
  world = makeClaudeWorld();
}
