import type { Answer } from "./operation-call.ts";

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

/** Creates the promise of a call. */
export function clientPromise<Data>(answer: Promise<Answer<Data>>): ClientPromise<Data> {
  const data = answer.then(({ data: own }) => own);
  const withResponse: ClientPromise<Data>["withResponse"] = () => {
    data.catch(() => undefined); // the rejection is that of the returned promise
    return answer.then(({ data: own, response, text }) => ({
      data: own,
      response: text === undefined ? response : new Response(text, response),
    }));
  };
  return Object.assign(data, { withResponse });
}
