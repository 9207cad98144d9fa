import type { components } from "@cloud-browser/spec/types";
import type { Hono } from "hono";
import type { Session } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { readJson } from "./json-body.ts";
import { invalid, problem } from "./problems.ts";
import { asScrapeRequest, booleanQuery, type ScrapeRequest } from "./scrape-request.ts";

type DataSpace = components["schemas"]["DataSpace"];
type CookiesResponse = components["schemas"]["CookiesResponse"];
type ReplayResponse = components["schemas"]["ReplayResponse"];

/** Parts that the session-scoped endpoints need. */
export interface InterfaceParts {
  /** The sessions. */
  readonly sessions: Sessions;
  /** Scrapes the page that a session is on. */
  readonly scrape: (session: Session, request: ScrapeRequest) => Promise<DataSpace>;
  /** Reads the cookies of a session. */
  readonly cookies: (session: Session) => Promise<CookiesResponse>;
  /** Reads the recording of an ended session. */
  readonly replay: (sessionId: string) => Promise<ReplayResponse>;
}

/** The session-scoped endpoints. Source: interface § Endpoints. */
export function addInterfaceRoutes(app: Hono, { sessions, scrape, cookies, replay }: InterfaceParts): void {
  app.post("/sessions/:session_id/page/scrape", async (c) => {
    const update = booleanQuery(c.req.query("update_metadata"), "update_metadata", true);
    const body = await readJson(c.req.raw);
    if ("tooLarge" in body) return problem(413, `the body is larger than ${body.tooLarge} bytes`);
    const read = "fault" in body ? { faults: [body.fault] } : asScrapeRequest(body.value);
    const faults = [...("fault" in update ? [update.fault] : []), ...("faults" in read ? read.faults : [])];
    if (faults.length > 0 || "faults" in read) return invalid(faults);
    const session = await sessions.get(c.req.param("session_id"), c.get("holder").name);
    session.touch();
    const data = await scrape(session, read.request).catch(async (error: unknown) => {
      await sessions.get(session.id); // when it has ended, that is why it failed
      throw error;
    });
    session.touch();
    if ("value" in update && update.value) await sessions.locate(session);
    return c.json(data);
  });

  app.get("/sessions/:session_id/cookies", async (c) => {
    const session = await sessions.get(c.req.param("session_id"), c.get("holder").name);
    session.touch();
    return c.json(await cookies(session));
  });

  app.get("/sessions/:session_id/replay", async (c) => {
    const { session_id } = await sessions.record(c.req.param("session_id"), c.get("holder").name);
    return c.json(await replay(session_id));
  });
}
