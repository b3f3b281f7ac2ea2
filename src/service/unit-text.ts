/** A unit file as text whose directives are set: comments and order of the template stay. */

/** Replaces every line of a directive by new ones, in the place of the first; a directive that the template lacks is an error of ours. */
export function setDirective(text: string, name: string, values: readonly string[]): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith(`${name}=`));
  if (first < 0) throw new Error(`the template has no ${name}=`);
  return lines
    .flatMap((line, at) => {
      if (at === first) return values.map((value) => `${name}=${value}`);
      return line.startsWith(`${name}=`) ? [] : [line];
    })
    .join("\n");
}

/** New lines after the first one of a directive. */
export function addAfter(text: string, name: string, lines: readonly string[]): string {
  return text.replace(new RegExp(`^${name}=.*$`, "m"), (line) => [line, ...lines].join("\n"));
}

/** Leaves directives out. */
export function dropDirectives(text: string, names: readonly string[]): string {
  const dropped = new Set(names);
  return text
    .split("\n")
    .filter((line) => !dropped.has(/^([A-Za-z]+)=/.exec(line)?.[1] ?? ""))
    .join("\n");
}

/** Values of a directive, in order. */
export function directivesOf(text: string, name: string): string[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${name}=`))
    .map((line) => line.slice(name.length + 1));
}

/** What stands before the first section is about the template, not about what is made of it. */
export function withoutPreface(text: string): string {
  return text.slice(Math.max(0, text.search(/^\[/m)));
}
