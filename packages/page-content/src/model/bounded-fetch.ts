/** Limits of a call of a provider. */
export interface FetchBounds {
  /** Byte limit of one answer. */
  readonly answerBytes: number;
  /** Time of one task, repeated calls included, in milliseconds. */
  readonly timeMs: number;
}

/** Longest pause that the SDK waits for before it asks again, in milliseconds. After a longer one it would ask too early. */
const longestPauseMs = 60_000;

/**
 * A fetch that follows no redirect (the key would travel along), reads no more of an answer than was agreed, ends a stream at
 * its `[DONE]`, and throws when the provider asks to be left alone for longer than there is time.
 *
 * @throws {RetryTooLate}
 */
export function boundedFetch({ answerBytes, timeMs }: FetchBounds): typeof fetch {
  const began = new WeakMap<AbortSignal, number>();
  return async (input, init) => {
    const signal = init?.signal ?? undefined;
    if (signal && !began.has(signal)) began.set(signal, performance.now());
    const response = await fetch(input, { ...init, redirect: "manual" });
    const { status, statusText, headers } = response;
    const spent = signal ? performance.now() - (began.get(signal) ?? performance.now()) : 0;
    const pauseMs = status === 429 || status >= 500 ? readRetryAfter(headers) : undefined;
    if (pauseMs !== undefined && pauseMs > Math.min(timeMs - spent, longestPauseMs)) {
      await response.body?.cancel().catch(() => {});
      throw new RetryTooLate(status, pauseMs);
    }
    if (!response.body) return response;
    const limited = response.body.pipeThrough(limitBytes(answerBytes));
    const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    const body = isStream ? limited.pipeThrough(endAtDone()) : limited;
    return new Response(body, { status, statusText, headers });
  };
}

/** Reads the delay that a provider asks for, in milliseconds; undefined if it names none. */
function readRetryAfter(headers: Headers): number | undefined {
  const ms = headers.get("retry-after-ms");
  if (ms !== null && /^\d+(?:\.\d+)?$/.test(ms)) return Number(ms);
  const after = headers.get("retry-after");
  if (after === null) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(after)) return Number(after) * 1_000;
  const at = Date.parse(after);
  // oxlint-disable-next-line no-restricted-properties -- the header names a moment
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

type BytesTransform = TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;

function limitBytes(longestBytes: number): BytesTransform {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > longestBytes) controller.error(new AnswerTooLong());
      else controller.enqueue(chunk);
    },
  });
}

/** Ends a stream of events at its last one: some servers leave the connection open after it. */
function endAtDone(): BytesTransform {
  let line = "";
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      const lines = (line + Buffer.from(chunk).toString("latin1")).split(/[\r\n]+/);
      // The beginning of a line decides, and only a short one is the last.
      line = (lines.at(-1) ?? "").slice(0, 20);
      if (lines.some((each) => /^data: ?\[DONE\]\s*$/.test(each))) controller.terminate();
    },
  });
}

/** The provider's answer was longer than the limit. */
export class AnswerTooLong extends Error {
  override readonly name = "AnswerTooLong";
}

/** The provider refused, and asks to be left alone for longer than there is time. */
export class RetryTooLate extends Error {
  override readonly name = "RetryTooLate";
  /** Status of the answer. */
  readonly statusCode: number;
  /** Requested pause, in milliseconds. */
  readonly pauseMs: number;

  constructor(statusCode: number, pauseMs: number) {
    super(`status ${statusCode}; retry after ${Math.ceil(pauseMs / 1_000)} s`);
    this.statusCode = statusCode;
    this.pauseMs = pauseMs;
  }
}
