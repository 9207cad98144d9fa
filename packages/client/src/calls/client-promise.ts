/** A promise of the result of a call, which also gives access to the HTTP response. */
export interface ClientPromise<Data> extends Promise<Data> {
  /**
   * Resolves with the result and the HTTP response: status, headers, and the body, which can be read again. The body of an
   * automation is its stream, and already in use.
   *
   * @throws {ClientError} as the call does.
   */
  withResponse(): Promise<{ data: Data; response: Response }>;
}
