/**
 * A month of one store: thirty dreams over what people say, correct and take back, with agents who write in between and runs that are
 * undone. A plain model tells what should stand where; memory, archive, evidence and history are held against it after every step.
 */
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { HOUR } from "../support/home.ts";
import { chanceOf } from "./chance.ts";
import { nothingKnown, scribble, speak } from "./life.ts";
import { EVERY, PATIENCE } from "./settings.ts";
import { deadPointers, linesOf, makeStage, resultOf, type Stage, textsOf, unrecorded } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.remove());

/** What should stand: the last port of each service, its tracker, and the rules that were given. */
interface Model {
  readonly ports: ReadonlyMap<string, string>;
  readonly trackers: ReadonlyMap<string, string>;
  readonly rules: ReadonlySet<string>;
}

const EMPTY: Model = { ports: new Map(), trackers: new Map(), rules: new Set() };
const PORT = /\b(\w+) service listens on port (\d+)/;
const TRACKER = /Bugs of the (\w+) service are tracked in the Linear project (\w+)/;

function told(model: Model, said: readonly string[], forgotten: ReadonlySet<string>): Model {
  const next = { ports: new Map(model.ports), trackers: new Map(model.trackers), rules: new Set(model.rules) };
  for (const sentence of said) {
    const [, service = "", port = ""] = PORT.exec(sentence) ?? [];
    const [, owner = "", project = ""] = TRACKER.exec(sentence) ?? [];
    if (service !== "") next.ports.set(service, port);
    if (owner !== "" && !forgotten.has(sentence)) next.trackers.set(owner, project);
    if (/^(?:Always|Never)/.test(sentence) && !forgotten.has(sentence)) next.rules.add(sentence);
  }
  return next;
}

const memory = () =>
  Object.entries(textsOf(stage))
    .flatMap(([name, text]) => (name === "MEMORY.md" ? [] : [text]))
    .join("\n");

/** Values that memory tells for a subject, in entries of whoever. */
function valuesOf(form: RegExp): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, subject = "", value = ""] of memory().matchAll(new RegExp(form, "g")))
    found.set(subject, [...(found.get(subject) ?? []), value]);
  return found;
}

const single = (model: ReadonlyMap<string, string>) => new Map([...model].map(([key, value]) => [key, [value]]));
const sorted = <V>(map: ReadonlyMap<string, V>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

function expectModel(model: Model, where: string): void {
  expect(sorted(valuesOf(PORT)), `${where}: ports`).toEqual(sorted(single(model.ports)));
  expect(sorted(valuesOf(TRACKER)), `${where}: trackers`).toEqual(sorted(single(model.trackers)));
  for (const rule of model.rules) expect(memory().split(rule.slice(0, -1)).length - 1, `${where}: ${rule}`).toBe(1);
  expect(deadPointers(stage), where).toEqual([]);
}

/** Each statement of memd's own stands on words that were said, and what was replaced is in the archive. */
function expectTraces(superseded: ReadonlySet<string>, where: string): void {
  const evidence = linesOf(join(stage.memory, ".memd", "evidence.jsonl"));
  const statements = new Set(evidence.map(({ statement }) => String(statement)));
  const own = [...memory().matchAll(/^- (.+?) \[created: [^\]]+\]$/gm)].map(([, statement]) => statement ?? "");
  expect(
    own.filter((statement) => !statements.has(statement)),
    `${where}: without evidence`,
  ).toEqual([]);
  for (const record of evidence) expect(record.citations, where).not.toEqual([]);
  const archived = resultOf(stage)
    .archive.map(({ text }) => String(text))
    .join("\n");
  for (const port of superseded) expect(archived, `${where}: archive`).toContain(port);
}

const SEEDS = Array.from({ length: EVERY ? 100 : 3 }, (_, i) => i + 1);
const DREAMS = 30;

describe("a month of one store", { timeout: PATIENCE }, () => {
  it.each(SEEDS)("(seed %i) stands as the model says after each of thirty dreams", async (seed) => {
    stage = makeStage();
    const chance = chanceOf(seed);
    const known = nothingKnown();
    const forgotten = new Set<string>();
    const superseded = new Set<string>();
    const notes: string[] = [];
    let model = EMPTY;
    let undos = 0;
    for (let day = 0; day < DREAMS; day++) {
      const where = `seed ${seed}, day ${day}`;
      stage.clock.move(25 * HOUR);
      if (chance.is(0.3) && scribble([stage], chance, day)) notes.push(`number ${day}.`);
      const early = speak([stage], { chance, known }, { name: `day${day}`, minutesAgo: 90 });
      const late = chance.is(0.3) ? speak([stage], { chance, known }, { name: `late${day}`, minutesAgo: 60 }) : [];
      const said = [...early, ...late];
      const before = { model, texts: textsOf(stage) };
      model = told(model, said, forgotten);
      const { report, exit } = await stage.act();
      expect(exit, where).toBe(0);
      expectModel(
        model,
        `${where}, after ${JSON.stringify(said)}, refused ${JSON.stringify(report.operations.rejected)}`,
      );
      for (const [service, port] of before.model.ports) if (model.ports.get(service) !== port) superseded.add(port);
      expectTraces(superseded, where);
      if (report.outcome === "done" && chance.is(0.15)) {
        await stage.takeBack(report.id);
        undos++;
        const { model: earlier } = before;
        // What was said on that day is not proposed again, in these words.
        for (const sentence of said) forgotten.add(sentence);
        for (const [service] of model.ports) if (!earlier.ports.has(service)) known.port.delete(service);
        for (const [service, port] of earlier.ports) known.port.set(service, Number(port));
        for (const [service] of model.trackers) if (!earlier.trackers.has(service)) known.tracker.delete(service);
        model = earlier;
        expect(textsOf(stage), `${where}: undone`).toEqual(before.texts);
        expectModel(model, `${where}: undone`);
      }
      for (const note of notes) expect(memory(), where).toContain(note);
      expect(await unrecorded(stage), where).toEqual([]);
      expect(resultOf(stage).left, where).toEqual([]);
    }
    console.log(
      `seed ${seed}: ${DREAMS} dreams, ${undos} undone, ${model.ports.size} services, ${superseded.size} values replaced, ${notes.length} notes`,
    );
  });
});
