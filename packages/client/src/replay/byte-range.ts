/** Part of a file. Source: ours. */
export interface ByteRange {
  /** First byte, counted from 0. Source: ours. */
  readonly offset: number;
  /** Number of bytes. Source: ours. */
  readonly length: number;
}
