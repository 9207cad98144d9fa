import { access } from "node:fs/promises";
import { isAbsence, timelineFile } from "@cloud-browser/recorder";
import type { ObjectStore } from "../objects/object-store.ts";
import { buildJournalFolder, buildRecordingFolder } from "./journal-parts.ts";

/** Key of the timeline of a session that has ended: beside its replay, and deleted with it. */
const buildTimelineKey = (sessionId: string): string => `${buildRecordingFolder(sessionId)}/${timelineFile}`;

/** Stores the timeline of a recording, if it has one. @param path - Its file. */
export async function storeTimeline(objects: ObjectStore, sessionId: string, path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    (error: unknown) => {
      if (isAbsence(error)) return false;
      throw error;
    },
  );
  if (isThere) await objects.putFile(buildTimelineKey(sessionId), path, "application/jsonl");
}

/** Reads the timeline of a session: what was stored at its end, or what was shipped until now; empty when there is none. */
export async function fetchTimeline(objects: ObjectStore, sessionId: string): Promise<string> {
  const whole = await objects.get(buildTimelineKey(sessionId));
  if (whole) return new Response(whole.body).text();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const { key } of await objects.list(`${buildJournalFolder(sessionId)}/${timelineFile}`)) {
    const part = Number(key.slice(key.lastIndexOf("/") + 1)) === size ? await objects.get(key) : undefined;
    if (!part) break;
    const bytes = new Uint8Array(await new Response(part.body).arrayBuffer());
    parts.push(bytes);
    size += bytes.length;
  }
  return Buffer.concat(parts).toString("utf8");
}
