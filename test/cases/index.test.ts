import { afterEach, describe, expect, it } from "vitest";
import { DAY, HOUR, type Home, makeHome, START, talk } from "../support/home.ts";

const homes: Home[] = [];
function home(): Home {
  const made = makeHome();
  homes.push(made);
  return made;
}
afterEach(() => {
  for (const made of homes.splice(0)) made.remove();
});

const topic = (name: string) =>
  `---\nname: ${name}\ndescription: about ${name}\ntype: project\n---\n\n- About ${name}.\n`;
const say = (at: Home, name: string, text: string) => at.session(name, talk([text], START - HOUR));

describe("an index that came without its topics", () => {
  const pointers = Array.from({ length: 40 }, (_, i) => `- [Part ${i}](part-${i}.md) - what part ${i} is for`);
  const index = `# Memory\n\n${pointers.join("\n")}\n`;
  const all = (at: Home) => expect(pointers.filter((line) => !at.read("MEMORY.md").includes(`${line}\n`))).toEqual([]);

  it("keeps its pointers while dreams add topics of their own", async () => {
    const at = home();
    at.topic("MEMORY.md", index);
    say(at, "one", "Remember: the mirror host is named plover.");
    await at.dream();
    all(at);
    at.clock.move(DAY);
    say(at, "two", "Always run the linter before you commit.");
    await at.dream();
    all(at);
    at.clock.move(DAY);
    await at.dream();
    all(at);
    expect(at.read("MEMORY.md")).toContain("project-facts.md");
  });

  it("keeps its pointers while a sync brings the first of them", async () => {
    const at = home();
    at.topic("MEMORY.md", index);
    for (const i of [3, 4, 5]) at.topic(`part-${i}.md`, topic(`part-${i}`));
    say(at, "one", "Remember: the mirror host is named plover.");
    await at.dream();
    all(at);
  });

  it("loses those that are dead once most of the topics are there", async () => {
    const at = home();
    at.topic("MEMORY.md", index);
    for (let i = 0; i < 30; i++) at.topic(`part-${i}.md`, topic(`part-${i}`));
    say(at, "one", "Remember: the mirror host is named plover.");
    await at.dream();
    expect(at.read("MEMORY.md")).toContain("part-29.md");
    expect(at.read("MEMORY.md")).not.toContain("part-30.md");
  });
});
