/** Limits of the files of one session: those that it has downloaded, and those that were uploaded. */
export interface FileLimits {
  /** Most files. */
  readonly count: number;
  /** Most bytes of one file. */
  readonly fileBytes: number;
  /** Most bytes of all. */
  readonly totalBytes: number;
}

/** Limits where the options give none: 100 files, 100 MiB each, 1 GiB together. */
export const defaultFileLimits: FileLimits = { count: 100, fileBytes: 100 * 2 ** 20, totalBytes: 2 ** 30 };

/** Returns bytes as people write them. */
export function formatBytes(bytes: number): string {
  if (bytes >= 2 ** 20) return `${Math.round((bytes / 2 ** 20) * 10) / 10} MiB`;
  return `${bytes} bytes`;
}
