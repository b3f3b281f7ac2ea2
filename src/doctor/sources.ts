/** The folders that feed one store. */
import type { Store } from "../ports.ts";
import { type Finding, fine, guarded, orFine, wrong } from "./finding.ts";
import type { DoctorWorld } from "./world.ts";

/** A folder that an agent never made is no fault; one that was named by a person is. */
export function checkSources(
  world: DoctorWorld,
  { layout, sessions, found: byItself = [], logs, project }: Store,
): readonly Finding[] {
  const roots = [...sessions, ...logs];
  const isNamed = !["claude-code", "person", "team"].includes(layout);
  const found = [
    ...roots.flatMap((root) =>
      guarded(`look at ${root}`, () => checkRoot(world, root, isNamed && !byItself.includes(root))),
    ),
    ...(project !== null && isNamed && world.files.stat(project) === null
      ? [wrong("no-such-folder", `the project ${project} is not there`, "Correct its path in the configuration.")]
      : []),
    ...(roots.length === 0 && isNamed
      ? [
          wrong(
            "no-sources",
            "no sessions and no logs feed this store",
            "Name folders of transcripts (sessions) or daily logs (logs) in the configuration.",
          ),
        ]
      : []),
  ];
  return orFine(found, fine("sources", "every folder of sessions and logs can be read"));
}

function checkRoot({ files, host }: DoctorWorld, root: string, mustExist: boolean): readonly Finding[] {
  const stat = files.stat(root);
  if (stat === null)
    return mustExist
      ? [
          wrong(
            "no-such-folder",
            `there is no folder ${root} to read sessions from`,
            "Correct the path in the configuration or on the command line.",
          ),
        ]
      : [];
  if (!host.may("read", root))
    return [
      wrong(
        "no-permission",
        `${root} cannot be read`,
        "Give this user read permission there (on macOS: Full Disk Access for node).",
      ),
    ];
  // Listed for real: some systems grant access and then refuse the listing.
  if (stat.kind === "dir") files.list(root);
  return [];
}
