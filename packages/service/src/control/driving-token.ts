import { createHmac, timingSafeEqual } from "node:crypto";

/** Makes and knows the credentials by which clients drive sessions; each is good for one session. Source: ours. */
export class DrivingTokens {
  readonly #secret: Uint8Array;

  /** @param secret - Kept between starts, or not: a session does not outlive its service. */
  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** The token of a session. */
  of(sessionId: string): string {
    return this.#sign(sessionId).toString("base64url");
  }

  /** Whether a token is that of a session. */
  fits(sessionId: string, token: string): boolean {
    const right = this.#sign(sessionId);
    const given = Buffer.from(token, "base64url");
    return given.length === right.length && timingSafeEqual(given, right);
  }

  #sign(sessionId: string): Buffer {
    return createHmac("sha256", this.#secret).update(`drive ${sessionId}`).digest();
  }
}
