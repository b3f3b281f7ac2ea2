import { drive } from "./kernel-driver.ts";

console.log(JSON.stringify(await drive(JSON.parse(process.argv[2] ?? ""))));
