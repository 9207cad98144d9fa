/**
 * The operations of the interface, by the identifiers that the contract gives them.
 *
 * Source: interface § Endpoints.
 */
export type Operation = "page_scrape" | "session_cookies" | "session_replay" | "automation_start";

/**
 * Which credentials a request carries: the target's key, none at all, or a key that cannot be valid.
 *
 * Source: ours.
 */
export type Credentials = "key" | "none" | "wrong";

/** What a probe sends, before the target's addresses and key are filled in. Source: ours. */
export interface RequestPlan {
  /** HTTP method. */
  readonly method: "GET" | "POST";
  /** Path and query below the address, already encoded. */
  readonly path: string;
  /** Whose credentials it carries. */
  readonly credentials: Credentials;
  /** Headers beyond the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body as text, sent as `application/json`; absent for no body at all. */
  readonly body?: string;
}
