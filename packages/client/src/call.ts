import { ClientError, errorFromStatus, isRecord, type Operation } from "./client-error.ts";
import { interruption, type Connection } from "./connection.ts";

/** Options of one call. Source: ours. */
export interface CallOptions {
  /** Ends the call when it aborts, also while the body is read. Default: never. */
  readonly signal?: AbortSignal | undefined;
  /** Headers of this request, over those of the client. `Authorization` among them is replaced. Default: none. */
  readonly headers?: HeadersInit | undefined;
}

/** What every call passes on to `openapi-fetch`. */
export interface CallInit {
  /** Sends the request, and gives back only an answer that the operation is to have. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Headers of the call. */
  readonly headers: Headers;
  /** The signal of the call, or none. */
  readonly signal: AbortSignal | null;
}

/** What `openapi-fetch` resolves with when the answer is 2xx. */
export interface Answer<Data> {
  /** The body. */
  readonly data?: Data;
  /** The answer itself. */
  readonly response: Response;
}

/** Media types that each kind of content is asked for with. */
const accepts = { object: "application/json", stream: "text/event-stream, application/json" } as const;

/** Makes one call, and turns everything but a 2xx answer with the wanted content into a `ClientError`. */
export type Call = <Data>(
  operation: Operation,
  options: CallOptions,
  content: keyof typeof accepts,
  act: (init: CallInit) => Promise<Answer<Data>>,
) => Promise<Required<Answer<Data>>>;

/** Makes calls that go through one connection. */
export function createCall(send: Connection["send"]): Call {
  return async (operation, { signal = null, headers: own }, content, act) => {
    const fetch = async (request: Request): Promise<Response> => {
      const response = await send(request, operation);
      if (content === "stream" && response.ok) return response;
      const text = await textOf(response, signal, operation);
      const body = parsed(text);
      if (!response.ok) throw errorFromStatus(operation, response, body);
      if (!isRecord(body)) throw unexpectedContent(operation, response, body);
      const { status, statusText, headers } = response;
      return new Response(text, { status, statusText, headers });
    };
    try {
      const headers = new Headers(own);
      if (!headers.has("accept")) headers.set("accept", accepts[content]);
      const { data, response } = await act({ fetch, headers, signal });
      if (data === undefined) throw unexpectedContent(operation, response, data);
      return { data, response };
    } catch (error) {
      if (error instanceof ClientError) throw error;
      // What is dropped here may quote a header.
      throw new ClientError("misuse", "the request can't be built: check its headers and values", { operation });
    }
  };
}

async function textOf(response: Response, signal: AbortSignal | null, operation: Operation): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw interruption(cause, signal, operation);
  }
}

/** JSON as parsed, or else the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // the error would quote the body
  }
}

function unexpectedContent(operation: Operation, response: Response, body: unknown): ClientError {
  const message = `${operation} was answered with other content than it should have`;
  return new ClientError("unexpected-content", message, { operation, response, body });
}
