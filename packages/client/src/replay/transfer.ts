import { ClientError, type ClientErrorDetails, makeCallerAbort } from "../errors/client-error.ts";
import { createYield } from "../event-loop.ts";
import type { ByteRange } from "./byte-range.ts";
import { requestFile, bareCause } from "./file-host.ts";
import type { PresignedLease, LeaseHolder } from "./presigned-lease.ts";
import { continues, createPart, type FilePart } from "./part.ts";
import { pause, withDeadline } from "./abortable.ts";
import type { TransferSettings } from "./transfer-options.ts";

/** Destination of bytes. Errors of its functions end the transfer. */
export interface Sink {
  /** Writes bytes; resolves when it is ready for more. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Discards everything written so far; absent when that is impossible. */
  readonly reset?: () => Promise<void>;
}

/** Options of a transfer. */
export interface TransferJob<Value> {
  /** Holds the presigned URLs. */
  readonly holder: LeaseHolder<Value>;
  /** Returns the URL from the value of a lease. */
  readonly addressIn: (value: Value) => string;
  /** Destination of the bytes. */
  readonly sink: Sink;
  /** Byte range of the file. Default: the whole file. */
  readonly range?: ByteRange | undefined;
  /** Called with the number of bytes received and in total, whenever one changes. */
  readonly onBytes: (received: number, total: number | undefined) => unknown;
  /** Called when the transfer is resumed. */
  readonly onResume: () => void;
}

/**
 * Downloads a file, or a byte range of it, to a sink, with retries; resolves with the number of bytes.
 *
 * Bytes of two responses are joined only if both are known to be of the same content. Otherwise the transfer restarts, if the
 * sink can be reset.
 *
 * @throws {ClientError} `download`, `aborted`; and errors of the sink, the lease and the functions of the job.
 */
