import type { Hono } from "hono";
import type { Sessions } from "../../sessions/sessions.ts";
import { streamPictures } from "../../viewer/picture-stream.ts";
import { makeViewerPage } from "../../viewer/viewer-page.ts";
import { liveScopes } from "./live-routes.ts";
import type { SessionAccess } from "./session-access.ts";
import { answerProblem } from "../problems.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** Ends the right of a request to a viewer; undefined where that ends with the session. */
    until: AbortSignal | undefined;
  }
}

/** Parts that the live view needs. */
export interface ViewerParts {
  /** The sessions. */
  readonly sessions: Sessions;
  /** Tells who may use a session. */
  readonly accessOf: SessionAccess;
  /** Origins whose pages may embed the viewer, beside its own. */
  readonly embedOrigins: readonly string[];
}

/** The page runs its own script, and shows its own pictures, and nothing else. */
const policy =
  "default-src 'none'; img-src 'self' data:; connect-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-ancestors";

/** The page that shows a session live; its address is the credential. Source: interface § Events (`viewer_url`). */
export function addViewerRoutes(app: Hono, { sessions, accessOf, embedOrigins }: ViewerParts): void {
  app.use("/viewer/:session_id/*", async (c, next) => {
    const access = await accessOf(c.req.param("session_id"), c.req.query("token"), undefined, liveScopes);
    if (access) {
      c.set("until", access.until);
      return next();
    }
    return answerProblem(403, "invalid viewer URL: use viewer_url exactly as given");
  });
  app.get("/viewer/:session_id/page", async (c) => {
    const id = c.req.param("session_id");
    const query = new URLSearchParams({ token: c.req.query("token") ?? "" }).toString();
    const hasEnded = (await sessions.getRecord(id)).ended_ms !== null;
    return c.html(makeViewerPage(id, hasEnded ? undefined : `pictures?${query}`), 200, {
      "content-security-policy": [policy, "'self'", ...embedOrigins].join(" "),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    });
  });
  app.get("/viewer/:session_id/state", async (c) => {
    const { ended_ms } = await sessions.getRecord(c.req.param("session_id"));
    return c.json({ state: ended_ms === null ? "active" : "ended" });
  });
  app.get("/viewer/:session_id/pictures", async (c) => {
    const session = await sessions.get(c.req.param("session_id"));
    const { lost } = session.pooledContext;
    const until: AbortSignal | undefined = c.get("until");
    const ended = until ? Promise.race([lost, waitForAbort(until)]) : lost;
    return streamPictures((listener) => session.watch(listener), ended);
  });
}

/** Resolves when a signal aborts. */
function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
