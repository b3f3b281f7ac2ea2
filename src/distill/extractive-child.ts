/** The child of the extractive distiller. */
import { serve } from "./child.ts";
import { extract } from "./extractive/index.ts";

await serve(new Map([["extractive", (brief) => extract(brief)]]));
