import type { PublicUrl } from "../public-url.ts";
import type { SessionTokens } from "./session-tokens.ts";

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
