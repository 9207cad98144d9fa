/**
 * How a recorded stream ended.
 *
 * - `complete`: the source ended by itself.
 * - `error`: the source failed. The error itself is not recorded: its message may hold anything.
 * - `left`: the consumer stopped reading.
 * - `open`: the recording was taken while the stream was still being read, or before.
 */
export type RecordingEnd = (typeof ends)[number];

/** Every way in which a recording can end. */
export const ends = ["complete", "error", "left", "open"] as const;

/** First line of a recording. */
export interface RecordingHeader {
  /** Tells a recording from any other JSON lines. */
  readonly format: "cloud-browser-stream-recording";
  /** Changes when a player of the version before could not play the file. */
  readonly version: 1;
}

/** The line of one chunk, with either `text` or `base64`. */
export interface RecordedChunk {
  /** When it came, in milliseconds after the first request for bytes. */
  readonly atMs: number;
  /** Its bytes, when they are valid UTF-8 by themselves. */
  readonly text?: string;
  /** Its bytes, when they are not, such as after a cut within a character. */
  readonly base64?: string;
}

/** Last line of a recording. */
export interface RecordingFooter {
  /** How it ended. */
  readonly end: RecordingEnd;
  /** Present when more came than was to be kept: the last chunks are missing. */
  readonly truncated?: true;
}

/** First line of every recording. */
export const header: RecordingHeader = { format: "cloud-browser-stream-recording", version: 1 };

/** One chunk as it came. */
export interface Chunk {
  /** Milliseconds after the first request for bytes. */
  readonly atMs: number;
  /** Its bytes; nobody else has them. */
  readonly bytes: Uint8Array;
  /** Offset in the stream after its last byte. */
  readonly end: number;
}

/** All chunks in one. */
export function join(chunks: readonly Chunk[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.at(-1)?.end ?? 0);
  for (const { bytes, end } of chunks) all.set(bytes, end - bytes.length);
  return all;
}
