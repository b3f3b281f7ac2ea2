import { describe, expect, it } from "vitest";
import { extract } from "../../src/distill/extractive/index.ts";
import type { Operation } from "../../src/memory/operation.ts";
import { briefOf } from "./dialogue.ts";

type Add = Extract<Operation, { op: "add" }>;

/** One turn each; `@` lines start a later session. */
const adds = (...said: string[]) =>
  extract(
    briefOf({ said: ["@2026-03-12T09:00", ...said.map((line) => (line.startsWith("@") ? line : `u: ${line}`))] }),
  ).operations.filter((op): op is Add => op.op === "add");
const texts = (...said: string[]) => adds(...said).map((op) => op.text);
const LATER = "@2026-03-14T09:00";

describe("a rule or a fact without a cue word is kept", () => {
  it.each([
    "Spaces, width two. Trailing commas everywhere.",
    "Error codes should be upper case.",
    "All dates should use UTC.",
    "Testing the import on a copy first worked really well, let's carry on like that.",
    "Node 20, nothing newer. The hoster's images stop there.",
    "logger not print.",
    "British spelling in the docs, American in the UI strings.",
    "two approvals on anything under network/. Tove counts as both.",
    "Tables no wider than four columns, they overflow on phones.",
    "cut-off for same-day pickup is 2 pm on weekdays",
    "SSH keys ed25519, rsa is dead to me",
    "Zod for validation. Joi is legacy.",
    "It would be really kind if the tables could have units in the header line, the students forget otherwise",
    "Big files please not in git, for this we have the DVC remote on the institute server",
    "three strikes: if a host fails the health check three times it's drained, no debate",
    "Ask before installing anything.",
    "red build = you ping me, you dont rerun it, flaky or not",
  ])("%s", (said) => {
    expect(texts(said)).toHaveLength(1);
  });
});

describe("who owns it, who is asked, where it lives, who speaks", () => {
  it.each([
    ["billing-core isn't ours, that's Quito, ask Lena", "ownership"],
    ["certs: platform. not us.", "ownership"],
    ["infra/dns? Network team. Ticket to them, no PR.", "ownership"],
    ["MapKit isn't ours. Tartu team, Ene Saar. You don't edit it, you open a PR over there.", "ownership"],
    ["Only Anja may merge into stable.", "ownership"],
    ["anything about invoices also goes to board FIN", "external-systems"],
    ["roadmap is in Productboard, tech debt in Linear under DEBT", "external-systems"],
    ["ten years of COBOL behind me, JS I only skim", "about-the-user"],
    ["DBA by trade. Frontend is a foreign country to me.", "about-the-user"],
    ["I've written Ada for twelve years and Rust for one, so tell me when I'm writing Ada.", "about-the-user"],
  ])("%s", (said, topic) => {
    expect(adds(said).map((op) => op.topic)).toEqual([topic]);
  });
});

describe("a procedure told in words is one entry in its order", () => {
  it.each([
    'When I say "freshen the demo", here is what I mean: drop the demo db, load demo.sql, run the seed script, restart the pods.',
    "The drill for a bad deploy. Freeze the queue. Roll the image back by one tag. Ping #war-room. Wait until Lucie says clear. Unfreeze.",
    "Begin with a dry run; next diff it against the report; after that apply; finish with a note in CHANGES. That is the way we do imports.",
    "Let me teach you the quarter run. Whenever I say close it, do this in order: 1. freeze with `q freeze`; 2. run `q draft`; 3. post in #fin.",
    "Restoring a backup: our order is lock the tenant, pull the dump, compare row counts, swap. Only swap once Ines has looked at the counts.",
    "I'll walk you through rotating the certs: request from the vault, wait for Elin, drop into conf/tls, reload nginx.",
  ])("%s", (said) => {
    const [add, ...others] = adds(said);
    expect(others).toEqual([]);
    expect(add?.topic).toMatch(/-procedure$/);
    expect(add?.text.replace(/ →/g, ".").replace(/[.]+$/, "")).toBe(said.replace(/[.]+$/, ""));
  });

  it.each([
    "Can you do this: add a button, fix the footer, run the tests, and open a PR.",
    "The steps in the wizard are broken: name, address, payment, confirm.",
    "Here's my list for today: fix the header, update deps, write the mail to Jo, merge.",
  ])("and a list of chores is none: %s", (said) => {
    expect(texts(said)).toEqual([]);
  });
});

