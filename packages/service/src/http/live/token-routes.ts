import type { Hono } from "hono";
import { compileValidator } from "../../control/control-schemas.ts";
import type { SessionTokens, SessionUrls } from "../../control/session-tokens.ts";
import type { MadeToken, TokenScope } from "../../sessions/made-tokens.ts";
import { toFaults } from "../../control/validation-faults.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { requireJson } from "../json-body.ts";
import { answerInvalid, answerProblem } from "../problems.ts";

/** Parts that the routes of tokens need. */
export interface TokenRouteParts {
  /** The sessions. */
  readonly sessions: Sessions;
  /** Writes tokens. */
  readonly tokens: Pick<SessionTokens, "write">;
  /** Addresses of sessions. */
  readonly urls: Pick<SessionUrls, "cdpUrl" | "viewerUrl" | "liveUrl">;
}

/** Body of a request for a token. */
interface CreateToken {
  readonly scope: TokenScope;
  readonly lifetime_s?: number;
}

/** How long a token is valid, in seconds, where the request says nothing. */
const defaultLifetimeS = 3_600;

const validate = compileValidator<CreateToken>("CreateToken");
const path = "/control/sessions/:session_id/tokens";

/** How tokens of sessions are made, listed and withdrawn, by the key that created the session. */
export function addTokenRoutes(app: Hono, { sessions, tokens, urls }: TokenRouteParts): void {
  app.post(path, async (c) => {
    const json = await requireJson(c.req.raw);
    if (json instanceof Response) return json;
    const { value } = json;
    if (!validate(value)) return answerInvalid(toFaults(validate.errors ?? []));
    const session = await sessions.get(c.req.param("session_id"), c.get("holder").name);
    const newToken = session.tokens.make(value.scope, (value.lifetime_s ?? defaultLifetimeS) * 1_000);
    const token = tokens.write(session.id, newToken);
    const drives = value.scope === "drive";
    const links = {
      token,
      cdp_url: drives ? urls.cdpUrl(session.id, token) : null,
      viewer_url: drives ? null : urls.viewerUrl(session.id, token),
      live_url: drives ? null : urls.liveUrl(session.id, token),
    };
    return c.json({ ...describeToken(newToken), ...links }, 201, { "cache-control": "no-store" });
  });
  app.get(path, async (c) => {
    const session = await sessions.get(c.req.param("session_id"), c.get("holder").name);
    return c.json({ tokens: session.tokens.all.map(describeToken) });
  });
  app.delete(`${path}/:token_id`, async (c) => {
    const session = await sessions.get(c.req.param("session_id"), c.get("holder").name);
    const isThere = session.tokens.withdraw(c.req.param("token_id"));
    return isThere
      ? c.body(null, 204)
      : answerProblem(404, "the session has no such token: it was withdrawn, or has expired");
  });
}

/** A token as it is listed: without itself, which is a secret. */
function describeToken({ id, scope, expiresMs }: MadeToken): Readonly<Record<string, string>> {
  return { token_id: id, scope, expires_at: new Date(expiresMs).toISOString() };
}
