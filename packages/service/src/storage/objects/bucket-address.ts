import { ServiceError } from "../../service-error.ts";

/** Where objects are kept. */
export interface BucketAddress {
  /** Name of the bucket. */
  readonly bucket: string;
  /** What all keys begin with, with a slash at its end; empty for none. */
  readonly prefix: string;
  /** Region of the bucket. */
  readonly region: string;
  /** Base address of a store that is not AWS; undefined for AWS. */
  readonly endpoint: string | undefined;
}

const form = "s3://bucket/prefix?region=…&endpoint=https://…";

/**
 * Reads `s3://bucket/prefix?region=…&endpoint=…`. Credentials are not in it: the SDK finds them where all AWS tools do.
 *
 * @throws {ServiceError} `usage`
 */
export function bucketAddress(text: string): BucketAddress {
  const url = URL.parse(text);
  const isFine = url?.protocol === "s3:" && /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(url.hostname);
  if (!isFine || url.username !== "" || url.password !== "" || url.port !== "" || url.hash !== "") {
    throw new ServiceError(
      "usage",
      `malformed bucket address: give ${form}; credentials are read from the environment`,
    );
  }
  const { region = "us-east-1", endpoint, ...others } = Object.fromEntries(url.searchParams);
  const [odd] = Object.keys(others);
  if (odd !== undefined) throw new ServiceError("usage", `unknown ${odd} in the bucket address: give ${form}`);
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? "")) {
    throw new ServiceError("usage", "malformed endpoint in the bucket address: give an http or https URL");
  }
  const prefix = url.pathname.replaceAll(/^\/+|\/+$/g, "");
  if (prefix !== "" && !/^[\w.-]+(?:\/[\w.-]+)*$/.test(prefix)) {
    throw new ServiceError(
      "usage",
      "malformed prefix in the bucket address: letters, digits, -, _, . and / are allowed",
    );
  }
  return { bucket: url.hostname, prefix: prefix === "" ? "" : `${prefix}/`, region, endpoint };
}
