import type { Hono } from "hono";
import type { SessionTokens } from "../control/session-tokens.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { pictureStream } from "../viewer/picture-stream.ts";
import { viewerPage } from "../viewer/viewer-page.ts";
import { problem } from "./problems.ts";

/** Parts that the live view needs. */
export interface ViewerParts {
  /** The sessions. */
  readonly sessions: Sessions;
  /** Tells whether a token gives the right to view a session. */
  readonly tokens: Pick<SessionTokens, "fits">;
}

/** The page runs its own script, and shows its own pictures, and nothing else. */
const policy =
  "default-src 'none'; img-src 'self' data:; connect-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-ancestors 'self'";

/** The page that shows a session live; its address is the credential. Source: interface § Events (`viewer_url`). */
export function addViewerRoutes(app: Hono, { sessions, tokens }: ViewerParts): void {
  app.use("/viewer/:session_id/*", async (c, next) => {
    if (tokens.fits("view", c.req.param("session_id"), c.req.query("token"))) return next();
    return problem(403, "invalid viewer URL: use viewer_url exactly as given");
  });
  app.get("/viewer/:session_id/page", async (c) => {
    const id = c.req.param("session_id");
    const query = new URLSearchParams({ token: c.req.query("token") ?? "" }).toString();
    const hasEnded = (await sessions.record(id)).ended_ms !== null;
    return c.html(viewerPage(id, hasEnded ? undefined : `pictures?${query}`), 200, {
      "content-security-policy": policy,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    });
  });
  app.get("/viewer/:session_id/state", async (c) => {
    const { ended_ms } = await sessions.record(c.req.param("session_id"));
    return c.json({ state: ended_ms === null ? "active" : "ended" });
  });
  app.get("/viewer/:session_id/pictures", async (c) => {
    const session = await sessions.get(c.req.param("session_id"));
    return pictureStream((listener) => session.watch(listener), session.pooledContext.lost);
  });
}
