import type { S3Client } from "@aws-sdk/client-s3";

/** The parts of the SDK that are used. */
export type S3Sdk = typeof import("@aws-sdk/client-s3") &
  Pick<typeof import("@aws-sdk/s3-request-presigner"), "getSignedUrl" | "S3RequestPresigner">;

/** Bucket and full key of an object. */
interface Place {
  readonly Bucket: string;
  readonly Key: string;
}

/** The first URL that the SDK made, and its key: the template of all others. */
interface Pattern {
  readonly url: URL;
  readonly key: string;
}

/** Parameters that a signature adds. */
const ofSignature = /^X-Amz-/;

/**
 * Presigns URLs of objects of one bucket. The SDK goes through all of its middleware for each of them, which takes ten times as long as
 * the signature: so it makes the first one, and the others are signed like it, where that gives the same for the first one.
 */
export class UrlPresigner {
  readonly #sdk: S3Sdk;
  readonly #client: S3Client;
  readonly #options: { readonly expiresIn: number; readonly signingDate: Date };
  #pattern: Pattern | "none" | undefined;

  /** @param expiresAtMs - In milliseconds since 1970. */
  constructor(sdk: S3Sdk, client: S3Client, expiresAtMs: number) {
    this.#sdk = sdk;
    this.#client = client;
    // Signatures have a resolution of one second.
    // oxlint-disable-next-line no-restricted-properties -- the signature names this moment
    const nowS = Math.floor(Date.now() / 1_000);
    const expiresIn = Math.max(Math.floor(expiresAtMs / 1_000) - nowS, 1);
    this.#options = { expiresIn, signingDate: new Date(nowS * 1_000) };
  }

  /** Presigns the URL of an object. */
  async presign(place: Place): Promise<string> {
    if (this.#pattern !== undefined && this.#pattern !== "none") return this.#signLike(this.#pattern, place.Key);
    const url = await this.#sdk.getSignedUrl(this.#client, new this.#sdk.GetObjectCommand(place), this.#options);
    if (this.#pattern === undefined) {
      const pattern = { url: new URL(url), key: place.Key };
      const isSame =
        pattern.url.pathname.endsWith(`/${place.Key}`) && (await this.#signLike(pattern, place.Key)) === url;
      this.#pattern = isSame ? pattern : "none";
    }
    return url;
  }

  async #signLike({ url, key }: Pattern, other: string): Promise<string> {
    const { protocol, hostname, port, host, pathname, searchParams } = url;
    const path = pathname.slice(0, -key.length) + other;
    const query = Object.fromEntries([...searchParams].filter(([name]) => !ofSignature.test(name)));
    const signer = new this.#sdk.S3RequestPresigner({ ...this.#client.config });
    const request = {
      method: "GET",
      protocol,
      hostname,
      ...(port !== "" && { port: Number(port) }),
      path,
      query,
      headers: { host },
    };
    const signature = await signer.presign(request, this.#options);
    const pairs = Object.entries(signature.query ?? {}).map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
    );
    return `${protocol}//${host}${path}?${pairs.sort().join("&")}`;
  }
}
