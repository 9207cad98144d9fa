import { createHmac, timingSafeEqual } from "node:crypto";
import type { PublicUrl } from "../request-context.ts";
import type { MadeToken, TokenScope } from "../sessions/made-tokens.ts";

/** Right that a permanent token of a session gives: `drive` it, or `view` it. */
export type Right = "drive" | "view";

/** Contents of a valid token. */
export interface ReadToken {
  /** The session that it is good for. */
  readonly sessionId: string;
  /** Right that it gives. */
  readonly scope: TokenScope;
  /** Id of a token that was made; undefined for the two that every session has. Only the session knows whether it was withdrawn. */
  readonly tokenId?: string;
}

/** Issues and verifies tokens for single sessions: each is valid for one session and one right. */
export class SessionTokens {
  readonly #secret: Uint8Array;

  /** @param secret - Of this service; another one makes all tokens void. */
  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** The token of a session: it names the session, and is signed. */
  sign(right: Right, sessionId: string): string {
    return `${sessionId}.${this.#sign(`${right} ${sessionId}`)}`;
  }

  /** Writes a token that was made for a session. */
  write(sessionId: string, { id, scope, expiresMs }: MadeToken): string {
    const signature = this.#sign(`made ${sessionId} ${id} ${scope} ${expiresMs}`);
    return `${sessionId}.${id}.${scope}.${expiresMs}.${signature}`;
  }

  /** Reads a token; undefined when it is none of this service, or has expired. Whether it was withdrawn is not checked here. */
  read(token: string | null | undefined): ReadToken | undefined {
    if (token === null || token === undefined) return undefined;
    const [, sessionId = "", id, scope, expires] =
      /^([\w-]+)(?:\.([\w-]+)\.(watch|steer|drive)\.(\d{1,15}))?\.[\w-]+$/.exec(token) ?? [];
    if (sessionId === "") return undefined;
    if (id === undefined) {
      if (isSame(token, this.sign("drive", sessionId))) return { sessionId, scope: "drive" };
      return isSame(token, this.sign("view", sessionId)) ? { sessionId, scope: "watch" } : undefined;
    }
    if (!isScope(scope) || !isSame(token, this.write(sessionId, { id, scope, expiresMs: Number(expires) })))
      return undefined;
    // oxlint-disable-next-line no-restricted-properties -- the token names the moment
    return Date.now() < Number(expires) ? { sessionId, scope, tokenId: id } : undefined;
  }

  /** The session that a token lets its holder drive; undefined when there is none. */
  findSession(right: "drive", token: string | null | undefined): string | undefined {
    const parts = this.read(token);
    return parts?.scope === right ? parts.sessionId : undefined;
  }

  #sign(text: string): string {
    return createHmac("sha256", this.#secret).update(text).digest("base64url");
  }
}

/** Compares the texts: the last character of base64 stands for the same bytes in several spellings. */
function isSame(token: string, valid: string): boolean {
  const [one, other] = [Buffer.from(token), Buffer.from(valid)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function isScope(text: string | undefined): text is TokenScope {
  return text === "watch" || text === "steer" || text === "drive";
}

/** Addresses of sessions, each with its credential. */
export class SessionUrls {
  readonly #publicUrl: Pick<PublicUrl, "current">;
  readonly #tokens: Pick<SessionTokens, "sign">;

  constructor(publicUrl: Pick<PublicUrl, "current">, tokens: Pick<SessionTokens, "sign">) {
    this.#publicUrl = publicUrl;
    this.#tokens = tokens;
  }

  /** Returns the WebSocket address that drives a session. @param token - Default: the one that the session has from its beginning. */
  cdpUrl(sessionId: string, token = this.#tokens.sign("drive", sessionId)): string {
    return `${this.#webSocketBase}/control/sessions/${sessionId}/cdp?token=${token}`;
  }

  /** Returns the address of the page that shows a session live. @param token - As of `cdpUrl`. */
  viewerUrl(sessionId: string, token = this.#tokens.sign("view", sessionId)): string {
    return `${this.#publicUrl.current}/viewer/${sessionId}/page?token=${token}`;
  }

  /** Returns the address of the live socket of a session. */
  liveUrl(sessionId: string, token: string): string {
    return `${this.#webSocketBase}/control/sessions/${sessionId}/live?token=${token}`;
  }

  get #webSocketBase(): string {
    return this.#publicUrl.current.replace(/^http/, "ws");
  }
}