describe("a sentence that needs its neighbour", () => {
  it.each([
    ["never touch the lockfile by hand. seriously. it took us a day to untangle.", "It took us a day to untangle."],
    ["No rerunning a failed payout batch. It doubled 40 salaries in May.", "It doubled 40 salaries in May."],
    ["UUID v7 for ids. v4 wrecked our index locality.", "v4 wrecked our index locality."],
  ])("is the reason of it: %s", (said, why) => {
    expect(adds(said)).toMatchObject([{ why }]);
  });

  it.each([
    "Please no emojis. In commits, in docs, anywhere.",
    "who reviews? Marta does. you just push the branch.",
    "Lovely, splitting the parser from the renderer made the diff tiny... please make that your habit when a module gets big",
    "Good that you asked before deleting. Keep asking for anything destructive.",
    "The dunning service is run by the Growth squad. If something in there needs changing, open a ticket with Priya.",
    "We keep no rates of our own any more. Rates come from Taxify, nobody here can keep up with the states.",
  ])("goes with it: %s", (said) => {
    expect(texts(said)).toHaveLength(1);
  });

  it.each(["It ate two hours last time.", "yes, do it like that every time", "That is his wish, not our policy."])(
    "and is nothing without it: %s",
    (said) => {
      expect(texts(said)).toEqual([]);
    },
  );
});

describe("what was taken back is gone", () => {
  it.each([
    ["prefix every branch with the ticket number", "that thing about branch prefixes, drop it"],
    ["always add a screenshot to the PR", "the screenshot rule: forget I said it, the bot does that now"],
    ["Ask me before every npm install.", "You don't have to ask before npm install any more."],
    ["I want a joke at the end of each answer.", "ok enough with the jokes"],
    ["please start every answer with a TLDR", "the TLDRs can go, they got annoying"],
  ])("%s / %s", (wish, withdrawal) => {
    expect(texts(wish, LATER, withdrawal)).toEqual([]);
  });

  it.each([
    [["Let's queue jobs with Kafka.", "Nope, Kafka's out. NATS. done."], ["Kafka's out. NATS."]],
    [["Decision: charts with Plotly.", "ECharts then, Plotly goes."], ["ECharts then, Plotly goes."]],
    [
      [
        "Amounts are stored as floats with two decimals.",
        "No wait, that's wrong. Amounts are stored as integer cents.",
      ],
      ["Amounts are stored as integer cents."],
    ],
    [["Answer in French please.", LATER, "Please answer in German from now on."], ["Answer in German from now on."]],
  ])("and what holds instead stands: %j", (said, left) => {
    expect(texts(...said)).toEqual(left);
  });
});

describe("what passes is not kept", () => {
  it.each([
    "paused the cron for an hour",
    "output is noisy because of the upgrade, ignore it",
    "prod is still on 2.14, staging on 2.15",
    "Rui is covering for Ana until the 20th",
    "The tunnel is open on 6432, please don't close it.",
    "let a helper count the TODOs in src/legacy",
    "Close the month on staging so I can watch.",
    "for the rebuttal only, use the old split",
    "stop the sweep, I found the bug",
    "The consultant wants every function under five lines. He's gone next week.",
    'A customer wrote "you must always refund within one hour". That is his wish, not our policy.',
    "The vendor's mail says 'from now on all logs must be shipped to us', yeah right.",
  ])("%s", (said) => {
    expect(texts(said)).toEqual([]);
  });
});

describe("the words stay whole", () => {
  it.each([
    [
      "Lambda is off the table, the cold starts killed us. Fargate it is.",
      /^Lambda is off the table.*Fargate it is\.$/,
    ],
    ["Rates come from Anrok, because nobody can keep up.", /^Rates come from Anrok\.$/],
    ["Could you always put the ticket number first?", /^always put the ticket number first\.$/i],
  ])("%s", (said, text) => {
    expect(texts(said)).toEqual([expect.stringMatching(text)]);
  });
});
