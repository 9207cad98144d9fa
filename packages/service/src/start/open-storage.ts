import type { Recordings } from "@cloud-browser/recorder";
import { FileArchive } from "../files/file-archive.ts";
import type { ClusterNode } from "../cluster/cluster-node.ts";
import type { ServiceMetrics } from "../metrics/service-metrics.ts";
import type { PublicUrl } from "../request-context.ts";
import { openOwnRecords, type Records } from "../records.ts";
import { openFileStore } from "../storage/files/open-file-store.ts";
import { openRecordings } from "../storage/recordings/open-recordings.ts";
import type { ObjectStore } from "../storage/objects/object-store.ts";
import type { RecordingStore } from "../storage/recordings/recording-store.ts";
import type { OpenedFolder } from "./open-folder.ts";
import type { ServiceSettings } from "./read-settings.ts";

/** Interval of the attempts to write records that could not be written, in milliseconds. */
const recordsEveryMs = 10_000;

/** Dependencies of the storage of a service. */
export interface StorageParts {
  /** Options of the service. */
  readonly settings: ServiceSettings;
  /** The folder of the service. */
  readonly dataFolder: OpenedFolder;
  /** The node, whose database has the records; undefined to keep them in the folder. */
  readonly node: ClusterNode | undefined;
  /** Address in the presigned URLs of recordings. */
  readonly publicUrl: PublicUrl;
  /** Counts failures of the encoder. */
  readonly metrics: ServiceMetrics;
}

/** Records and recordings of a service. */
export interface Storage {
  /** Records of sessions, runs, functions, keys and recordings. */
  readonly records: Records;
  /** Recordings of sessions, in the folder or in a bucket. */
  readonly recordings: RecordingStore;
  /** Files of sessions, in the folder or in the bucket. */
  readonly files: FileArchive;
  /** Recordings of the folder, whose files the service serves itself. */
  readonly localRecordings: Recordings;
  /** Returns the reason why the bucket can't be used; undefined when it can, or there is none. */
  readonly findBucketFault: () => Promise<string | undefined>;
  /** Returns the origin of presigned URLs of recordings; undefined when it is that of the service. */
  readonly findMediaOrigin: () => Promise<string | undefined>;
  /** Ends the records of sessions and runs whose process has died. */
  readonly recover: () => Promise<void>;
}

/**
 * Opens records and recordings. A process that is the whole service recovers at once what an earlier one left; a node does when it begins.
 * `closing` writes the records that are left, then closes the recordings.
 *
 * @throws {ServiceError} `usage` when packages that the bucket needs are missing.
 */
export async function openStorage(parts: StorageParts, closing: AsyncDisposableStack): Promise<Storage> {
  const { settings, dataFolder, node, publicUrl, metrics } = parts;
  const { clock, log, ffmpeg, bucket } = settings;
  const records: Records = node ?? openOwnRecords(dataFolder.database, log);
  const {
    recordings,
    inFolder,
    objects,
    findBucketFault: bucketFault,
  } = await openRecordings(
    {
      folder: dataFolder.folder.recordings,
      clock,
      secret: dataFolder.signing,
      publicUrl: () => publicUrl.current,
      ...(ffmpeg === undefined ? {} : { ffmpeg }),
      onWarning: (session, what) => log.warn({ session }, `the recording ${what}`),
      onEncoderFailure: () => metrics.countEncoderFailure(),
    },
    { bucket, index: records.recordings, node },
    closing,
  );
  const files = new FileArchive({
    limits: settings.fileLimits,
    index: records.files,
    store: await openFileStore(dataFolder.folder.files, objects),
    now: () => clock.now(),
    onEnd: (origin, outcome, bytes) => metrics.countFile(origin, outcome, bytes),
    onFault: (err, session) => log.warn({ err, session }, "a file of a session could not be kept, listed or deleted"),
  });
  closing.defer(() => files.close());
  void bucketFault().then((why) => {
    if (why !== undefined) log.warn({ bucket: settings.bucketText }, `recordings can't be kept in the bucket: ${why}`);
  });
  const recover = async (): Promise<void> => {
    const lost = {
      sessions: await records.sessions.recover(clock.now(), (id) => recordings.findLastSeen(id)),
      runs: await records.runs.recover(clock.now()),
    };
    if (lost.sessions + lost.runs > 0) log.warn(lost, "sessions and runs were lost with the process that had them");
  };
  if (!node) await recover();
  closing.defer(async () => void (await records.write()));
  const tryWriting = (): void =>
    void records.write().catch((err: unknown) => log.warn({ err }, "records could not be written; retrying"));
  const writing = setInterval(tryWriting, recordsEveryMs).unref();
  closing.defer(() => clearInterval(writing));
  recordings
    .recover()
    .catch((error: unknown) => log.error({ err: error }, "recordings of an earlier process could not be finished"));
  const findMediaOrigin = async (): Promise<string | undefined> => objects && findOrigin(objects, clock.now());
  return {
    records,
    recordings,
    files,
    localRecordings: inFolder,
    findBucketFault: bucketFault,
    findMediaOrigin,
    recover,
  };
}

/** Returns the origin of presigned URLs of a bucket; undefined when it can't presign now. */
async function findOrigin(objects: ObjectStore, nowMs: number): Promise<string | undefined> {
  const soon = Math.ceil(nowMs / 1_000) * 1_000 + 60_000;
  const [url] = await objects.presign(["recordings/health"], soon).catch(() => []);
  return url === undefined ? undefined : new URL(url).origin;
}
