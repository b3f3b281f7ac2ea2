/** What went wrong with one attempt at a request, as plain data: the SDK's errors stay in client.ts. */
export type Trouble =
  /** An answer with an error status. */
  | {
      readonly kind: "status";
      readonly status: number;
      /** `error.type` of the body, a broad category. */
      readonly type: string | null;
      /** `error.details.error_code`, the stable name of the cause; most errors have none. */
      readonly code: string | null;
      readonly message: string;
      readonly headers: Headers;
    }
  /** An error event inside a stream that had begun with status 200. */
  | { readonly kind: "event"; readonly type: string | null; readonly message: string }
  /** No connection, or one that broke before the headers; `code` is the system's. */
  | { readonly kind: "connection"; readonly code: string | null; readonly message: string }
  /** The stream ended before the message did. */
  | { readonly kind: "cut"; readonly message: string }
  /** What came is not the Messages API. */
  | { readonly kind: "garbled"; readonly message: string }
  /** Nothing came for that long. */
  | { readonly kind: "silent"; readonly seconds: number }
  /** The answer was not whole after that long. */
  | { readonly kind: "late"; readonly seconds: number };
