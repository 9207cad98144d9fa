import type { SessionTokens } from "../../control/session-tokens.ts";
import type { TokenScope } from "../../sessions/made-tokens.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { KeyGuard } from "../authentication.ts";

/** Credential of a request for a session, and what it allows. */
export interface Access {
  /** Name of the key of the request; undefined if it has a token of this session. */
  readonly key?: string | null;
  /** Rights of the caller. A key may do everything. */
  readonly scope: TokenScope;
  /** Aborts, with the reason as a text, when the token expires or is withdrawn; undefined for what is valid as long as the session. */
  readonly until?: AbortSignal;
}

/**
 * Returns by what right a request uses a session: a token, which is valid for that session, or an API key, which is valid for the sessions
 * that it created. Undefined: by none that is in the scopes.
 */
export type SessionAccess = (
  sessionId: string,
  token: string | null | undefined,
  request: Request | undefined,
  scopes: readonly TokenScope[],
) => Promise<Access | undefined>;

/** Parts that tell who may use a session. */
export interface SessionAccessParts {
  /** Reads tokens. */
  readonly tokens: Pick<SessionTokens, "read">;
  /** Sessions, which know what was withdrawn. */
  readonly sessions: Pick<Sessions, "open">;
  /** Reads the keys of requests. */
  readonly holderOf: KeyGuard;
}

/** Makes the guard of the right of tokens, and of that of keys that have the role `use`. Another node judges what was withdrawn of its own sessions. */
export function makeSessionAccess({ tokens, sessions, holderOf }: SessionAccessParts): SessionAccess {
  return async (id, credential, request, scopes) => {
    const token = tokens.read(credential);
    if (token && token.sessionId === id && scopes.includes(token.scope)) {
      const { scope, tokenId } = token;
      const session = sessions.open.find((one) => one.id === id);
      if (tokenId === undefined || !session) return { scope };
      const until = session.tokens.findWithdrawal(tokenId);
      if (until) return { scope, until };
    }
    const holder = request && (await holderOf(request));
    return holder?.roles.includes("use") ? { key: holder.name, scope: "drive" } : undefined;
  };
}
