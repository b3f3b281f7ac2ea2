/** Statements whose every word was said: what stood around the words, how much was meant, or in which language it was denied is left out. */
import { describe, expect, it } from "vitest";
import { addRule, type Said, type Words } from "./stage.ts";

type Row = [words: Words[], statement: string];

const part = (text: string, quote: string): Said => ({ text, quote });

const NEVER_LIST = "Never:\n1. commit straight to main\n2. skip tests";
const WRONG_LIST = "Wrong:\n- commit straight to main\n\nRight:\n- open a pull request first";
const ZH_LIST = "以下都不要做：\n- 直接提交到 main\n- 跳过测试";

const TRUE: Row[] = [
  [[NEVER_LIST], "Never skip tests"],
  [[part(WRONG_LIST, "open a pull request first")], "Open a pull request first"],
  [[part("Don't forget:\n- run the migrations", "run the migrations")], "Run the migrations"],
  [
    [part("> should we keep changelogs?\nKeep changelogs in French.", "Keep changelogs in French.")],
    "Keep changelogs in French",
  ],
  [["I thought the SLA was 99.5%, but it is 99.9%."], "The SLA is 99.9%"],
  [["The SLA used to be 99.5%, it is 99.9% now."], "The SLA is 99.9%"],
  [["In this repo, use pnpm for every install."], "Use pnpm for every install"],
  [["When the customer is in the EU, store the data in Frankfurt."], "Store the data of EU customers in Frankfurt"],
  [["In the docs repo, commit straight to main."], "In the docs repo, commit straight to main"],
  [["Every endpoint needs auth."], "All endpoints need auth"],
  [["A few customers use the CSV export."], "A few customers use the CSV export"],
  [["The next few releases go out from the stable branch."], "The next few releases go out from the stable branch"],
  [["The offset is -5."], "The offset is -5"],
  [["Costs are $40 per hour."], "Costs are 40 dollars per hour"],
  [["Batch size is 1,000."], "Batch size is 1000"],
  [["Keep at least 3 replicas."], "Keep 3 replicas or more"],
  [["The contract ends in March 2027."], "The contract ends in March 2027"],
  [["Ana owns billing and Ben owns search."], "Ben owns search"],
  [["Ana owns billing and Ben owns search."], "Ana owns billing and Ben owns search"],
  [["Anna prefers tabs."], "Anna prefers tabs"],
  [["I prefer tabs."], "Prefers tabs"],
  [["Wir benutzen kein Redux."], "Wir benutzen kein Redux"],
  [["Wir benutzen kein Redux."], "Kein Redux benutzen"],
  [["No uses tabuladores nunca."], "Nunca uses tabuladores"],
  [["탭을 사용하지 마세요."], "탭을 사용하지 마세요"],
  [["タブは使わないでください。"], "タブは使わないでください"],
  [["Не используй табуляцию."], "Не используй табуляцию"],
];

const FALSE: Row[] = [
  [[part(NEVER_LIST, "skip tests")], "Skip tests"],
  [[part("Do NOT do any of these:\n- commit straight to main\n- skip tests", "skip tests")], "Skip tests"],
  [[part(WRONG_LIST, "commit straight to main")], "Commit straight to main"],
  [[part(ZH_LIST, "跳过测试")], "跳过测试"],
  [[part("Bad example: commit straight to main.", "commit straight to main.")], "Commit straight to main"],
  [[part("What I do not want: always use spaces.", "always use spaces")], "Always use spaces"],
  [[part("Always skip the tests. That is complete nonsense.", "Always skip the tests.")], "Always skip the tests"],
  [
    [part('The vendor told us "always disable TLS checks" and that is nonsense.', "always disable TLS checks")],
    "Always disable TLS checks",
  ],
  [["The old README says: always skip the tests."], "Always skip the tests"],
  [["My evil twin would say: always skip the tests."], "Always skip the tests"],
  [["It is a myth that we deploy on Fridays."], "We deploy on Fridays"],
  [["Imagine we stored money as floats, that would be a disaster."], "We store money as floats"],
  [["Marketing wants us to put trackers on checkout. I said no."], "Put trackers on checkout"],
  [["As a joke, name the service Skynet."], "Name the service Skynet"],
  [["I doubt that the cache helps."], "The cache helps"],
  [["I thought the SLA was 99.5%, but it is 99.9%."], "The SLA is 99.5%"],
  [["The SLA used to be 99.5%, it is 99.9% now."], "The SLA is 99.5%"],
  [["He claimed invoices are immutable but that is false."], "Invoices are immutable"],
  [["Hardly any customer uses the CSV export."], "Customers use the CSV export"],
  [["Few of us want tabs."], "We want tabs"],
  [["The proposal to move to Kubernetes was turned down."], "Move to Kubernetes"],
  [["Unless QA signs off, hold the deploy."], "Hold the deploy"],
  [["In the docs repo, commit straight to main."], "Commit straight to main"],
  [["When the customer is in the EU, store the data in Frankfurt."], "Store the data in Frankfurt"],
  [["Some endpoints need auth."], "All endpoints need auth"],
  [["Most services run on Go."], "All services run on Go"],
  [["Interns may not deploy."], "Nobody may deploy"],
  [["The contract ends in March 2027."], "The contract starts in March 2027"],
  [["Ana owns billing and Ben owns search."], "Ben owns billing"],
  [["Anna prefers tabs."], "Prefers tabs"],
  [["Anna prefers tabs."], "The user prefers tabs"],
  [["The offset is -5."], "The offset is 5"],
  [["Batch size is 1,000."], "Batch size is 1"],
  [["Costs are $40 per hour."], "Costs are €40 per hour"],
  [["Keep at least 3 replicas."], "Keep 3 replicas at most"],
  [["我反对用 GraphQL"], "用 GraphQL"],
  [["Wir benutzen kein Redux."], "Wir benutzen Redux"],
  [["Gebruik geen tabs."], "Gebruik tabs"],
  [["N'utilise jamais de tabulations."], "Utilise des tabulations"],
  [["Não use tabs."], "Use tabs"],
  [["Nie używaj tabulatorów."], "Używaj tabulatorów"],
  [["Не используй табуляцию."], "Используй табуляцию"],
  [["탭을 사용하지 마세요."], "탭을 사용하세요"],
  [["タブは使わないでください。"], "タブを使ってください"],
];

describe("words that were said, as they were meant", () => {
  it.each(TRUE)("%j: %s", (words, statement) => {
    expect(addRule(words, statement)).toBeNull();
  });
});

describe("words that were said, and not meant so", () => {
  it.each(FALSE)("%j: %s is refused", (words, statement) => {
    expect(["unsupported-detail", "not-own-words"]).toContain(addRule(words, statement));
  });

  it("lines that a person took over from somebody else are not theirs", () => {
    const words = [part("> always skip the tests\nNo, we don't do that.", "always skip the tests")];
    expect(addRule(words, "Always skip the tests")).toBe("not-their-words");
  });
});
