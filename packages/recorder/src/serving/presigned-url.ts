import { createHmac, timingSafeEqual } from "node:crypto";

/** File that a presigned URL gives access to, and until when. */
export interface Grant {
  /** Id of the session. */
  readonly sessionId: string;
  /** Name of the file. */
  readonly file: string;
  /** Expiry, in milliseconds since 1970; at that moment it is refused. */
  readonly expiresAtMs: number;
}

/** Creates and verifies presigned URLs of files: each has an expiry time, and is signed with HMAC-SHA256. */
export class Presigner {
  readonly #secret: Uint8Array;
  readonly #publicUrl: () => string;

  /**
   * @param secret - Key of the signatures, at least 32 bytes.
   * @param publicUrl - Address of the service as its callers see it.
   */
  constructor(secret: Uint8Array, publicUrl: () => string) {
    this.#secret = secret;
    this.#publicUrl = publicUrl;
  }

  /** The address of a file: `{publicUrl}/recordings/{session}/{file}?expires=…&signature=…`. */
  address(grant: Grant): string {
    const url = new URL(`${this.#publicUrl().replace(/\/+$/u, "")}/recordings/${grant.sessionId}/${grant.file}`);
    url.searchParams.set("expires", String(grant.expiresAtMs));
    url.searchParams.set("signature", this.#sign(grant).toString("base64url"));
    return url.href;
  }

  /** Returns whether a query opens a file at a moment (milliseconds since 1970); when not, why. */
  verdict(
    sessionId: string,
    file: string,
    query: URLSearchParams,
    nowMs: number,
  ): "good" | "unsigned" | "expired" | "wrong" {
    const [expires, ...moreExpires] = query.getAll("expires");
    const [signature, ...moreSignatures] = query.getAll("signature");
    if (expires === undefined || signature === undefined) return "unsigned";
    if (moreExpires.length > 0 || moreSignatures.length > 0 || !/^\d{1,15}$/u.test(expires)) return "wrong";
    const expiresAtMs = Number(expires);
    const expected = this.#sign({ sessionId, file, expiresAtMs }).toString("base64url");
    // Compared as text: other base64 spellings of the signature are rejected.
    const actual = Buffer.from(signature);
    if (String(expiresAtMs) !== expires || actual.length !== expected.length) return "wrong";
    if (!timingSafeEqual(actual, Buffer.from(expected))) return "wrong";
    return nowMs < expiresAtMs ? "good" : "expired";
  }

  #sign({ sessionId, file, expiresAtMs }: Grant): Buffer {
    return createHmac("sha256", this.#secret)
      .update(JSON.stringify([sessionId, file, expiresAtMs]))
      .digest();
  }
}
