/** A file that is kept with a session. */
export interface KeptFile {
  /** Name; no other file of the session has it. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
}

/** End of a download: the file that was saved, or why the download failed. */
export type DownloadEnd = { readonly file: KeptFile } | { readonly reason: string };

/** A download of a session. */
export interface RunningDownload {
  /** Name under which it is kept. */
  readonly name: string;
  /** Bytes that have arrived so far. */
  readonly bytes: () => number;
  /** Resolves when the download has ended. Never rejects. */
  readonly ended: Promise<DownloadEnd>;
}

/** The files of a session, as steps use them. */
export interface FilesAtWork {
  /** Returns the names of the files that can be uploaded. */
  readonly names: () => readonly string[];
  /**
   * Returns the path of a file on this machine; undefined if the session has none of that name.
   *
   * @throws An error whose message tells why it can't be had now.
   */
  readonly findPath: (name: string) => Promise<string | undefined>;
  /** Calls back for each download of the session's pages, as it begins. There is one listener; it may not throw. */
  readonly onDownload: (listener: (download: RunningDownload) => void) => void;
}
