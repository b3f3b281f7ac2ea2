import { beforeAll, describe, expect, it } from "vitest";
import { createRedactor, type Redactor, secretsIn } from "../../src/digest/redact.ts";

/** Values are made here and not written down, so that no scanner takes this file for a leak. */
function noise(length: number, alphabet: string): string {
  let seed = length * 7919 + alphabet.length;
  let out = "";
  for (let i = 0; i < length; i++) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    out += alphabet[Math.floor(seed / 65536) % alphabet.length];
  }
  return out;
}
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const ALNUM = LOWER + LOWER.toUpperCase() + DIGITS;
const HEX = `${DIGITS}abcdef`;
const UPPER = LOWER.toUpperCase() + DIGITS;
const an = (n: number) => noise(n, ALNUM);
const hex = (n: number) => noise(n, HEX);
const word = `Zq7${noise(6, LOWER)}`;
const dashes = "-".repeat(5);
const pem = (kind: string, body: string) =>
  `${dashes}BEGIN ${kind}PRIVATE KEY${dashes}\n${body}\n${dashes}END ${kind}PRIVATE KEY${dashes}`;
const base64Lines = [1, 2, 3, 4].map((n) => noise(60 + n, `${ALNUM}+/`)).join("\n");

const PROVIDERS: readonly (readonly [rule: string, key: string])[] = [
  ["anthropic", `sk-${"ant"}-api03-${an(90)}`],
  ["anthropic", `sk-${"ant"}-api03-${"FAKE".repeat(12)}`],
  ["openai", `sk-${"proj"}-${an(48)}`],
  ["openai", `sk-${an(48)}`],
  ["github", `gh${"p"}_${an(36)}`],
  ["github", `gh${"o"}_${an(36)}`],
  ["github", `github${"_pat"}_${an(22)}_${an(59)}`],
  ["gitlab", `gl${"pat"}-${an(20)}`],
  ["slack", `xo${"xb"}-123456789012-${an(24)}`],
  ["aws", `AK${"IA"}${noise(16, UPPER)}`],
  ["google", `AI${"za"}${an(35)}`],
  ["stripe", `sk_${"live"}_${an(24)}`],
  ["npm", `np${"m"}_${an(36)}`],
  ["sendgrid", `S${"G"}.${an(22)}.${an(43)}`],
  ["twilio", `S${"K"}${hex(32)}`],
  ["huggingface", `h${"f"}_${an(34)}`],
  ["linear", `lin${"_api"}_${an(40)}`],
  ["digitalocean", `do${"p"}_v1_${hex(64)}`],
  ["telegram", `${noise(9, "123456789")}:${"AA"}${an(33)}`],
  ["alibaba", `LT${"AI"}${an(20)}`],
  ["jwt", `ey${"J"}${an(30)}.ey${"J"}${an(60)}.${an(43)}`],
];

let redactor: Redactor;
beforeAll(async () => {
  redactor = await createRedactor();
});

describe("keys of providers", () => {
  it.each(PROVIDERS)("a key of %s is taken out wherever it stands", async (rule, key) => {
    for (const around of [
      (k: string) => k,
      (k: string) => `I pasted ${k} by accident.`,
      (k: string) => `KEY=${k}`,
      (k: string) => `{"key":"${k}"}`,
      (k: string) => `令牌是${k}，别外传`,
      (k: string) => `😀${k}😀`,
      (k: string) => `"first\\n${k}\\nlast"`,
    ]) {
      const { text, found } = await redactor.redact(around(key));
      expect(text).not.toContain(key.slice(-12));
      expect(text).toContain("[redacted:");
      expect(Object.values(found)).toEqual([1]);
    }
    expect((await redactor.redact(key)).text).toBe(`[redacted:${rule}]`);
  });

  it("a key that was cut off is still taken out", async () => {
    const { text } = await redactor.redact(`the token gh${"p"}_${an(9)}… and the rest`);
    expect(text).toBe("the token [redacted:github]… and the rest");
  });
});

