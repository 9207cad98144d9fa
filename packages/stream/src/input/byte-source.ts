import { StreamError, type StreamErrorCode } from "../errors/stream-error.ts";

/**
 * Where the bytes of a stream come from: a response of `fetch`, its body, or any async iterable of byte chunks.
 *
 * Source: interface § Endpoints.
 */
export type AutomationSource = Response | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** One way to read, whatever the source. */
export interface ByteSource {
  /** Reads on, as a reader of a ReadableStream or an iterator does. */
  read(): Promise<IteratorResult<Uint8Array, unknown>>;
  /** Lets go of the source. Never throws, never waits. */
  release(): void;
  /** Reason why the source can't be an event stream, when the head of a response says so. */
  readonly refusal?: StreamErrorCode | undefined;
  /** HTTP status of a response. */
  readonly status?: number | undefined;
}

/** @throws when somebody else reads the source already, or when it is no source. */
export function openSource(source: AutomationSource): ByteSource {
  if ("getReader" in source) return fromReadable(source.getReader());
  if (Symbol.asyncIterator in source) return fromIterator(source[Symbol.asyncIterator]());
  const { body, ok, headers, status } = source;
  const isStream = /^(?:text\/event-stream\s*)?(?:[;,]|$)/i.test(headers.get("content-type") ?? "");
  const refusal = ok ? (isStream ? undefined : "not-a-stream") : "http-status";
  return { ...openSource(body ?? new Blob().stream()), refusal, status };
}

/**
 * Does what can only fail because of a source or an option that the caller gave.
 *
 * @throws {StreamError} `misuse` when it fails in any other way.
 */
export function withGiven<Result>(act: () => Result): Result {
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

/** The methods of an iterator may throw at once as well as later. */
function fromIterator(iterator: AsyncIterator<Uint8Array>): ByteSource {
  return {
    read: async () => iterator.next(),
    release() {
      quietly(() => iterator.return?.());
    },
  };
}

/**
 * Does what nobody waits for: letting go of a source, or calling the caller back.
 *
 * @param fail - told what it threw or rejected with. Default: nobody is told.
 */
export function quietly(act: () => unknown, fail: (cause: unknown) => void = () => undefined): void {
  new Promise((resolve) => resolve(act())).catch(fail);
}
