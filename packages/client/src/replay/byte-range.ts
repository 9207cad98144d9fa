/** A byte range of a file. */
export interface ByteRange {
  /** Offset of the first byte, from 0. */
  readonly offset: number;
  /** Number of bytes. */
  readonly length: number;
}
