/** How often a space is sent while an answer is awaited, in milliseconds: proxies end connections on which nothing comes. */
const heartbeatMs = 15_000;

/**
 * Returns a response whose head is sent at once, and whose JSON when it is there: white space comes before it meanwhile, which JSON allows.
 * When the answer fails, the body ends early.
 *
 * @param answer - Resolves with the value; aborted when the client disconnects.
 */
export function answerWhenReady(
  status: number,
  headers: Readonly<Record<string, string>>,
  answer: (signal: AbortSignal) => Promise<unknown>,
): Response {
  const disconnect = new AbortController();
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (text: string): void => controller.enqueue(encoder.encode(text));
      send("\n");
      timer = setInterval(() => send("\n"), heartbeatMs);
      answer(disconnect.signal)
        .then(
          (value) => {
            send(JSON.stringify(value));
            controller.close();
          },
          (error: unknown) => controller.error(error),
        )
        .catch(() => undefined) // the client has disconnected
        .finally(() => clearInterval(timer));
    },
    cancel: () => {
      clearInterval(timer);
      disconnect.abort();
    },
  });
  const ownHeaders = { "content-type": "application/json", "cache-control": "no-store", "x-accel-buffering": "no" };
  return new Response(body, { status, headers: { ...ownHeaders, ...headers } });
}
