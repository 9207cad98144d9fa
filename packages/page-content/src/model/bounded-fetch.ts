/**
 * A fetch that follows no redirect (the key would travel along) and reads no more of an answer than was agreed.
 */
export function boundedFetch(longestBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "error" });
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(limitBytes(longestBytes)), { status, statusText, headers });
  };
}

function limitBytes(longestBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > longestBytes) controller.error(new AnswerTooLong());
      else controller.enqueue(chunk);
    },
  });
}

/** The provider's answer was longer than the limit. */
export class AnswerTooLong extends Error {
  override readonly name = "AnswerTooLong";
}
