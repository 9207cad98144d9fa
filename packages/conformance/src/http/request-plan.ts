import type { Credentials } from "./credentials.ts";

/** A request as a probe plans it, before the target's addresses and key are filled in. */
export interface RequestPlan {
  /** HTTP method. */
  readonly method: "GET" | "HEAD" | "OPTIONS" | "POST";
  /** Path and query below the address, already encoded. */
  readonly path: string;
  /**
   * A whole address in place of the target's and `path`: of a file that an answer points at. It may lie with somebody else, so
   * nothing of the target's goes with the request, and its query is a secret.
   */
  readonly url?: string;
  /** Whose credentials it carries. */
  readonly credentials: Credentials;
  /** Headers beyond the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body as text, sent as `application/json`; absent for no body at all. */
  readonly body?: string;
}
