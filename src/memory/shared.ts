/**
 * What of a memory holds for everyone who works on the project. Who the user is never does; how the user wants work done does where the
 * words say that it is the project's way; decisions, facts and places do.
 */
import { kinAmong } from "./kin.ts";
import { relation } from "./likeness.ts";
import type { Entry, MemoryTree, Topic } from "./model.ts";
import { holdsPointers } from "./names.ts";

/** A rule that speaks for the project and not for one person's taste. */
const CONVENTION =
  /\b(?:this|the|our) (?:project|repo(?:sitory)?|code ?base|team)\b|\b(?:we|our|everyone|everybody)\b|(?:本|这个|這個|该)(?:项目|項目|仓库|倉庫|工程)|我们|我們|咱们|团队|團隊|统一|所有人|大家/i;
const PERSONAL = /\b(?:I|I'm|I'd|me|my|mine)\b|(?<!自)我(?!们|們)/;

function isShareable(topic: Topic, { statement, unconfirmed }: Entry): boolean {
  if (unconfirmed || PERSONAL.test(statement)) return false;
  if (topic.type === "project" || topic.type === "reference") return true;
  return topic.type === "feedback" && CONVENTION.test(statement);
}

export interface Shareable {
  readonly topic: Topic;
  readonly entry: Entry;
}

/** Entries for the team that it does not have yet, and that contradict nothing that it has. */
export function shareableIn(tree: MemoryTree, team: readonly MemoryTree[]): Shareable[] {
  const kinOf = kinAmong(team.flatMap(({ topics }) => topics.flatMap(({ entries }) => entries)));
  return tree.topics
    .filter(({ file }) => !holdsPointers(file))
    .flatMap((topic) =>
      topic.entries
        .filter((entry) => isShareable(topic, entry))
        .filter((entry) =>
          kinOf(entry.statement).all.every((other) => relation(entry.statement, other.statement) === "differs"),
        )
        .map((entry) => ({ topic, entry })),
    );
}

/** How a proposal begins: only a file that does is memd's to change. */
export const PROPOSAL_HEAD = "# For the team\n";

const EXPLAINED = `${PROPOSAL_HEAD}
memd proposes these memories for \`team/\`: they hold for everyone who works on this project. Nothing was written there. Copy what
fits. In the configuration of this store \`shared: write\` lets memd put them there, and \`shared: off\` ends these proposals.
`;

/** Null: nothing to propose. */
export function proposalText(shareable: readonly Shareable[]): string | null {
  if (shareable.length === 0) return null;
  const files = [...new Set(shareable.map(({ topic }) => topic.file))];
  const parts = files.map((file) => {
    const own = shareable.filter(({ topic }) => topic.file === file);
    return `\n## ${file}\n\n${own.map(({ entry }) => entry.raw.replaceAll("\r\n", "\n")).join("\n")}\n`;
  });
  return EXPLAINED + parts.join("");
}
