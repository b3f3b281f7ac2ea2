/** The LaunchAgent, rendered from its template (launchd.plist(5)). */
import { join } from "node:path";
import { argumentsOf, type Definition } from "./definition.ts";
import { fitPath } from "./quote.ts";
import { PLIST_COMMENT, seal } from "./seal.ts";
import type { InstalledCommand } from "./unit.ts";

/** Also the file's name, less its ending. */
export const LABEL = "dev.memd.daemon";

/** @param template the text of launchd/dev.memd.daemon.plist */
export function renderPlist(template: string, definition: Definition): string {
  const { node, script, home, env, version } = definition;
  for (const [path, what] of [
    [node, "the path of node"],
    [script, "the path of memd"],
    [home, "the home folder"],
  ] as const)
    fitPath(path, what);
  const output = stringOf(crashLog(definition.state));
  const args = [node, ...argumentsOf(definition)].map((word) => `\t\t${stringOf(word)}\n`).join("");
  const variables = Object.entries(env).map(
    ([name, value]) => `\t\t<key>${xmlText(name)}</key>\n\t\t${stringOf(value)}\n`,
  );
  let text = template.replace(
    /<!-- The LaunchAgent of memd\.[\s\S]*?-->\n/,
    definition.nodeChosen ? `${CHOSEN}\n` : "",
  );
  text = setValue(text, "ProgramArguments", `<array>\n${args}\t</array>`);
  text = setValue(text, "EnvironmentVariables", `<dict>\n${variables.join("")}\t</dict>`);
  text = setValue(text, "WorkingDirectory", stringOf(home));
  text = setValue(text, "StandardOutPath", output);
  text = setValue(text, "StandardErrorPath", output);
  return seal(text, version, PLIST_COMMENT);
}

/** Where launchd puts what a node says that died before it had a log. */
function crashLog(state: string): string {
  return join(state, "logs", "launchd.log");
}

/** XML allows no two dashes in a comment. */
const CHOSEN = "<!-- this node was chosen by name -->";

const ELEMENT = String.raw`<(array|dict|string)>[\s\S]*?</\2>`;

/** Replaces the value of a key of the outer dictionary; one that the template lacks is an error of ours. */
function setValue(text: string, key: string, value: string): string {
  const pattern = new RegExp(String.raw`(^\t<key>${key}</key>\s*)${ELEMENT}`, "m");
  if (!pattern.test(text)) throw new Error(`the template has no ${key}`);
  return text.replace(pattern, (_, before: string) => before + value);
}

const stringOf = (text: string) => `<string>${xmlText(text)}</string>`;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const xmlText = (text: string) => text.replace(/[&<>]/g, (char) => ENTITIES[char] ?? char);

/** What an installed plist starts. */
export function readPlist(text: string): InstalledCommand {
  const list =
    new RegExp(String.raw`<key>ProgramArguments</key>\s*${ELEMENT.replace("\\2", "\\1")}`).exec(text)?.[0] ?? "";
  const words = [...list.matchAll(/<string>([\s\S]*?)<\/string>/g)].map((match) => plainText(match[1] ?? ""));
  const script = words.slice(1).find((word) => !word.startsWith("-")) ?? null;
  return { node: words[0] ?? null, script, nodeChosen: text.includes(CHOSEN) };
}

const plainText = (text: string) => text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
