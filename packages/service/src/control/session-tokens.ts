import { createHmac, timingSafeEqual } from "node:crypto";
import type { PublicUrl } from "../request-context.ts";

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

/** Addresses of sessions, each with its credential. */
export class SessionUrls {
  readonly #publicUrl: Pick<PublicUrl, "current">;
  readonly #tokens: Pick<SessionTokens, "of">;

  constructor(publicUrl: Pick<PublicUrl, "current">, tokens: Pick<SessionTokens, "of">) {
    this.#publicUrl = publicUrl;
    this.#tokens = tokens;
  }

  /** Returns the WebSocket address that drives a session. */
  cdpUrl(sessionId: string): string {
    const base = this.#publicUrl.current.replace(/^http/, "ws");
    return `${base}/control/sessions/${sessionId}/cdp?token=${this.#tokens.of("drive", sessionId)}`;
  }

  /** Returns the address of the page that shows a session live. */
  viewerUrl(sessionId: string): string {
    return `${this.#publicUrl.current}/viewer/${sessionId}/page?token=${this.#tokens.of("view", sessionId)}`;
  }
}
