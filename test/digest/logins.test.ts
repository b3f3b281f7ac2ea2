import { describe, expect, it } from "vitest";
import { secretsIn } from "../../src/digest/redact.ts";

describe("a password that stands beside a login is seen without the word for it", () => {
  it.each([
    "The demo login is kioskadmin with Harbour-Bell-41, should you want to try it.",
    "log in as root / Zx81-qwerty! on the bench machine",
    "credentials are svc_mail and tR4in-st4tion",
    "测试环境登录用 admin / Lotus-2291",
    "演示账号是 demo，密码 Plum-2041",
  ])("%s", (said) => {
    expect(secretsIn(said)).toContain("password");
  });

  it.each([
    "The login is handled by auth-service with OAuth2.",
    "Log in with your GitHub account and open PR 1234.",
    "credentials are rotated every 90 days",
    "The test account is alice and it lives in tenant-12.",
    "登录用 OAuth2 / OpenID 就行",
  ])("but not in: %s", (said) => {
    expect(secretsIn(said)).toEqual([]);
  });
});
