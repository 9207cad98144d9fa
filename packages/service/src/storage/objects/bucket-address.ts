import { ServiceError } from "../../service-error.ts";

/** Address of a bucket. */
export interface BucketAddress {
  /** Name of the bucket. */
  readonly bucket: string;
  /** Prefix of all keys, with a trailing slash; empty for none. */
  readonly prefix: string;
  /** Region of the bucket. */
  readonly region: string;
  /** Base address of a store that is not AWS; undefined for AWS. */
  readonly endpoint: string | undefined;
  /** Base address of the store as clients of the service reach it; undefined when that is the same. */
  readonly publicEndpoint: string | undefined;
}

const form = "s3://bucket/prefix?region=…&endpoint=https://…&public-endpoint=https://…";

/**
 * Reads `s3://bucket/prefix?region=…&endpoint=…&public-endpoint=…`. Credentials are not in it: the SDK finds them where all AWS tools do.
 *
 * @throws {ServiceError} `usage`
 */
export function parseBucketAddress(text: string): BucketAddress {
  const url = URL.parse(text);
  // What stands before a colon or an @ is a credential.
  const bucket = /^s3:\/\/([^/?#@:]*)(?=[/?#]|$)/u.exec(text)?.[1];
  if (bucket !== undefined && !/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(bucket)) {
    const rule = "give 3 to 63 lower-case letters, digits, . and -, with a letter or digit at both ends";
    throw new ServiceError("usage", `malformed bucket name ${JSON.stringify(bucket)} in the bucket address: ${rule}`);
  }
  const isFine = url?.protocol === "s3:" && /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(url.hostname);
  if (!isFine || url.username !== "" || url.password !== "" || url.port !== "" || url.hash !== "") {
    throw new ServiceError(
      "usage",
      `malformed bucket address: give ${form}; credentials are read from the environment`,
    );
  }
  const {
    region = "us-east-1",
    endpoint,
    "public-endpoint": publicEndpoint,
    ...others
  } = Object.fromEntries(url.searchParams);
  const [odd] = Object.keys(others);
  if (odd !== undefined) throw new ServiceError("usage", `unknown ${odd} in the bucket address: give ${form}`);
  for (const [name, value] of Object.entries({ endpoint, "public-endpoint": publicEndpoint })) {
    if (value === undefined || /^https?:$/.test(URL.parse(value)?.protocol ?? "")) continue;
    throw new ServiceError("usage", `malformed ${name} in the bucket address: give an http or https URL`);
  }
  const prefix = url.pathname.replaceAll(/^\/+|\/+$/g, "");
  if (prefix !== "" && !/^[\w.-]+(?:\/[\w.-]+)*$/.test(prefix)) {
    throw new ServiceError(
      "usage",
      "malformed prefix in the bucket address: letters, digits, -, _, . and / are allowed",
    );
  }
  return { bucket: url.hostname, prefix: prefix === "" ? "" : `${prefix}/`, region, endpoint, publicEndpoint };
}
