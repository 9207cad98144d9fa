import { Recordings, type RecordingsOptions } from "@cloud-browser/recorder";
import { parseBucketAddress, type BucketAddress } from "../objects/bucket-address.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { S3ObjectStore } from "../objects/s3-object-store.ts";
import { describeServiceError } from "../../service-error.ts";
import type { RecordingIndex } from "../recording-index.ts";
import { BucketRecordingStore } from "./bucket-recording-store.ts";
import { FolderRecordingStore } from "./folder-recording-store.ts";
import type { RecordingStore } from "./recording-store.ts";

/** Reads the address of the bucket for recordings; undefined for the folder. @throws {ServiceError} `usage` when it is malformed. */
export function parseBucket(text: string | undefined): BucketAddress | undefined {
  return text === undefined ? undefined : parseBucketAddress(text);
}

/** Dependencies of recordings in a bucket. */
export interface BucketParts {
  /** Bucket of the recordings; undefined to keep them in the folder. */
  readonly bucket: BucketAddress | undefined;
  /** Index of the recordings and their owners. */
  readonly index: RecordingIndex;
  /** The lease of this process; undefined where it is the whole service. */
  readonly node: { readonly epoch: number | undefined } | undefined;
}

/** Recordings, and what the service needs beside them. */
export interface OpenedRecordings {
  /** The recordings. */
  readonly recordings: RecordingStore;
  /** Recordings in the folder, whose files the service serves itself. */
  readonly inFolder: Recordings;
  /** The bucket; undefined for the folder. */
  readonly objects: ObjectStore | undefined;
  /** Asks the bucket; resolves with the reason why it can't be used, undefined when it can or there is no bucket. */
  readonly findBucketFault: () => Promise<string | undefined>;
}

/**
 * Opens the recordings, in a bucket or in the folder.
 *
 * @throws {ServiceError} `usage` when packages are missing.
 */
export async function openRecordings(
  local: RecordingsOptions,
  { bucket, index, node }: BucketParts,
  built: AsyncDisposableStack,
): Promise<OpenedRecordings> {
  if (bucket === undefined) {
    const inFolder = await Recordings.open(local);
    const recordings = new FolderRecordingStore(inFolder);
    built.defer(() => recordings.close());
    return { recordings, inFolder, objects: undefined, findBucketFault: async () => undefined };
  }
  const objects = await S3ObjectStore.open(bucket);
  built.defer(() => objects.close());
  const recordings = await BucketRecordingStore.open({
    local,
    objects,
    index,
    ...(node && { lease: () => node.epoch }),
  });
  built.defer(() => recordings.close());
  const findBucketFault = async (): Promise<string | undefined> =>
    objects.list("recordings/health").then(() => undefined, describeServiceError);
  return { recordings, inFolder: recordings.local, objects, findBucketFault };
}
