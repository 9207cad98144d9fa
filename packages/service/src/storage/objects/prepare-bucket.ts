import type { BucketLocationConstraint, LifecycleRule, S3Client } from "@aws-sdk/client-s3";
import pRetry from "p-retry";
import type { BucketAddress } from "./bucket-address.ts";
import {
  makeEndpointOptions,
  lacksCredentials,
  loadSdk,
  isNamedError,
  convertStoreErrors,
  quiet,
  findStoreStatus,
} from "./s3-client.ts";

/** Result of preparing a bucket. */
export interface PreparedBucket {
  /** True when it was created; false when it existed. */
  readonly isNew: boolean;
  /** Prefix of the keys that the lifecycle rule applies to. */
  readonly prefix: string;
}

/** Name of our rule, by which it is found again. */
const ruleId = "cloud-browser-recordings";

/**
 * Creates the bucket if it does not exist, and adds a lifecycle rule that deletes recordings after some days: in case no node is there to
 * do it, or something was left. Rules of others stay.
 *
 * @param days - After which an object is deleted, counted from when it was stored: more than a session and its recording are kept.
 * @param waitMs - How long to wait for a store that does not answer yet, or is not ready, in milliseconds. Default: not at all.
 * @throws {ServiceError} `usage` when packages are missing; `storage-failed`.
 */
export async function prepareBucket(address: BucketAddress, days: number, waitMs = 0): Promise<PreparedBucket> {
  const sdk = await loadSdk();
  const { bucket: Bucket, region } = address;
  const client: S3Client = new sdk.S3Client({ region, ...makeEndpointOptions(address.endpoint), ...quiet });
  const prefix = `${address.prefix}recordings/`;
  const ours: LifecycleRule = {
    ID: ruleId,
    Status: "Enabled",
    Filter: { Prefix: prefix },
    Expiration: { Days: days },
  };
  try {
    const prepare = async (): Promise<PreparedBucket> => {
      const isNew = await client.send(new sdk.HeadBucketCommand({ Bucket })).then(
        () => false,
        (error: unknown) => {
          if (isNamedError(error, "NotFound", "NoSuchBucket")) return true;
          throw error;
        },
      );
      if (isNew) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- regions are named by the store
        const LocationConstraint = region as BucketLocationConstraint;
        const elsewhere = region === "us-east-1" ? {} : { CreateBucketConfiguration: { LocationConstraint } };
        await client.send(new sdk.CreateBucketCommand({ Bucket, ...elsewhere }));
      }
      const { Rules = [] } = await client
        .send(new sdk.GetBucketLifecycleConfigurationCommand({ Bucket }))
        .catch((error: unknown) => {
          if (isNamedError(error, "NoSuchLifecycleConfiguration")) return { Rules: [] };
          throw error;
        });
      const others = Rules.filter(({ ID }) => ID !== ruleId);
      await client.send(
        new sdk.PutBucketLifecycleConfigurationCommand({
          Bucket,
          LifecycleConfiguration: { Rules: [...others, ours] },
        }),
      );
      return { isNew, prefix };
    };
    return await convertStoreErrors(() =>
      pRetry(prepare, {
        retries: waitMs > 0 ? Infinity : 0,
        maxRetryTime: waitMs,
        minTimeout: 500,
        maxTimeout: 2_000,
        shouldRetry: ({ error }) => (findStoreStatus(error) ?? Infinity) >= 500 && !lacksCredentials(error),
      }),
    );
  } finally {
    client.destroy();
  }
}
