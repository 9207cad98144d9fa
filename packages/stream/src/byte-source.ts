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
  /** Why the source can't be an event stream, when its head says so. */
  readonly refusal?: Refusal | undefined;
}

/** What the head of a response says against it. */
export interface Refusal {
  /** Code of the error to come. */
  readonly code: StreamErrorCode;
  /** Message of the error to come. */
  readonly message: string;
  /** HTTP status of the response. */
  readonly status: number;
}

/** @throws {StreamError} `misuse` when somebody else reads the source already, or when it is no source. */
export function openSource(source: AutomationSource): ByteSource {
  if ("getReader" in source) return fromReadable(source);
  if (Symbol.asyncIterator in source) return fromIterable(source);
  if (!("body" in source)) {
    throw new StreamError("misuse", "the source is no Response, no ReadableStream and no async iterable of bytes");
  }
  const bytes = source.body ? openSource(source.body) : fromReadable(new Blob([]).stream());
  return { ...bytes, refusal: refusalOf(source) };
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

function refusalOf({ ok, status, headers }: Response): Refusal | undefined {
  if (!ok) return { code: "http-status", message: `the response has the status ${status}`, status };
  const mediaType = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (!mediaType || mediaType === "text/event-stream") return undefined;
  return { code: "not-a-stream", message: "the response is not of the type text/event-stream", status };
}

/** Nobody waits for a source that was let go, and its failure can't change the outcome any more. */
function ignore(): void {}
