/** Part of a file. */
export interface ByteRange {
  /** First byte, counted from 0. */
  readonly offset: number;
  /** Number of bytes. */
  readonly length: number;
}
