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

  /** The token of a session: it names the session, and is signed. */
  of(right: Right, sessionId: string): string {
    return `${sessionId}.${this.#sign(right, sessionId).toString("base64url")}`;
  }

  /** The session that a token is good for; undefined when it is good for none. */
  sessionOf(right: Right, token: string | null | undefined): string | undefined {
    const [, sessionId] = /^([\w-]+)\.[\w-]+$/.exec(token ?? "") ?? [];
    if (sessionId === undefined) return undefined;
    // The text is compared: the last character of base64 stands for the same bytes in several spellings.
    const [given, valid] = [Buffer.from(token ?? ""), Buffer.from(this.of(right, sessionId))];
    return given.length === valid.length && timingSafeEqual(given, valid) ? sessionId : undefined;
  }

  /** Returns whether a token is that of a session. */
  fits(right: Right, sessionId: string, token: string | null | undefined): boolean {
    return this.sessionOf(right, token) === sessionId;
  }

  #sign(right: Right, sessionId: string): Buffer {
    return createHmac("sha256", this.#secret).update(`${right} ${sessionId}`).digest();
  }
}