describe("a source that clips before redaction", () => {
  const key = `gh${"p"}_${"F4KE".repeat(9)}`;
  const text = `DB_PASSWORD=${word}-not-real and the token ${key} here`;
  it.each(Array.from({ length: text.length - 20 }, (_, i) => i + 10))(
    "gives no half of a key away when it cuts at %i",
    async (at) => {
      const { text: left } = await redactor.redact(`${text.slice(0, at)}…${text.slice(at)}`);
      expect(left).not.toMatch(/F4KEF4KE/);
    },
  );

  it("leaves an ellipsis in prose alone", async () => {
    const prose = "well…maybe not…, see src/main2.ts… and so on…";
    expect((await redactor.redact(prose)).text).toBe(prose);
  });
});

describe("private keys", () => {
  const whole = pem("RSA ", base64Lines);
  const cases: readonly (readonly [name: string, text: string, left: string])[] = [
    ["whole", `before\n${whole}\nafter`, "before\n[redacted:private-key]\nafter"],
    ["short", `K5=${pem("", "RkFLRUtFWQ==")}`, "K5=[redacted:private-key]"],
    [
      "with its line ends written out",
      `{"k":"${whole.replaceAll("\n", "\\n")}","id":1}`,
      '{"k":"[redacted:private-key]","id":1}',
    ],
    ["without its end", `see\n${whole.slice(0, 200)}`, "see\n[redacted:private-key]"],
    [
      "without its end, words after",
      `${dashes}BEGIN PRIVATE KEY${dashes}\n${base64Lines}\n\nthat was all`,
      "[redacted:private-key]\n\nthat was all",
    ],
    ["without its beginning", `…${whole.slice(60)}\nthen`, "[redacted:private-key]\nthen"],
    [
      "with line numbers",
      whole
        .split("\n")
        .map((l, i) => `${i + 1}→${l}`)
        .join("\n"),
      "1→[redacted:private-key]",
    ],
  ];
  it.each(cases)("a block is taken out %s", async (_name, text, left) => {
    expect((await redactor.redact(text)).text).toBe(left);
  });

  it("a certificate and a public key stay", async () => {
    const text = `${dashes}BEGIN CERTIFICATE${dashes}\n${base64Lines}\n${dashes}END CERTIFICATE${dashes}`;
    expect((await redactor.redact(text)).text).toBe(text);
  });
});

