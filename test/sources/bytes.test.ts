import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyLine } from "../../src/sources/claude-code/bytes.ts";
import { parseLine } from "../../src/sources/claude-code/record.ts";

const ID = "00000000-0000-4000-8000-000000000001";
const ABOVE = "00000000-0000-4000-8000-000000000002";
const classOf = (text: string) => classifyLine(Buffer.from(text));

/** The same record as another JSON writer would spell it. */
const spaced = (record: object) => JSON.stringify(record, null, 1).replaceAll("\n", "");

const attachment = (body: object, tail: object = {}) => ({
  parentUuid: ABOVE,
  isSidechain: false,
  attachment: body,
  type: "attachment",
  uuid: ID,
  ...tail,
});

describe("what a line is, told from its bytes,", () => {
  it.each([
    {
      what: "a prompt snapshot",
      record: attachment({ type: "prompt_snapshot", text: "always".repeat(9_000) }),
      is: { id: ID, parent: ABOVE },
    },
    {
      what: "an attachment with a long tail",
      record: attachment({ type: "date" }, { rendered: "y".repeat(9_000) }),
      is: { id: ID, parent: ABOVE },
    },
    {
      what: "the first attachment",
      record: { ...attachment({ type: "date" }), parentUuid: null },
      is: { id: ID, parent: null },
    },
    {
      what: "an attachment whose contents hold an id",
      record: attachment({ type: "x", inner: { uuid: "other" } }),
      is: { id: ID, parent: ABOVE },
    },
    { what: "a sub-agent's attachment", record: { ...attachment({ type: "date" }), isSidechain: true }, is: "skip" },
    { what: "a message typed meanwhile", record: attachment({ type: "queued_command", prompt: "go on" }), is: "parse" },
    { what: "a request's shape", record: { type: "api-request-shape", message: { role: "user" } }, is: "skip" },
    {
      what: "a user record that begins with its type",
      record: { type: "user", message: { content: "hello" } },
      is: "parse",
    },
    {
      what: "a user record",
      record: { parentUuid: ABOVE, isSidechain: false, promptId: "p", type: "user", uuid: ID },
      is: "parse",
    },
    {
      what: "an answer with its type far behind",
      record: {
        parentUuid: ABOVE,
        isSidechain: false,
        message: { role: "x", content: "z".repeat(70_000) },
        type: "assistant",
        uuid: ID,
      },
      is: "parse",
    },
  ])("$what is the same however it is spelt", ({ record, is }) => {
    expect(classOf(JSON.stringify(record))).toEqual(is);
    expect(classOf(spaced(record))).toEqual(is);
  });

  it("is parsed when a second record is glued on, whatever the first one was", () => {
    const second = JSON.stringify({
      parentUuid: ABOVE,
      isSidechain: false,
      type: "user",
      message: { content: "kept" },
      uuid: ID,
    });
    for (const first of [attachment({ type: "date" }), { type: "mode", mode: "x" }]) {
      const cut = JSON.stringify(first).slice(0, -4);
      expect(classOf(cut + second)).toBe("parse");
    }
  });

  it("never passes over a record of a person or an agent, in any order of its keys", () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant({ type: "text", uuid: "x" }));
    const keys = fc.dictionary(
      fc.constantFrom("parentUuid", "isSidechain", "cwd", "promptId", "attachment", "uuid", "a"),
      value,
    );
    fc.assert(
      fc.property(
        keys,
        fc.constantFrom("user", "assistant"),
        fc.boolean(),
        fc.boolean(),
        (more, type, first, isSpaced) => {
          const record = first ? { type, message: {}, ...more } : { ...more, message: {}, type };
          const text = isSpaced ? spaced(record) : JSON.stringify(record);
          const isAttachment = typeof more.attachment === "object" && more.attachment !== null;
          return isAttachment || classOf(text) === "parse";
        },
      ),
    );
  });
});

describe("a line that is parsed", () => {
  it.each([
    { what: "Chinese", text: "数据库迁移必须先在预发环境跑一遍。".repeat(200) },
    { what: "a short one", text: "金额" },
    { what: "characters outside of the first plane", text: "🙂 ok ".repeat(500) },
    { what: "escapes beside raw characters", text: "\u0001 “quote” \\ 中 \n".repeat(300) },
  ])("comes out as it was written: $what", ({ text }) => {
    expect(parseLine(Buffer.from(JSON.stringify({ text })))).toEqual({ text });
  });

  it("has U+FFFD where bytes are no UTF-8, and is otherwise whole", () => {
    const line = Buffer.from(JSON.stringify({ text: `a${"中".repeat(900)}z` }));
    line[12] = 0xff;
    const { text } = parseLine(line) as { text: string };
    expect(text).toContain("\uFFFD");
    expect(text.endsWith("中z")).toBe(true);
  });
});
