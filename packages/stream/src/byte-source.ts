import { StreamError, type StreamErrorCode } from "./stream-error.ts";

/**
 * Where the bytes of a stream come from: a response of `fetch`, its body, or any async iterable of byte chunks.
 *
 * Source: interface § Endpoints.
 */
export type AutomationSource = Response | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** One way to read, whatever the source. */
export interface ByteSource {
  /** The next bytes; `undefined` at the end. */
  read(): Promise<Uint8Array | undefined>;
  /** Lets go of the source. Never throws, never waits. */
  release(): void;
  /** Why the source can't be an event stream, when the head of a response says so. */
  readonly refusal?: StreamErrorCode | undefined;
  /** HTTP status of a response. */
  readonly status?: number | undefined;
}

/** @throws {StreamError} `misuse` when somebody else reads the source already, or when it is no source. */
export function openSource(source: AutomationSource): ByteSource {
  if ("getReader" in source) return fromReadable(source);
  if (Symbol.asyncIterator in source) return fromIterable(source);
  if (!("body" in source)) {
    throw new StreamError("misuse", "the source is no Response, no ReadableStream and no async iterable of bytes");
  }
  const bytes = source.body ? openSource(source.body) : fromReadable(new Blob([]).stream());
  return { ...bytes, refusal: refusalOf(source), status: source.status };
}

function fromReadable(stream: ReadableStream<Uint8Array>): ByteSource {
  if (stream.locked) throw new StreamError("misuse", "the source is being read already: pass a body nobody has read");
  const reader = stream.getReader();
  return {
    read: async () => (await reader.read()).value,
    release() {
      reader.cancel().catch(ignore);
      reader.releaseLock();
    },
  };
}

function fromIterable(iterable: AsyncIterable<Uint8Array>): ByteSource {
  const iterator = iterable[Symbol.asyncIterator]();
  return {
    async read() {
      const result = await iterator.next();
      return result.done ? undefined : result.value;
    },
    release() {
      // An iterator's `return` may throw at once as well as later.
      Promise.resolve()
        .then(() => iterator.return?.())
        .catch(ignore);
    },
  };
}

function refusalOf({ ok, headers }: Response): StreamErrorCode | undefined {
  if (!ok) return "http-status";
  const mediaType = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  return !mediaType || mediaType === "text/event-stream" ? undefined : "not-a-stream";
}

/** Nobody waits for a source that was let go, and its failure can't change the outcome any more. */
function ignore(): void {}
