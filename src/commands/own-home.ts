/** A process that stays must not be root in somebody's home: what it makes there, memory too, that user could not even read. */
import { statSync } from "node:fs";
import { MemdError } from "../base/errors.ts";

/** @throws MemdError misconfigured `foreign-home` */
export function refuseForeignHome(home: string, uid: number | null): void {
  const owner = statSync(home, { throwIfNoEntry: false })?.uid ?? uid;
  if (uid !== 0 || owner === 0) return;
  throw new MemdError({
    code: "foreign-home",
    family: "misconfigured",
    message: `this is root, and ${home} belongs to the user ${owner}, who could not read what root makes there`,
    hint: `Run it as that user: sudo -H -u '#${owner}' memd daemon`,
  });
}
