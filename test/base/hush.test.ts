import { expect, it } from "vitest";
import { hushing } from "../../src/base/hush.ts";

const KEY = "sk-ant-0123456789";

it("takes a secret out of every text of plain data, however deep, names of fields among them", () => {
  const hush = hushing(KEY);
  const told = { text: `no ${KEY} ${KEY}`, list: [KEY, 1, null, { [KEY]: `x${KEY}y` }], ok: true };
  expect(hush(told)).toEqual({
    text: "no [redacted:key] [redacted:key]",
    list: ["[redacted:key]", 1, null, { "[redacted:key]": "x[redacted:key]y" }],
    ok: true,
  });
  expect(hush(undefined)).toBeUndefined();
});

it("leaves ordinary words alone where the key of a local server is one", () => {
  expect(hushing("local")("a local decision")).toBe("a local decision");
  expect(hushing(null)(KEY)).toBe(KEY);
});
