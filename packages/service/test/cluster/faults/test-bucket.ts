import { startFauxqs } from "fauxqs";
import { vi } from "vitest";
import { parseBucketAddress } from "../../../src/storage/objects/bucket-address.ts";
import type { ObjectStore } from "../../../src/storage/objects/object-store.ts";
import { S3ObjectStore } from "../../../src/storage/objects/s3-object-store.ts";

/** A bucket of the tests, and what lies in it. */
export interface TestBucket extends AsyncDisposable {
  /** Where its store is, as an address of http. */
  readonly endpoint: string;
  /** Reads it directly. */
  readonly objects: ObjectStore;
  /** The flags of a node that keeps recordings in it. Default: its store is asked at its own address. */
  readonly args: (endpoint?: string) => readonly string[];
  /** Keys of all that lies in it, or of what belongs to a session. */
  readonly keys: (sessionId?: string) => Promise<readonly string[]>;
}

const bucketAt = (endpoint: string): string => `s3://recordings?endpoint=${encodeURIComponent(endpoint)}`;

/** Starts a store with an empty bucket. Its credentials are in the environment until it is disposed. */
export async function startBucket(): Promise<TestBucket> {
  const stack = new AsyncDisposableStack();
  vi.stubEnv("AWS_ACCESS_KEY_ID", "of-the-tests");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret-of-the-tests");
  stack.defer(() => void vi.unstubAllEnvs());
  const server = await startFauxqs({ port: 0, logger: false });
  stack.defer(() => server.stop());
  server.createBucket("recordings");
  const objects = await S3ObjectStore.open(parseBucketAddress(bucketAt(server.address)));
  stack.defer(() => objects.close());
  return {
    endpoint: server.address,
    objects,
    args: (endpoint = server.address) => ["--bucket", bucketAt(endpoint)],
    keys: async (sessionId) =>
      (await objects.list(sessionId === undefined ? "recordings" : `recordings/${sessionId}`)).map(({ key }) => key),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
