import type { FileRecord } from "../storage/file-index.ts";

/** A file of a session as `/control` shows it. */
export interface FileView extends Omit<FileRecord, "created_ms" | "session_id"> {
  /** When it was begun: ISO 8601, UTC. */
  readonly created_at: string;
  /** Path for `DOM.setFileInputFiles`, while the session of an uploaded file is open; null for any other file. */
  readonly path: string | null;
}

/** Returns a file as `/control` shows it. */
export function viewFile(file: FileRecord, path: string | null): FileView {
  const { session_id: _, created_ms, ...shown } = file;
  return { ...shown, created_at: new Date(created_ms).toISOString(), path };
}
