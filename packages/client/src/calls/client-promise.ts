import type { Answer } from "./operation-call.ts";
import { keep } from "../errors/client-error.ts";

/** The result of a call; and its answer, for who asks. */
export interface ClientPromise<Data> extends Promise<Data> {
  /**
   * The result together with the HTTP answer: status, headers, and the body as text once more. The body of an
   * automation is its stream, and in use.
   *
   * @throws {ClientError} as the call does.
   */
  withResponse(): Promise<{ data: Data; response: Response }>;
}

/** A promise of the data, that can also give the answer. */
export function clientPromise<Data>(answer: Promise<Answer<Data>>): ClientPromise<Data> {
  const data = answer.then((given) => given.data);
  const withResponse: ClientPromise<Data>["withResponse"] = () => {
    data.catch(() => undefined); // the caller has the other one
    return answer.then(({ data: own, response, text }) => ({
      data: own,
      response: text === undefined ? response : keep(response, new Response(text, response)),
    }));
  };
  return Object.assign(data, { withResponse });
}
