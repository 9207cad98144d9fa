import type { DownloadEnd, FilesAtWork, KeptFile } from "@cloud-browser/automation";
import type { DownloadEvent } from "@cloud-browser/browsers";
import type { FileRecord } from "../storage/file-index.ts";
import type { SessionFiles } from "./session-files.ts";

/** Returns the files of a session as automations use them; undefined while it keeps none. */
export function openFilesAtWork(files: SessionFiles | undefined): FilesAtWork | undefined {
  const downloads = files?.downloads;
  if (!files || !downloads) return undefined;
  const find = (guid: string): FileRecord | undefined => files.all.find(({ file_id: id }) => id === guid);
  return {
    names: () => files.all.filter(isComplete).map(({ name }) => name),
    findPath: (name) => files.findPlace(name),
    onDownload: (listener) => {
      const ends = new Map<string, (end: DownloadEnd) => void>();
      downloads.watch((event) => {
        const { guid, suggestedFilename } = event.params;
        if (event.method === "downloadWillBegin") {
          const ended = Promise.withResolvers<DownloadEnd>();
          ends.set(guid, ended.resolve);
          const name = find(guid)?.name ?? String(suggestedFilename);
          listener({ name, bytes: () => find(guid)?.size ?? 0, ended: ended.promise });
        } else if (event.isFinal) {
          ends.get(guid)?.(getEnd(event, find(guid)));
          ends.delete(guid);
        }
      });
    },
  };
}

/** Downloads that were kept, as the end of a run tells them: where each can be fetched. */
export function listDownloads(files: SessionFiles | undefined): readonly (Pick<FileRecord, "file_id"> & KeptFile)[] {
  const downloads = files?.all.filter((file) => file.origin === "download" && isComplete(file)) ?? [];
  return downloads.map(({ file_id, name, size }) => ({ file_id, name, size }));
}

function getEnd(
  { reason, params }: Extract<DownloadEvent, { readonly isFinal: boolean }>,
  file: FileRecord | undefined,
): DownloadEnd {
  if (reason === undefined && params["state"] === "completed" && file) return { file };
  return { reason: reason ?? file?.reason ?? "it was canceled" };
}

function isComplete({ state }: FileRecord): boolean {
  return state === "complete";
}
