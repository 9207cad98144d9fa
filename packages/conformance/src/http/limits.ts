/** Bounds of one request. Times are in milliseconds, sizes in bytes. */
export interface Limits {
  /** Time from sending to the end of a response that is not a stream. Default: 120,000. */
  readonly timeoutMs: number;
  /** The same for an expected event stream: agents take minutes. Default: 900,000. */
  readonly streamTimeoutMs: number;
  /** Maximum time between two chunks of a body. Default: 300,000. */
  readonly idleTimeoutMs: number;
  /** Maximum pause of a `Retry-After` that is honoured. Default: 30,000. */
  readonly maxPauseMs: number;
  /** The same for all pauses of a run together. Default: 120,000. */
  readonly maxTotalPauseMs: number;
  /** Time for which a stream may stay open after its terminal event, in milliseconds; the interface names no time. Default: 30,000. */
  readonly closeGraceMs: number;
  /** Largest body that is read. Each line counts as 64 bytes more, and each JSON value as 32, as in memory. Default: 16 MiB. */
  readonly maxBodyBytes: number;
  /** The same for all bodies of a run together; when it is used up, each further one may have 64 KiB. Default: 128 MiB. */
  readonly maxTotalBytes: number;
  /** Largest recording, or piece of one, that is downloaded: it is kept apart, and nothing is counted but its bytes. Default: 64 MiB. */
  readonly maxDownloadBytes: number;
}

/** Default limits of a run. */
export const defaultLimits: Limits = {
  timeoutMs: 120_000,
  streamTimeoutMs: 900_000,
  idleTimeoutMs: 300_000,
  maxPauseMs: 30_000,
  maxTotalPauseMs: 120_000,
  closeGraceMs: 30_000,
  maxBodyBytes: 16 * 1024 * 1024,
  maxTotalBytes: 128 * 1024 * 1024,
  maxDownloadBytes: 64 * 1024 * 1024,
};