describe("passwords and tokens told by their place", () => {
  const cases: readonly (readonly [text: string, left: string])[] = [
    [`postgres://svc:${word}@db.example.invalid/app`, "postgres://svc:[redacted:password]@db.example.invalid/app"],
    [`mongodb+srv://u:${word}@a.b.net,c.b.net/x`, "mongodb+srv://u:[redacted:password]@a.b.net,c.b.net/x"],
    [`redis://:${word}@localhost:6379/0`, "redis://:[redacted:password]@localhost:6379/0"],
    [`amqp://u:p@${word}@mq:5672/`, "amqp://u:[redacted:password]@mq:5672/"],
    [`mysql://root:a/${word}@h/db`, "mysql://root:[redacted:password]@h/db"],
    [`https://bob:${word}@example.com/x`, "https://bob:[redacted:password]@example.com/x"],
    [`DB_PASSWORD=${word}-not-real`, "DB_PASSWORD=[redacted:password]"],
    [`export DB_PASSWORD='${word} with blanks'`, "export DB_PASSWORD='[redacted:password]'"],
    ["PGPASSWORD=correcthorse", "PGPASSWORD=[redacted:password]"],
    [`"password": "${word}"`, '"password": "[redacted:password]"'],
    [`spring.datasource.password=${word}`, "spring.datasource.password=[redacted:password]"],
    [`dbPass: ${word}`, "dbPass: [redacted:password]"],
    [`Server=x;Password=${word};Database=y`, "Server=x;Password=[redacted:password];Database=y"],
    [`The password is ${word}.`, "The password is [redacted:password]."],
    [`the password for staging is "${word}"`, 'the password for staging is "[redacted:password]"'],
    [`password of the staging db: ${word}`, "password of the staging db: [redacted:password]"],
    [`password changed to ${word}`, "password changed to [redacted:password]"],
    [`密码是 ${word}，别外传`, "密码是 [redacted:password]，别外传"],
    [`密码：${word}`, "密码：[redacted:password]"],
    [`测试环境的密码改成了${word}。`, "测试环境的密码改成了[redacted:password]。"],
    [`口令（staging）为 ${word}`, "口令（staging）为 [redacted:password]"],
    [`密钥=${an(24)}`, "密钥=[redacted:secret]"],
    ["密码是 83920174", "密码是 [redacted:password]"],
    [`api_key=${an(24)}`, "api_key=[redacted:secret]"],
    [`apiKey: "${an(24)}"`, 'apiKey: "[redacted:secret]"'],
    [`client_secret => '${an(24)}'`, "client_secret => '[redacted:secret]'"],
    [`the API key is ${an(24)}`, "the API key is [redacted:secret]"],
    [`--token ${an(24)} --verbose`, "--token [redacted:secret] --verbose"],
    [`aws_secret_access_key = ${noise(40, `${ALNUM}/`)}`, "aws_secret_access_key = [redacted:aws]"],
    [`Authorization: Bearer ${an(32)}`, "Authorization: Bearer [redacted:bearer]"],
    [`Authorization: Basic ${an(24)}==`, "Authorization: Basic [redacted:authorization]"],
    [`curl -u bob:${word} https://example.com`, "curl -u bob:[redacted:password] https://example.com"],
    [`mysql -uroot -p${word} app`, "mysql -uroot -p[redacted:password] app"],
    [
      `https://x.example/cb?code=1&access_token=${an(24)}&b=2`,
      "https://x.example/cb?code=1&access_token=[redacted:token]&b=2",
    ],
    [`https://hooks.slack.com/services/T${an(8)}/B${an(8)}/${an(24)}`, "[redacted:slack]"],
    [`AccountName=x;AccountKey=${an(86)}==;`, "AccountName=x;AccountKey=[redacted:azure];"],
  ];
  it.each(cases)("%s", async (text, left) => {
    expect((await redactor.redact(text)).text).toBe(left);
  });

  it("an AWS secret key beside its key id is taken out without a name", async () => {
    const secret = noise(40, `${ALNUM}/`);
    const { text } = await redactor.redact(`AK${"IA"}${noise(16, UPPER)},${secret}`);
    expect(text).toBe("[redacted:aws],[redacted:aws]");
  });
});

