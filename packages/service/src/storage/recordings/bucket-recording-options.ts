import { systemClock, type RecordingsOptions } from "@cloud-browser/recorder";
import type { ObjectStore } from "../objects/object-store.ts";
import type { RecordingIndex } from "../recording-index.ts";
import type { JournalShipperOptions } from "./journal-shipper.ts";

/** Options of a store of recordings in a bucket. */
export interface BucketRecordingStoreOptions extends Pick<JournalShipperOptions, "everyMs" | "retryDelaysMs"> {
  /** How they are recorded and encoded, in a folder of this machine. */
  readonly local: Omit<RecordingsOptions, "archive">;
  /** Where they are kept. */
  readonly objects: ObjectStore;
  /** Records which node works on which recording. */
  readonly index: RecordingIndex;
  /** The lease under which this process may have sessions; undefined while it has none. Default: always the same one. */
  readonly lease?: () => number | undefined;
  /** Time between two sweeps for recordings that are to be finished or deleted, in milliseconds. Default: 5,000. */
  readonly sweepMs?: number;
}

/** Returns the time, in milliseconds since 1970. */
export function readBucketClock({ local }: BucketRecordingStoreOptions): number {
  return (local.clock ?? systemClock).now();
}

/** Warns of a problem with the recording of a session, or of all of them (`-`). */
export function warn({ local }: BucketRecordingStoreOptions, sessionId: string, what: string, error?: unknown): void {
  const why = error instanceof Error ? `: ${error.message}` : "";
  local.onWarning?.(sessionId, what + why);
}
