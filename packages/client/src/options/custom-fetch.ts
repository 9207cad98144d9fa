/** A request that reads as its URL: `String(request)`. */
export interface AddressedRequest extends Request {
  /** Returns the URL. */
  toString(): string;
}

/** The options of a request, as every `fetch` takes them. */
export interface FetchInit {
  /** HTTP method. */
  readonly method: string;
  /** All headers, with the key. */
  readonly headers: Record<string, string>;
  /**
   * The body, as text. Although it has this type, it is a stream of Node.js for an automation in Node.js, so that no `fetch` can send
   * it twice, and bytes when middleware replaced the request.
   */
  readonly body?: string;
  /** Always `half`, which a body that is a stream needs; absent without one. */
  readonly duplex?: "half";
  /** Always `manual`, unless middleware changed it. */
  readonly redirect: Request["redirect"];
  /** Aborts the request. */
  readonly signal: AbortSignal;
}

/** The response of another package's `fetch`, by the parts that are needed. */
export interface ForeignResponse {
  /** HTTP status. */
  readonly status: number;
  /** Names and values. */
  readonly headers: Iterable<[string, string]>;
  /** Reads the body, where it is not a stream. */
  arrayBuffer(): Promise<ArrayBufferLike>;
}

/**
 * A `fetch` other than that of the runtime, such as those of `undici` and `node-fetch`. It is called with the request, and with address
 * and options for a `fetch` that accepts only the `Request` of its own package: the request converts to its URL.
 */
export type CustomFetch = (request: AddressedRequest, init: FetchInit) => Promise<Response | ForeignResponse>;
