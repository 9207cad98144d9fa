import { ClientError } from "../errors/client-error.ts";

/**
 * Reads a body to its end, as text.
 *
 * @param fatal - true when it must be UTF-8. Otherwise what is no character is replaced.
 * @throws {ClientError} `too-large`, `unexpected-content`. Anything else is an error of the connection.
 */
export async function textOf(response: Response, maxBytes: number, fatal = false): Promise<string> {
  const { body } = response;
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal });
  let text = "";
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    bytes += done ? 0 : value.length;
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => undefined); // only frees the connection
      throw new ClientError("too-large", "the body exceeds maxBodyBytes", { response });
    }
    try {
      text += decoder.decode(value, { stream: !done });
    } catch {
      throw unexpectedContent(response); // the decoder's own error says nothing more
    }
    if (done) return text;
  }
}

/** JSON as parsed, or else the text. */
export function parsed(text: string | undefined): unknown {
  try {
    return text && JSON.parse(text);
  } catch {
    return text; // the error would quote the body
  }
}

/** The error of a 2xx answer whose body can't be used. */
export function unexpectedContent(response: Response, body?: unknown): ClientError {
  const message = "unexpected response body: not UTF-8 JSON of the expected shape";
  return new ClientError("unexpected-content", message, { response, body });
}
