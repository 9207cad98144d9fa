import type { IncomingMessage } from "node:http";
import type { BodyMemory } from "./body/body-memory.ts";
import { decodeContent } from "./body/content-coding.ts";
import { EventStreamScanner } from "./event-stream.ts";
import { mediaType, type BodyEnd, type RawResponse } from "./exchange.ts";
import type { Chunk } from "./body/chunks.ts";
import { startGracePeriod } from "./body/grace-period.ts";
import type { Limits } from "./limits.ts";

/** Called for each line of an event stream that carries data, while it is read. */
export type StreamProgress = (dataLines: number) => void;

/** Options of reading a body. */
export interface ReadingOptions {
  /** Called for each data line of an event stream. */
  readonly onEvent?: StreamProgress;
  /** Aborts the reading; the chunks received so far are kept. */
  readonly signal?: AbortSignal;
  /** Memory that all bodies of a run share. Default: no limit but that of each body. */
  readonly memory?: BodyMemory;
}

/**
 * Estimates the memory that a chunk of a body takes once it is parsed: its bytes, 64 more for each line, 32 more for each JSON
 * value (counted by commas and brackets), and 256 more for a chunk that is kept by itself.
 */
function measureMemory(bytes: Uint8Array, isApart: boolean): number {
  let weight = bytes.length + (isApart ? 256 : 16);
  for (const byte of bytes) {
    if (byte === 0x0a || byte === 0x0d) weight += 64;
    else if (byte === 0x2c || byte === 0x5b || byte === 0x7b) weight += 32;
  }
  return weight;
}

/** Time for which an unexpected stream may stay open after its terminal event, in milliseconds: no check is about it. */
const unexpectedStreamGraceMs = 20;

/** Options of reading one body. */
export interface ReadOptions extends Pick<ReadingOptions, "onEvent" | "signal" | "memory"> {
  /** Time at which the request was sent, on the clock of `performance`. */
  readonly start: number;
  /** True when a stream is expected, so that its longer time limit applies. */
  readonly streamWanted: boolean;
  /** True for a recording, of which only the bytes count. */
  readonly isDownload: boolean;
}

/** Reads until the target ends the body, or one of the limits is reached. */
export function readBody(message: IncomingMessage, limits: Limits, options: ReadOptions): Promise<RawResponse> {
  const { start, isDownload, onEvent, signal } = options;
  const memory = isDownload ? undefined : options.memory;
  const limit = isDownload ? limits.maxDownloadBytes : limits.maxBodyBytes;
  return new Promise((resolve) => {
    const pieces = new ChunkBuffer();
    const head = { status: message.statusCode ?? 0, headers: pairs(message.rawHeaders) };
    const isStream = mediaType({ ...head, chunks: [], end: "complete" }) === "text/event-stream";
    const stream = isStream ? new EventStreamScanner() : undefined;
    const most = memory?.grant(limit) ?? limit;
    let weight = 0;
    let endGrace: (() => void) | undefined;
    let over = false;
    let isEmpty = true;
    const content = decodeContent(message);
    const { source } = content;
    const finish = (end: BodyEnd, undecoded?: RawResponse["undecoded"]): void => {
      if (over) return;
      over = true;
      for (const timer of [total, idle]) clearTimeout(timer);
      endGrace?.();
      signal?.removeEventListener("abort", interrupt);
      pieces.join();
      message.destroy();
      content[Symbol.dispose]();
      const isShared = memory !== undefined && end === "complete" && stream === undefined;
      if (!isShared) memory?.subtract(weight);
      const chunks = isShared ? memory.keep(pieces.chunks, weight) : pieces.chunks;
      resolve({
        ...head,
        chunks,
        end,
        ...(content.isUnknown && { undecoded: "unknown" }),
        ...(undecoded && { undecoded }),
      });
    };
    const interrupt = (): void => finish("interrupted");
    signal?.addEventListener("abort", interrupt, { once: true });
    const totalMs = stream && options.streamWanted ? limits.streamTimeoutMs : limits.timeoutMs;
    const total = setTimeout(() => finish("timeout"), totalMs - (performance.now() - start));
    const idle = setTimeout(() => finish("timeout"), limits.idleTimeoutMs);
    message.once("data", () => (isEmpty = false));
    source.on("data", (bytes: Buffer) => {
      if (over) return;
      weight += isDownload ? bytes.length : measureMemory(bytes, pieces.chunks.length < separateChunks);
      if (weight > most) return finish("too-large");
      idle.refresh();
      pieces.add({ atMs: performance.now() - start, bytes });
      if (!stream) return;
      stream.feed(bytes);
      onEvent?.(stream.dataLines);
      const graceMs = options.streamWanted
        ? limits.closeGraceMs
        : Math.min(limits.closeGraceMs, unexpectedStreamGraceMs);
      if (!stream.sawTerminalEvent || endGrace) return;
      clearTimeout(total);
      endGrace = startGracePeriod(graceMs, () => finish("still-open"));
    });
    const ends = (): void => finish(message.complete ? "complete" : "reset");
    source.once("end", ends);
    message.on("error", () => finish("reset"));
    message.once("close", () => {
      if (!message.complete || source === message) ends();
    });
    // A body of no bytes is in no coding.
    if (source !== message) source.on("error", () => (isEmpty ? ends() : finish("complete", "broken")));
  });
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  return rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""]] : [],
  );
}

/** Number of chunks that are kept as they arrived; later small ones are joined. */
const separateChunks = 2_000;
const joinedLength = 64 * 1024;
const joinedMs = 100;

/** Collects the chunks of a body, with bounded overhead even when each byte arrives by itself. */
class ChunkBuffer {
  readonly chunks: Chunk[] = [];
  #waiting: Chunk[] = [];
  #length = 0;

  add(chunk: Chunk): void {
    if (this.chunks.length < separateChunks) {
      this.chunks.push(chunk);
      return;
    }
    if (chunk.atMs - (this.#waiting[0]?.atMs ?? chunk.atMs) > joinedMs) this.join();
    this.#waiting.push(chunk);
    this.#length += chunk.bytes.length;
    if (this.#length >= joinedLength) this.join();
  }

  /** Joins chunks; they get the time of the last one. */
  join(): void {
    const last = this.#waiting.at(-1);
    if (!last) return;
    this.chunks.push({ atMs: last.atMs, bytes: Buffer.concat(this.#waiting.map(({ bytes }) => bytes)) });
    this.#waiting = [];
    this.#length = 0;
  }
}
