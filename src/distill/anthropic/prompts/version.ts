/** Raised whenever a prompt asks for something else: what was extracted before is then asked again. Mending a typo is no reason. */
export const PROMPT_VERSION = "1";
