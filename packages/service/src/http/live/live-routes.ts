import type { Hono } from "hono";
import type { TokenScope } from "../../sessions/made-tokens.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { answerProblem } from "../problems.ts";
import type { SessionAccess } from "./session-access.ts";

/** Parts that the routes beside the live socket need. */
export interface LiveRouteParts {
  /** The sessions. */
  readonly sessions: Sessions;
  /** Tells who may use a session. */
  readonly accessOf: SessionAccess;
}

/** Scopes of tokens that open a live socket. */
export const liveScopes: readonly TokenScope[] = ["watch", "steer"];

/** Paths that check credentials themselves. */
export const livePaths = /^\/control\/sessions\/[^/]+\/live(?:\/access)?\/?$/;

/** Answer to a request to a live socket without a credential for it. */
export const noLiveCredential =
  "the token or the API key is missing or invalid: use a token of the scope watch or steer, or the API key that created the session";

const path = "/control/sessions/:session_id/live";

/** Adds the routes at the address of a live socket for other requests: they say what a credential allows, as a page can't see why a WebSocket is refused. */
export function addLiveRoutes(app: Hono, { sessions, accessOf }: LiveRouteParts): void {
  app.get(path, () =>
    answerProblem(426, "this is a WebSocket: connect to it with ws in place of http", {
      upgrade: "websocket",
      connection: "upgrade",
    }),
  );
  app.get(`${path}/access`, async (c) => {
    const id = c.req.param("session_id");
    const access = await accessOf(id, c.req.query("token"), c.req.raw, liveScopes);
    if (!access) return answerProblem(401, noLiveCredential);
    const { viewers } = await sessions.get(id, access.key);
    const scope = access.scope === "watch" ? "watch" : "steer";
    return c.json({ scope, viewers }, 200, { "cache-control": "no-store" });
  });
}
