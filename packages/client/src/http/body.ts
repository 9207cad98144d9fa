import { ClientError } from "../errors/client-error.ts";
import { unexpectedContent } from "../errors/response-error.ts";
import { createYield } from "../event-loop.ts";

/** Decoders of whole texts, which keep nothing between two. */
const [strict, lenient] = [new TextDecoder("utf-8", { fatal: true }), new TextDecoder()];

/**
 * Reads a whole body as text.
 *
 * @param where - returns the URL of the request, for errors
 * @param fatal - whether invalid UTF-8 is an error; otherwise it is replaced. Default: false.
 * @throws {ClientError} `too-large`, `unexpected-content`. Other errors come from the connection.
 */
export async function readBodyText(
  where: () => string,
  response: Response,
  maxBytes: number,
  fatal = false,
): Promise<string> {
  const { body } = response;
  if (!body) return "";
  const reader = body.getReader();
  /** Needed from the second chunk on: most bodies are one. */
  let yieldWhenDue: ReturnType<typeof createYield> | undefined;
  let text = "";
  let decoder: TextDecoder | undefined;
  /** A chunk that is decoded when it is known whether it is the only one: then it is much faster. */
  let first: Uint8Array | undefined;
  for (let bytes = 0; ;) {
    const due = yieldWhenDue?.();
    if (due) await due;
    const { done, value } = await reader.read();
    bytes += done ? 0 : value.length;
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => undefined); // to free the connection
      throw new ClientError("too-large", `${where()} answered with more than maxBodyBytes (${maxBytes})`, { response });
    }
    try {
      if (!decoder && !first && !done) {
        first = value;
        continue;
      }
      if (!decoder && done) return (fatal ? strict : lenient).decode(first);
      yieldWhenDue ??= createYield();
      decoder ??= new TextDecoder("utf-8", { fatal });
      if (first) text += decoder.decode(first, { stream: true });
      first = undefined;
      text += decoder.decode(value, { stream: !done });
    } catch {
      // Node.js does not report that a compressed body was truncated.
      if (done && response.headers.has("content-encoding")) throw new Error("the last character is incomplete");
      throw unexpectedContent(where(), response, "a body that is not UTF-8"); // the decoder's own error adds nothing
    }
    if (done) return text;
  }
}

/** Parses JSON; returns other texts as they are. */
export function parseBody(text: string | undefined): unknown {
  try {
    return text && JSON.parse(text);
  } catch {
    return text; // not kept as a cause: it would quote the body
  }
}
