import { createHmac, timingSafeEqual } from "node:crypto";

/** Right that a token gives: driving a session, or looking at it. */
export type Right = "drive" | "view";

/** Issues and verifies tokens for single sessions: each is valid for one session and one right. */
export class SessionTokens {
  readonly #secret: Uint8Array;

  /** @param secret - Of this service; another one makes all tokens void. */
  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** The token of a session. */
  of(right: Right, sessionId: string): string {
    return this.#sign(right, sessionId).toString("base64url");
  }

  /** Returns whether a token is that of a session. */
  fits(right: Right, sessionId: string, token: string | null | undefined): boolean {
    if (typeof token !== "string") return false;
    const signature = this.#sign(right, sessionId);
    const given = Buffer.from(token, "base64url");
    return given.length === signature.length && timingSafeEqual(given, signature);
  }

  #sign(right: Right, sessionId: string): Buffer {
    return createHmac("sha256", this.#secret).update(`${right} ${sessionId}`).digest();
  }
}
