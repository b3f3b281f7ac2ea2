import { describe, expect, it } from "vitest";
import { classify, EXIT, MemdError } from "../../src/base/errors.ts";

const thrown = (code: string) => Object.assign(new Error(`${code}: said by the system`), { code });

describe("an error of the system", () => {
  it.each([
    ["ENOSPC", "disk-full", 5],
    ["EIO", "io-error", 5],
    ["EBUSY", "io-error", 5],
    ["ESTALE", "io-error", 5],
    ["ETIMEDOUT", "io-error", 5],
    ["ENOMEM", "out-of-memory", 5],
    ["EMFILE", "too-many-files", 5],
    ["EACCES", "no-permission", 78],
    ["EROFS", "read-only", 78],
    ["ENOENT", "vanished", 5],
    ["ENOTDIR", "vanished", 5],
    ["EWHATEVER", "bug", 1],
  ])("%s is told as %s and ends with %i", (system, code, exit) => {
    const error = classify(thrown(system), "write /a");
    expect({ code: error.code, exit: EXIT[error.family] }).toEqual({ code, exit });
    expect(error.message).toContain("write /a");
    expect(error.hint).not.toBe("");
  });

  it("that memd has named already stays as it is", () => {
    const named = new MemdError({ code: "x", family: "rejected", message: "m", hint: "h" });
    expect(classify(named, "write /a")).toBe(named);
  });
});
