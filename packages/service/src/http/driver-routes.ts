import type { Context, Hono } from "hono";
import type { SessionTokens, SessionUrls } from "../control/session-tokens.ts";
import type { DriverGuard } from "./drivers.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { answerProblem } from "./problems.ts";

/** Parts that the routes need by which drivers find a session's WebSocket. */
export interface DriverRouteParts {
  /** The sessions. */
  readonly sessions: Sessions;
  /** Addresses of sessions. */
  readonly urls: Pick<SessionUrls, "cdpUrl">;
  /** Returns the credential by which a request may drive a session. */
  readonly driverOf: DriverGuard;
  /** Finds the session that a token is good for. */
  readonly tokens: Pick<SessionTokens, "findSession">;
}

const path = "/control/sessions/:session_id/cdp";

/** Paths that check credentials themselves, or are public. */
export const driverPaths = /^(?:\/control\/sessions\/[^/]+\/cdp(?:\/json\/version)?|\/json\/version)\/?$/;

const howToConnect =
  "this is a WebSocket: connect with the cdp_url of the session as it is, by chromium.connectOverCDP(cdp_url) of Playwright or connect({ browserWSEndpoint: cdp_url }) of Puppeteer. Clients that want an address of http take the same one with http instead of ws";

const refuseStranger = (): Response =>
  answerProblem(
    401,
    "the token or the API key is missing or invalid: use the cdp_url of the session, with http instead of ws",
  );

/**
 * How a driver that is given an address of http finds the WebSocket of a session, as it does with Chromium: at `json/version` below of the
 * address that it has (Playwright, with or without the token), or at that of the whole server (Puppeteer and others), by the token alone.
 */
export function addDriverRoutes(app: Hono, { sessions, urls, driverOf, tokens }: DriverRouteParts): void {
  app.get(path, (c) => {
    const [token, below] = readToken(c);
    if (below) return describeVersion(c, c.req.param("session_id"), token);
    return answerProblem(426, howToConnect, { upgrade: "websocket", connection: "upgrade" });
  });
  app.get(`${path}/`, () => answerProblem(426, howToConnect, { upgrade: "websocket", connection: "upgrade" }));
  for (const end of ["", "/"]) {
    app.get(`${path}/json/version${end}`, (c) => describeVersion(c, c.req.param("session_id"), readToken(c)[0]));
    app.get(`/json/version${end}`, (c) => {
      const [token] = readToken(c);
      const id = tokens.findSession("drive", token);
      return id === undefined ? refuseStranger() : describeVersion(c, id, token);
    });
  }

  async function describeVersion(c: Context, id: string, token: string | null): Promise<Response> {
    const driver = await driverOf(id, token, c.req.raw);
    if (!driver) return refuseStranger();
    const { pooledContext: pooled } = await sessions.get(id, driver.key);
    const browser = pooled.context.browser()?.version() ?? "";
    const body = { Browser: `Chrome/${browser}`, "Protocol-Version": "1.3", webSocketDebuggerUrl: urls.cdpUrl(id) };
    return c.json(body, 200, { "cache-control": "no-store" });
  }
}

/** The token of a request, and whether the path follows it in the query: Playwright until 1.54 writes `…/cdp?token=…/json/version/`. */
function readToken(c: Context): [token: string | null, below: boolean] {
  const value = c.req.query("token");
  if (value === undefined) return [null, false];
  const token = value.replace(/\/json\/version\/?$/, "");
  return [token, token !== value];
}
