/** What the doctor found, as people read it: what is wrong first, then what was repaired, then the rest in a line each. */
import type { Finding } from "../doctor/finding.ts";
import type { Paint } from "./paint.ts";

const named = ({ store, message }: Finding) => (store === null ? message : `${store}: ${message}`);

export function renderFindings(findings: readonly Finding[], paint: Paint): string {
  const wrong = findings.filter(({ ok }) => !ok);
  const repaired = findings.filter((item) => item.repaired);
  const remarks = findings.filter((item) => item.ok && !item.repaired && item.hint !== null);
  const fine = findings.filter((item) => item.ok && !item.repaired && item.hint === null);
  const lines = [
    ...fine.map((item) => `  ${paint.good("ok")}  ${named(item)}`),
    ...remarks.map((item) => `  ${paint.strong("..")}  ${named(item)}  ${paint.dim(item.code)}\n      ${item.hint}`),
    ...repaired.map((item) => `  ${paint.good("+ ")}  repaired: ${named(item)}  ${paint.dim(item.code)}`),
    ...wrong.map((item) => `  ${paint.bad("! ")}  ${named(item)}  ${paint.dim(item.code)}\n      ${item.hint}`),
  ];
  const end =
    wrong.length === 0
      ? paint.good("Nothing is wrong.")
      : paint.bad(`${wrong.length} ${wrong.length === 1 ? "thing is" : "things are"} wrong.`);
  return `${lines.join("\n")}\n${end}\n`;
}
