import { StreamError, type StreamErrorCode } from "../errors/stream-error.ts";

/**
 * Source of the bytes of a stream: a `Response`, its body, or any async iterable of byte chunks.
 *
 * Source: interface § Endpoints.
 */
export type AutomationSource = Response | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A common interface to all kinds of sources. */
export interface ByteSource {
  /** Reads the next chunk, like the reader of a ReadableStream or an iterator. */
  read(): Promise<IteratorResult<Uint8Array, unknown>>;
  /** Cancels the source and releases its lock. Never throws, and waits for nothing. */
  release(): void;
  /** Error code when status or content type of a response show that it is not an event stream. */
  readonly refusal?: StreamErrorCode | undefined;
  /** HTTP status of a response. */
  readonly status?: number | undefined;
}

/** @throws when the source is locked by another reader, or not a source at all: a text, for instance, which no error quotes. */
export function openSource(source: AutomationSource): ByteSource {
  if (Object(source) !== source) {
    const kinds = "a Response, a ReadableStream or an async iterable of chunks";
    throw new StreamError("misuse", `the source must be ${kinds}, not ${source === null ? "null" : typeof source}`);
  }
  if ("getReader" in source) return fromReadable(source.getReader());
  if (Symbol.asyncIterator in source) return fromIterator(source[Symbol.asyncIterator]());
  const { body, ok, headers, status } = source;
  const isStream = /^(?:text\/event-stream\s*)?(?:[;,]|$)/i.test(headers.get("content-type") ?? "");
  const refusal = ok ? (isStream ? undefined : "not-a-stream") : "http-status";
  return { ...openSource(body ?? new Blob().stream()), refusal, status };
}

/**
 * Runs code that throws only when the caller passed a source or an option that throws.
 *
 * @throws {StreamError} what the code threw, if that is a `StreamError`; otherwise `misuse`, with the error as its cause.
 */
export function guardArguments<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    throw cause instanceof StreamError ? cause : new StreamError("misuse", "the source or an option threw", { cause });
  }
}

function fromReadable(reader: ReadableStreamDefaultReader<Uint8Array>): ByteSource {
  return {
    read: () => reader.read(),
    release() {
      quietly(() => reader.cancel());
      quietly(() => reader.releaseLock());
    },
  };
}

/** The methods of an iterator may throw synchronously as well as reject. */
function fromIterator(iterator: AsyncIterator<Uint8Array>): ByteSource {
  return {
    read: async () => iterator.next(),
    release() {
      quietly(() => iterator.return?.());
    },
  };
}

/**
 * Runs code whose result is not awaited, such as the release of a source or a callback of the caller.
 *
 * @param fail - called with the error that it threw or rejected with. Default: the error is ignored.
 */
export function quietly(act: () => unknown, fail: (cause: unknown) => void = () => undefined): void {
  new Promise((resolve) => resolve(act())).catch(fail);
}
