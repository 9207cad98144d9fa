/** Codes of the errors of a connection through a proxy. */
export type UpstreamErrorCode = "PROXY_UNREACHABLE" | "PROXY_AUTH" | "PROXY_CERTIFICATE" | "PROXY_REFUSED";

/** A connection through a proxy that failed at the proxy. Its message has no address and no credentials, and it has no cause: those of libraries do. */
export class SessionProxyError extends Error {
  /** Code of the error. */
  readonly code: UpstreamErrorCode;

  constructor(code: UpstreamErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