describe("what is no secret stays as it is", () => {
  const sample = `AK${"IA"}IOSFODNN7EXAMPLE`;
  it.each([
    `The variable is called GITHUB_TOKEN and ${sample} is the documentation sample.`,
    "GITHUB_TOKEN",
    "set ANTHROPIC_API_KEY in your shell",
    "token: <token>",
    "TOKEN=$TOKEN",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell variable
    "PASSWORD=${DB_PASSWORD}",
    "api_key=xxxxxxxxxxxxxxxx",
    "API_KEY=your-api-key-here",
    `sk-${"ant"}-xxxxxxxxxxxxxxxxxxxxxxxx`,
    "password: string",
    "password is required",
    "password: process.env.DB_PASSWORD",
    "const token = getToken(user)",
    "token = user.oauth2Token",
    "max_tokens=64000, token_count: 12345",
    "the token is rotated daily",
    "the password is SHA256-hashed",
    "the password policy is 12+ characters",
    "密码是必填的，至少 8 位",
    "secretary: Bob Smith2",
    "Please pass v8::Isolate::GetCurrent() to it, pass --debug-nghttp2",
    "commit 1f4d3e3a9bc0d7f0a1b2c3d4e5f60718293a4b5c",
    "53d9f0d6-8276-455b-b22a-2eb51703bf0c",
    "https://grafana.example.com/d/orch-latency?from=now-6h&to=now",
    "http://localhost:5174/@vite/client",
    "https://www.npmjs.com/package/@scope/name@1.2.3",
    "git@github.com:org/repo.git and ssh://git@host:22/x",
    "sk-circle-fade-dot-animation-name",
    "v2026.11.25 and 12.11.1-beta.3",
    "postgres://user:<password>@localhost/db",
    "src/legacy/, pnpm vitest related <file> --run",
    "sha512-Kq5sNclPz7QV2+lfQIuc6R7oRu0c6GZ0eqUmfVQKrq0= integrity",
    "/run/secrets/db_password",
    "password_file=/run/secrets/db1",
    "Bearer authentication is used",
  ])("%s", async (text) => {
    expect((await redactor.redact(text)).text).toBe(text);
    expect(await redactor.hasSecret(text)).toBe(false);
  });

  it("the documentation sample is taken out of an assignment, which may be a real file", async () => {
    expect((await redactor.redact(`AWS_ACCESS_KEY_ID=${sample}`)).text).toBe("AWS_ACCESS_KEY_ID=[redacted:aws]");
  });
});

describe("redaction as a whole", () => {
  const everything = [
    ...PROVIDERS.map(([, key]) => `x ${key}`),
    pem("", base64Lines),
    `密码是 ${word}`,
    `a://b:${word}@c`,
  ].join("\n");

  it("done twice changes nothing", async () => {
    const once = await redactor.redact(everything);
    expect(await redactor.redact(once.text)).toEqual({ text: once.text, found: {} });
  });

  it("many texts at once give the same as one by one", async () => {
    const texts = everything.split("\n").flatMap((line) => [line, "plain", ""]);
    const { texts: together, counts } = await redactor.redactAll(texts);
    for (const [i, text] of texts.entries()) {
      expect({ text: together[i], found: counts[i] }).toEqual(await redactor.redact(text));
    }
  });

  it("a comment inside a transcript cannot switch it off", async () => {
    const key = `sk-${"ant"}-api03-${an(93)}AA`;
    expect((await redactor.redact(`// secretlint-disable\n${key}`)).text).toBe(
      "// secretlint-disable\n[redacted:anthropic]",
    );
  });

  it("a quick look names the rules and never a value", () => {
    expect(secretsIn(`gh${"p"}_${an(36)} and 密码是 ${word}`)).toEqual(["github", "password"]);
    expect(secretsIn("nothing here")).toEqual([]);
  });

  it("hostile text ends", async () => {
    const hostile = [
      "😀".repeat(50_000),
      "A".repeat(100_000),
      "password is ".repeat(5_000),
      "token=".repeat(10_000),
      "a://b:".repeat(10_000),
      `${dashes}BEGIN PRIVATE KEY${dashes}`.repeat(2_000),
      `…${"A1".repeat(50_000)}!`,
      `${"A".repeat(19_000)}!${dashes}END PRIVATE KEY${dashes}`.repeat(5),
      "a…".repeat(50_000),
      `${"A".repeat(64)}\n`.repeat(1_000),
    ];
    for (const text of hostile) expect(typeof (await redactor.redact(text)).text).toBe("string");
  });
});

describe("a process that redacts for years", () => {
  it("keeps nothing of the texts it has looked through", async () => {
    const { secretLintProfiler } = await import("@secretlint/profiler");
    const lasting = await createRedactor();
    for (let i = 0; i < 20; i++) await lasting.redact(`text ${i}`);
    await new Promise((done) => setImmediate(done));
    expect(await secretLintProfiler.getEntries()).toEqual([]);
  });
});
