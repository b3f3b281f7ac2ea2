// Names everything in its environment.
import { hello, propose, say } from "./speak.mjs";

hello();
for (const name of Object.keys(process.env)) say({ type: "progress", text: name });
propose();
