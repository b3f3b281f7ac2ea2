/** Keys of the resident service and its log. */
import { choice, flag, type Key, number, texts } from "./key.ts";

export const DAEMON_KEYS: readonly Key[] = [
  flag("daemon.watch", true, "File events wake memd early; without them the timed scan finds the same, later."),
  number("daemon.debounceSeconds", 30, [1, 3_600], "Quiet after an event before a store is looked at."),
  number("daemon.debounceMaxSeconds", 300, [1, 86_400], "A store that never falls quiet is looked at this often."),
  texts(
    "daemon.windows",
    'Cron expressions: dreams begin only in minutes that one matches, "* 1-5 * * *" at night; "0 3 * * *" is a time to start.',
  ),
  number("daemon.parallel", 1, [1, 8], "Dreams at the same time; each may use a processor."),
  choice("log.level", ["info", "debug", "warn", "error"], "What is worth a line in the log."),
];
