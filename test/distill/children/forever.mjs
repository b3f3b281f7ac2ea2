// Says one word and then stays, whatever happens to its channel.
import { writeSync } from "node:fs";

writeSync(3, '"alive"\n');
setInterval(() => undefined, 1_000);
