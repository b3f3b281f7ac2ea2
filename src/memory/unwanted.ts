/** What a person wants forgotten. Apart from the texts it is cut out of, so that a reader of history loads no parser. */

/** What stands in place of a text that cannot be left out without breaking the record around it. */
export const FORGOTTEN = "[forgotten]";

export interface Unwanted {
  /** `statementKey`s of the statements that go. */
  readonly keys: ReadonlySet<string>;
  /** True for a text that holds one of them, or words that supported one. */
  readonly mentions: (text: string) => boolean;
}
