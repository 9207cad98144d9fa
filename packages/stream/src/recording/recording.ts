/**
 * End of a recorded stream.
 *
 * - `complete`: the source ended.
 * - `error`: the source failed. The error is not recorded, as its message may contain secrets.
 * - `left`: the consumer stopped reading.
 * - `open`: the recording was taken while the stream was still being read, or before.
 */
export type RecordingEnd = (typeof ends)[number];

/** All values of `RecordingEnd`. */
export const ends = ["complete", "error", "left", "open"] as const;

/** First line of a recording. */
export interface RecordingHeader {
  /** Identifies the format. */
  readonly format: "cloud-browser-stream-recording";
  /** Version of the format; incremented by changes that older players can't read. */
  readonly version: 1;
}

/** The line of a chunk, with either `text` or `base64`. */
export interface RecordedChunk {
  /** Arrival time, in milliseconds after the first read. */
  readonly atMs: number;
  /** The chunk as text, when it is valid UTF-8. */
  readonly text?: string;
  /** The chunk in base64, when it is not valid UTF-8, such as after a cut within a character. */
  readonly base64?: string;
}

/** Last line of a recording. */
export interface RecordingFooter {
  /** End of the stream. */
  readonly end: RecordingEnd;
  /** Present when a limit was exceeded: the last chunks are missing. */
  readonly truncated?: true;
}

/** First line of every recording. */
export const recordingHeader: RecordingHeader = { format: "cloud-browser-stream-recording", version: 1 };

/** A recorded chunk. */
export interface Chunk {
  /** Arrival time, in milliseconds after the first read. */
  readonly atMs: number;
  /** A copy of its bytes. */
  readonly bytes: Uint8Array;
  /** Offset of its end in the stream. */
  readonly end: number;
}

/** Concatenates chunks. */
export function join(chunks: readonly Chunk[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.at(-1)?.end ?? 0);
  for (const { bytes, end } of chunks) all.set(bytes, end - bytes.length);
  return all;
}
