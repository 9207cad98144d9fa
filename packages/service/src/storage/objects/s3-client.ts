import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { ServiceError } from "../../service-error.ts";
import type { S3Sdk } from "./bucket-presigner.ts";

/** Checksums in trailers are beyond what many stores understand. */
export const checksums = {
  requestChecksumCalculation: "WHEN_REQUIRED",
  responseChecksumValidation: "WHEN_REQUIRED",
} as const;

const ignore = (): void => undefined;

/** The SDK writes to the console where it is given no logger; its faults are thrown, and told by who asked. */
export const quiet = { logger: { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore } };

/** How a client reaches a store: without an endpoint, AWS. */
export function makeEndpointOptions(endpoint: string | undefined): Pick<S3ClientConfig, "endpoint" | "forcePathStyle"> {
  return endpoint === undefined ? {} : { endpoint, forcePathStyle: true };
}

/**
 * Loads the S3 SDK on demand: a service that keeps recordings in a folder does not need it.
 *
 * aws4fetch would be smaller, and signs with the keys that it is given. Profiles, roles of instances and pods, and their renewal are in the
 * SDK's chain of credentials, which would have to be installed beside it, and listing and errors (XML) would be ours.
 */
export async function loadSdk(): Promise<S3Sdk> {
  try {
    const [s3, { getSignedUrl, S3RequestPresigner }] = await Promise.all([
      import("@aws-sdk/client-s3"),
      import("@aws-sdk/s3-request-presigner"),
    ]);
    return { ...s3, getSignedUrl, S3RequestPresigner };
  } catch (cause) {
    const packages = "@aws-sdk/client-s3 @aws-sdk/s3-request-presigner";
    throw new ServiceError("usage", `the packages for S3 are missing: npm install ${packages}`, { cause });
  }
}

/** Does something with a store. @throws {ServiceError} `storage-failed`, without addresses and signatures. */
export async function convertStoreErrors<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const cause = withoutRequest(error);
    const message = lacksCredentials(error)
      ? "no credentials for the object store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile or role"
      : `the object store can't be used (${describeReason(error)}); try again`;
    throw new ServiceError("storage-failed", message, { cause });
  }
}

/** Removes the request, which has the signature, from an error of the SDK. */
function withoutRequest(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack } = error;
  return Object.assign(new Error(message), { name, stack });
}

/** Returns the reason of an error: the name that the store gave it, or the system's error code. Messages may contain addresses. */
function describeReason(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  if ("code" in error && typeof error.code === "string") return error.code;
  const status = findStoreStatus(error);
  if (error.name === "Error") return error.message;
  return status === undefined ? error.name : `${error.name}, HTTP ${status}`;
}

/** Returns the HTTP status of a store's response; undefined when there was none. */
export function findStoreStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("$metadata" in error)) return undefined;
  const { $metadata: about } = error;
  if (typeof about !== "object" || about === null || !("httpStatusCode" in about)) return undefined;
  return typeof about.httpStatusCode === "number" ? about.httpStatusCode : undefined;
}

/** Tells whether no credentials were found, in the environment or elsewhere. No request was sent then. */
export function lacksCredentials(error: unknown): boolean {
  return isNamedError(error, "CredentialsProviderError");
}

/** Tells whether an error is one of those that stores give such a name. */
export function isNamedError(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof Error && names.includes(error.name);
}
