import type { Credentials } from "./credentials.ts";

/** A request as a probe plans it, before the target's addresses and key are filled in. */
export interface RequestPlan {
  /** HTTP method. */
  readonly method: "GET" | "HEAD" | "OPTIONS" | "POST";
  /** Path and query below the address, already encoded. */
  readonly path: string;
  /**
   * An absolute URL in place of the target's address and `path`, of a file that a response refers to. It may be on another
   * host, so none of the target's headers are sent, and its query is a secret.
   */
  readonly url?: string;
  /** Kind of credentials that it carries. */
  readonly credentials: Credentials;
  /** Headers beyond the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body as text, sent as `application/json`; absent for no body at all. */
  readonly body?: string;
  /** True for a body without `Content-Type`. Default: false. */
  readonly withoutMediaType?: true;
}
