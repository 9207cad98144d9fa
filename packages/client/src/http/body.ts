import { ClientError } from "../errors/client-error.ts";
import { createYield } from "../event-loop.ts";

/**
 * Reads a whole body as text.
 *
 * @param fatal - whether invalid UTF-8 is an error; otherwise it is replaced. Default: false.
 * @throws {ClientError} `too-large`, `unexpected-content`. Other errors come from the connection.
 */
export async function textOf(response: Response, maxBytes: number, fatal = false): Promise<string> {
  const { body } = response;
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal });
  const yieldWhenDue = createYield();
  let text = "";
  for (let bytes = 0; ; await yieldWhenDue()) {
    const { done, value } = await reader.read();
    bytes += done ? 0 : value.length;
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => undefined); // to free the connection
      throw new ClientError("too-large", "the body exceeds maxBodyBytes", { response });
    }
    try {
      text += decoder.decode(value, { stream: !done });
    } catch {
      // Node.js does not report that a compressed body was truncated.
      if (done && response.headers.has("content-encoding")) throw new Error("the last character is incomplete");
      throw unexpectedContent(response); // the decoder's own error adds nothing
    }
    if (done) return text;
  }
}

/** Parses JSON; returns other texts as they are. */
export function parsed(text: string | undefined): unknown {
  try {
    return text && JSON.parse(text);
  } catch {
    return text; // not kept as a cause: it would quote the body
  }
}

/** Creates the error of a 2xx response with an invalid body. */
export function unexpectedContent(response: Response, body?: unknown): ClientError {
  const message = "unexpected response body: not UTF-8 JSON of the expected shape";
  return new ClientError("unexpected-content", message, { response, body });
}