export async function transfer<Value>(job: TransferJob<Value>, settings: TransferSettings): Promise<number> {
  const { holder, addressIn, sink, range } = job;
  const { signal, stallMs, refreshStatuses } = settings;
  const offset = range?.offset ?? 0;
  let [received, most, attempts, failures] = [0, 0, 0, 0];
  let first: FilePart | undefined; // the content that the received bytes belong to
  let refused: PresignedLease<Value> | undefined;

  for (;;) {
    try {
      await attempt();
      return received;
    } catch (error) {
      if (!(error instanceof ClientError && error.retryable)) throw error;
      failures = received > most ? 0 : failures + 1;
      if (failures >= settings.maxAttempts) throw error;
      most = Math.max(most, received);
      // A refreshed URL is tried without delay.
      const isRefusal = failures <= 1 && refreshStatuses.includes(error.status ?? 0);
      if (!isRefusal) await pause(delay(settings.retryDelayMs, failures), signal);
    }
  }

  /** Makes a request. Its errors are `retryable` when another one may succeed. */
  async function attempt(): Promise<void> {
    const lease = await holder.get(refused);
    if (!(received && first?.validator)) await restart();
    // Some hosts compress all the same, and with `identity` alone Deno would not decompress that.
    const headers: Record<string, string> = { "accept-encoding": "identity, *;q=0" };
    if (range || (first && !first.encoded)) {
      headers["range"] = `bytes=${offset + received}-${range ? offset + range.length - 1 : ""}`;
      if (first?.validator) headers["if-range"] = first.validator;
    }
    attempts++;
    const controller = new AbortController();
    let body: ReadableStreamDefaultReader<Uint8Array> | undefined;
    try {
      const ask = (): Promise<Response> => requestFile(addressIn(lease.value), headers, controller.signal, settings);
      const response = await withDeadline(ask, signal, stallMs).catch(throwInterruption);
      if (refreshStatuses.includes(response.status)) refused = lease;
      body = response.body?.getReader();
      const skip = await accept(response);
      if (skip !== undefined) await drain(body, skip);
    } finally {
      body?.cancel().catch(() => undefined); // the rest is not needed
      controller.abort();
    }
  }

  /** Returns how many bytes of a response have already been received; `undefined` for all. Throws if it does not continue the file. */
  async function accept(response: Response): Promise<number | undefined> {
    const { status } = response;
    if (![200, 206, 416].includes(status)) {
      const retryable = [408, 429, ...refreshStatuses].includes(status) || status >= 500;
      throw failure(`the file host answered with ${status}`, { status, retryable });
    }
    const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
    if (status !== 416 && page.test(type))
      throw failure(`the file host sent ${type}, which is no recording`, { status });
    const part = createPart(response);
    // The size was unknown, and the connection was lost after the last byte.
    if (status === 416 && received && total() === undefined && part.size === received) return undefined;
    if (first && !continues(part, first, response)) await restart();
    if (status !== 200 && (part.start !== offset + received || part.encoded)) {
      throw failure("the file host sent another range than requested", { status, retryable: true });
    }
    if (received) job.onResume();
    first ??= part;
    first.size ??= part.size;
    return offset + received - part.start;
  }

  async function drain(body: ReadableStreamDefaultReader<Uint8Array> | undefined, unwanted: number): Promise<void> {
    await withDeadline(() => job.onBytes(received, total()), signal);
    const yieldWhenDue = createYield();
    let bytesAt = performance.now();
    for (let skip = unwanted; ; await yieldWhenDue()) {
      const missing = (total() ?? Infinity) - received;
      const { value } = body
        ? await withDeadline(() => body.read(), signal, stallMs).catch(missing ? throwInterruption : end)
        : end();
      if (!value) break;
      const bytes = value.subarray(skip, range && skip + missing);
      skip = Math.max(0, skip - value.length);
      if (bytes.length > missing) {
        await restart();
        throw failure("the file host sent more bytes than announced", { retryable: true });
      }
      if (value.length) bytesAt = performance.now();
      else if (performance.now() > bytesAt + stallMs) throw createStall();
      if (!bytes.length) continue;
      await sink.write(bytes);
      received += bytes.length;
      await withDeadline(() => job.onBytes(received, total()), signal);
      if (range && received === range.length) break;
    }
    if (!received) throw failure("the file host sent an empty file", { retryable: true });
    if (received < (total() ?? 0)) {
      throw failure("the file host sent fewer bytes than announced", { retryable: true });
    }
  }

  async function restart(): Promise<void> {
    if (received) {
      if (!sink.reset) {
        throw failure("can't resume: the file changed, or its host does not support ranges");
      }
      await sink.reset();
    }
    received = 0;
    first = undefined;
  }

  function total(): number | undefined {
    return range?.length ?? first?.size;
  }

  function failure(message: string, details?: ClientErrorDetails): ClientError {
    return new ClientError("download", message, { ...details, attempts });
  }

  /** @throws {ClientError} the error of a failed request or read. */
  function throwInterruption(error: unknown): never {
    // An `AbortError` of `fetch` is not an abort of the caller.
    if (signal?.aborted) throw makeCallerAbort(signal.reason);
    if (!(error instanceof ClientError && /^(?:download|timeout)$/.test(error.code))) {
      throw failure("the connection to the file host was lost", { cause: bareCause(error), retryable: true });
    }
    if (error.code !== "timeout") throw error;
    throw createStall(error);
  }

  function createStall(cause?: ClientError): ClientError {
    return failure("the file host sent no bytes within stallMs", { ...(cause && { cause }), retryable: true });
  }
}

/** Content types that a login, a single-page application or an object store sends instead of a file. */
const page = /^\s*(?:text\/html|(?:application|text)\/(?:[\w.-]+\+)?(?:xml|json))\s*$/i;

/** Ends a body: an error after its last byte is ignored, unless it is an abort. */
function end(error?: unknown): { value?: undefined } {
  if (error instanceof ClientError && error.code === "aborted") throw error;
  return {};
}

/** Returns the delay before the next request, in milliseconds, after consecutive failures. */
function delay(base: number, failures: number): number {
  return Math.min(30_000, base * 2 ** failures) * (1 - Math.random() / 2);
}
