import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { RecordingState } from "@cloud-browser/recorder";
import { startFauxqs } from "fauxqs";
import type { SetClock } from "../../../../recorder/test/recording/set-clock.ts";
import { leaveBehind } from "../../../../recorder/test/recording/left-behind.ts";
import { parseBucketAddress } from "../../../src/storage/objects/bucket-address.ts";
import type { ObjectStore } from "../../../src/storage/objects/object-store.ts";
import { S3ObjectStore } from "../../../src/storage/objects/s3-object-store.ts";
import { BucketRecordingStore } from "../../../src/storage/recordings/bucket-recording-store.ts";
import { buildPartKey } from "../../../src/storage/recordings/journal-parts.ts";
import { openDatabase } from "../../../src/storage/sqlite/database.ts";
import { SqliteDatabase } from "../../../src/storage/sqlite/sqlite-database.ts";
import { SqlRecordingIndex } from "../../../src/storage/sql/sql-recording-index.ts";
import type { RecordingBackend } from "./recording-contract.ts";

/** A bucket, and nodes that keep recordings in it, each in a folder of its own. */
export interface BucketBackend extends RecordingBackend {
  readonly objects: ObjectStore;
  readonly database: DatabaseSync;
  /** What was told, by session. */
  readonly warnings: readonly string[];
  readonly node: (options: {
    readonly clock: SetClock;
    readonly lease?: () => number | undefined;
  }) => Promise<{ readonly store: BucketRecordingStore; readonly folder: string }>;
  /** Keys of all that lies in the bucket. */
  readonly keys: () => Promise<readonly string[]>;
}

/** Starts a store of the tests. Credentials are in the environment. */
export async function startBucketBackend(): Promise<BucketBackend> {
  const stack = new AsyncDisposableStack();
  const root = await mkdtemp(join(tmpdir(), "cb-bucket-"));
  stack.defer(() => rm(root, { recursive: true, force: true }));
  const server = await startFauxqs({ port: 0, logger: false });
  stack.defer(() => server.stop());
  server.createBucket("recordings");
  const objects = await S3ObjectStore.open(
    parseBucketAddress(`s3://recordings/of/tests?endpoint=${encodeURIComponent(server.address)}`),
  );
  stack.defer(() => objects.close());
  const database = openDatabase(":memory:");
  stack.defer(() => database.close());
  const warnings: string[] = [];
  let nodes = 0;
  const node: BucketBackend["node"] = async ({ clock, lease }) => {
    nodes += 1;
    const folder = join(root, `node-${nodes}`);
    const store = await BucketRecordingStore.open({
      local: {
        folder,
        clock,
        secret: Buffer.alloc(32, 1),
        publicUrl: () => "http://127.0.0.1:1",
        onWarning: (id, what) => void warnings.push(`${id} ${what}`),
        retryDelaysMs: { first: 50, longest: 200 },
        sweepMs: 50,
      },
      objects,
      index: new SqlRecordingIndex(new SqliteDatabase(database)),
      everyMs: 200,
      retryDelaysMs: { first: 50, longest: 200 },
      sweepMs: 50,
      ...(lease && { lease }),
    });
    stack.defer(() => store.close());
    return { store, folder };
  };
  const keys = async (): Promise<readonly string[]> => (await objects.list("recordings")).map(({ key }) => key);
  return {
    objects,
    database,
    warnings,
    node,
    keys,
    open: async (clock) => (await node({ clock })).store,
    leave: async (id, startedAtMs, moments) => {
      const own = await leaveBehind(join(root, "left"), id, startedAtMs, moments);
      const state: RecordingState = JSON.parse(await readFile(join(own, "recording.json"), "utf8"));
      await new SqlRecordingIndex(new SqliteDatabase(database)).create(state);
      for (const file of (await readdir(own)).filter((name) => name.endsWith(".journal"))) {
        await objects.put(buildPartKey(id, file, 0), await readFile(join(own, file)), "application/octet-stream");
      }
    },
    get: (address) => fetch(address),
    listFiles: async (id) => (await objects.list(`recordings/${id}`)).map(({ key }) => basename(key)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
